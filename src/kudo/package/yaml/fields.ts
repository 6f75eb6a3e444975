import type { Complaint } from '../package-error.ts';
import type { YamlEntry, YamlNode } from './node.ts';
import { numberText } from './number-text.ts';

/** What is found while a file is decoded. */
export interface Notes {
  readonly errors: Complaint[];
  readonly warnings: Complaint[];
}

/**
 * The fields of one map, decoded into the types they are to have, as Go decodes JSON: null is absent, a field that nobody
 * knows is left out, and a name counts whatever its case. The last two are warnings here. What has the wrong type is an error
 * with its place, and then as if it were absent, so that one run finds all of them.
 */
export class Fields {
  readonly #entries: ReadonlyMap<string, YamlEntry>;
  readonly #what: string;
  readonly #notes: Notes;

  /** `what` is how messages call the map: `task "deploy"`. */
  constructor(node: YamlNode | undefined, what: string, known: readonly string[], notes: Notes) {
    this.#what = what;
    this.#notes = notes;
    if (node && node.kind !== 'map') notes.errors.push({ message: `${what} must be a map`, at: node.at });
    this.#entries = node?.kind === 'map' ? recognized(node.entries, what, known, notes) : new Map();
  }

  /** Its place, for messages about the value. */
  entry(name: string): YamlEntry | undefined {
    const entry = this.#entries.get(name);
    return entry?.value.kind === 'scalar' && entry.value.value === null ? undefined : entry;
  }

  node(name: string): YamlNode | undefined {
    return this.entry(name)?.value;
  }

  /** Text. A number or boolean becomes text too; `1.10` has by then become `1.1`, which is why versions are quoted. */
  text(name: string): string | undefined {
    const node = this.node(name);
    return node ? this.#text(node, name) : undefined;
  }

  flag(name: string): boolean | undefined {
    const node = this.node(name);
    if (!node) return undefined;
    if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
    return this.#wrong(node, name, 'true or false');
  }

  integer(name: string): number | undefined {
    const node = this.node(name);
    if (!node) return undefined;
    if (node.kind === 'scalar' && Number.isInteger(node.value)) return node.value as number;
    return this.#wrong(node, name, 'an integer');
  }

  list(name: string): readonly YamlNode[] | undefined {
    const node = this.node(name);
    if (!node || node.kind === 'list') return node?.items;
    return this.#wrong(node, name, 'a list');
  }

  texts(name: string): readonly string[] | undefined {
    return this.list(name)?.map((item) => this.#text(item, name) ?? '');
  }

  map(name: string): ReadonlyMap<string, YamlEntry> {
    const node = this.node(name);
    if (node && node.kind !== 'map') this.#wrong(node, name, 'a map');
    return node?.kind === 'map' ? node.entries : new Map();
  }

  #text(node: YamlNode, name: string): string | undefined {
    if (node.kind !== 'scalar') return this.#wrong(node, name, 'text');
    if (node.value === null) return undefined;
    return typeof node.value === 'number' ? numberText(node.value) : String(node.value);
  }

  #wrong(node: YamlNode, name: string, wanted: string): undefined {
    this.#notes.errors.push({ message: `${name} of ${this.#what} must be ${wanted}`, at: node.at });
    return undefined;
  }
}

function recognized(
  entries: ReadonlyMap<string, YamlEntry>,
  what: string,
  known: readonly string[],
  { warnings }: Notes,
): ReadonlyMap<string, YamlEntry> {
  const found = new Map<string, YamlEntry>();
  for (const [key, entry] of entries) {
    const name = known.includes(key) ? key : known.find((one) => one.toLowerCase() === key.toLowerCase());
    if (name === undefined) {
      const near = known.find((one) => isNear(one.toLowerCase(), key.toLowerCase()));
      const hint = near === undefined ? '' : `; is it to be "${near}"?`;
      warnings.push({
        message: `${what} has an unknown key ${JSON.stringify(key)}, which is ignored${hint}`,
        at: entry.at,
      });
      continue;
    }
    if (name !== key) {
      if (entries.has(name)) continue;
      warnings.push({ message: `${what} has a key ${JSON.stringify(key)}, taken for "${name}"`, at: entry.at });
    }
    found.set(name, entry);
  }
  return found;
}

/** One letter too many, too few, wrong, or two of them swapped. */
function isNear(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 1 || word.length < 3) return false;
  let start = 0;
  while (start < word.length && word[start] === other[start]) start++;
  let end = 0;
  while (end < Math.min(word.length, other.length) - start && word.at(-1 - end) === other.at(-1 - end)) end++;
  const [left, right] = [word.slice(start, word.length - end), other.slice(start, other.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
