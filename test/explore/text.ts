/**
 * Worlds as text. Two worlds are the same if their texts are, once everything in them is called by the order in which it
 * appears: uids, versions, ids of jobs, paths of savepoints; and times by how far away they are.
 *
 * Worlds share most of their parts, and parts never change. So each part is written out once, as its shape (a number that
 * stands for the text without names) and the names in it; what is left to do for a world is to go through names.
 */
interface Part {
  readonly shape: number;
  readonly names: readonly Name[];
}

type Name =
  /** An object, a version, a job, a savepoint: only what is called the same matters. */
  | { readonly is: 'name'; readonly text: string }
  /** It follows from a counter, and so does the next of its kind. */
  | { readonly is: 'id'; readonly text: string }
  /** That counter. */
  | { readonly is: 'counter'; readonly text: string }
  | { readonly is: 'time'; readonly at: number };

const parts = new WeakMap<object, Part>();
const shapes = new Map<string, number>();
const specs = new Map<string, number>();

const anyName =
  /\b(?:rv|job|path|trigger)\d+\b|\buid\d+(?:[-/]\d+)*|-savepoint-[0-9a-f]+|"attempt":\d+|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

function partOf(value: object): Part {
  const known = parts.get(value);
  if (known) return known;
  const names: Name[] = [];
  const bare = JSON.stringify(value, shortened).replace(anyName, (name) => {
    names.push(nameOf(name));
    return '@';
  });
  const shape = shapes.get(bare) ?? shapes.size;
  shapes.set(bare, shape);
  const part = { shape, names };
  parts.set(value, part);
  return part;
}

function nameOf(text: string): Name {
  if (text.startsWith('"')) return { is: 'counter', text };
  if (/^\d/.test(text)) return { is: 'time', at: Date.parse(text) };
  return { is: /^-|[-/]/.test(text) ? 'id' : 'name', text };
}

/** Specs are long, few and mostly the same: a number stands for each. What is named in them stays readable. */
function shortened(name: string, value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('{"spec"') ? numbered(value) : value;
  if ((name !== 'spec' && name !== 'deployed') || typeof value !== 'object' || value === null) return value;
  return numbered(JSON.stringify(value));
}

function numbered(spec: string): string {
  const named: string[] = [];
  const bare = spec.replace(/path\d+/g, (path) => {
    named.push(path);
    return 'path';
  });
  const number = specs.get(bare) ?? specs.size;
  specs.set(bare, number);
  return `#${number} ${named.join(' ')}`;
}

/** Longer ago than any clock here runs. */
const longAgo = -3_600_000;

/** The same for worlds that behave the same. Ids are names here: how often something was tried makes no difference. */
export function anonymous(values: readonly (object | string | undefined)[], now: number): string {
  const names = new Map<string, number>();
  let text = '';
  for (const value of values) {
    if (typeof value !== 'object') {
      text += value === undefined ? '-' : `${named(value, names)};`;
      continue;
    }
    const part = partOf(value);
    text += part.shape;
    for (const name of part.names) {
      if (name.is === 'time') text += `@${Math.max(name.at - now, longAgo)}`;
      else if (name.is !== 'counter') text += `,${named(name.text, names)}`;
    }
    text += ';';
  }
  return text;
}

function named(text: string, names: Map<string, number>): number {
  const known = names.get(text);
  if (known !== undefined) return known;
  names.set(text, names.size);
  return names.size - 1;
}

/** The text with other names, and the way there and back for any text about the same things. */
export interface Renamed {
  readonly text: string;
  forth(other: string): string;
  back(other: string): string;
}

const plainName = /\b(?:rv|uid|job|path|trigger)\d+\b(?![-/]\d)|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** As `anonymous`, but ids and their counter stay as they are: what comes next is told from them. */
export function renamed(values: readonly (object | undefined)[], now: number): Renamed {
  const names = new Map<string, number>();
  let text = '';
  for (const value of values) {
    const part = value && partOf(value);
    text += part ? part.shape : '-';
    for (const name of part?.names ?? []) {
      if (name.is === 'time') text += `@${name.at - now}`;
      else text += `,${name.is === 'name' ? named(name.text, names) : name.text}`;
    }
    text += ';';
  }
  return {
    text,
    forth: (other) =>
      other.replace(plainName, (name) =>
        /^\d/.test(name) ? `<@${Date.parse(name) - now}>` : `<${named(name, names)}>`,
      ),
    back: (other) => {
      const originals = [...names.keys()];
      return other.replace(/<(@?)(-?\d+)>/g, (_, time: string, number: string) =>
        time ? new Date(now + Number(number)).toISOString() : (originals[Number(number)] ?? ''),
      );
    },
  };
}
