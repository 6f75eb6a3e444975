import type { Json, JsonObject } from '../kube/object.ts';
import { isMap } from './merge-values.ts';

/** What is wrong with a `--set`. */
export class SetProblem extends Error {
  override readonly name = 'SetProblem';
}

type Path = readonly (string | number)[];

interface Assignment {
  readonly path: Path;
  readonly value: Json;
}

/** A list may be made that long by its index: more is a slip of the finger. */
const longestList = 1000;

/**
 * The values with what a `--set` of Helm says: `a.b=1,c[0].d=x,e={one,two}`. A backslash takes the meaning from the character behind it.
 * `true`, `false`, `null` and whole numbers are what they look like, everything else is text.
 *
 * Errors: `SetProblem`, which quotes the text.
 */
export function setValues(values: JsonObject, text: string): JsonObject {
  return assignmentsIn(text).reduce((before, { path, value }) => put(before, path, value, text) as JsonObject, values);
}

function put(before: Json | undefined, path: Path, value: Json, text: string): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof key === 'number') {
    if (key >= longestList) throw new SetProblem(`--set ${text}: ${key} is too far behind the end of a list`);
    const list: Json[] = Array.isArray(before) ? [...before] : [];
    while (list.length < key) list.push(null);
    list[key] = put(list[key], rest, value, text);
    return list;
  }
  const entries = new Map<string, Json>(isMap(before) ? Object.entries(before) : []);
  entries.set(key, put(entries.get(key), rest, value, text));
  return Object.fromEntries(entries);
}

function assignmentsIn(text: string): readonly Assignment[] {
  const reader = new Reader(text);
  const found: Assignment[] = [];
  do found.push(reader.assignment());
  while (reader.more());
  return found;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether another assignment follows. */
  more(): boolean {
    if (this.#text[this.#at] !== ',') return false;
    this.#at++;
    return this.#at < this.#text.length;
  }

  assignment(): Assignment {
    const path: (string | number)[] = [];
    for (;;) {
      const name = this.#until('.[=,');
      const after = this.#text[this.#at];
      if (name !== '') path.push(name);
      else if (path.length === 0 || after !== '[') {
        if (typeof path.at(-1) !== 'number') this.#wrong('a name is missing');
      }
      if (after === undefined || after === ',') this.#wrong(`"${path.join('.')}" has no value; write name=value`);
      this.#at++;
      if (after === '=') return { path, value: this.#value() };
      if (after === '[') path.push(this.#index());
    }
  }

  #index(): number {
    const end = this.#text.indexOf(']', this.#at);
    const digits = this.#text.slice(this.#at, end < 0 ? undefined : end);
    if (end < 0 || !/^\d{1,9}$/.test(digits)) this.#wrong(`"[${digits}" is no place in a list; write [0]`);
    this.#at = end + 1;
    // `a[0].b`: what follows is a name again.
    if (this.#text[this.#at] === '.') this.#at++;
    return Number(digits);
  }

  #value(): Json {
    if (this.#text[this.#at] !== '{') return typed(this.#until(','));
    this.#at++;
    const items: Json[] = [];
    if (this.#text[this.#at] === '}') {
      this.#at++;
      return items;
    }
    for (;;) {
      items.push(typed(this.#until(',}')));
      const after = this.#text[this.#at];
      if (after === undefined) this.#wrong('a list that begins with { must end with }');
      this.#at++;
      if (after === '}') return items;
    }
  }

  /** The text up to one of these characters, which stays. */
  #until(ends: string): string {
    let found = '';
    for (; this.#at < this.#text.length; this.#at++) {
      const letter = this.#text[this.#at] as string;
      if (ends.includes(letter)) return found;
      if (letter === '\\') this.#at++;
      found += this.#text[this.#at] ?? '';
    }
    return found;
  }

  #wrong(why: string): never {
    throw new SetProblem(`--set ${this.#text}: ${why}`);
  }
}

function typed(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (/^(0|-?[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  return text;
}
