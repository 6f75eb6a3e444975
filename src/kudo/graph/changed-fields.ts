/** A field, by the way to it. An item of a list is `[name]` if all items have names, else `[index]`. */
export type FieldPath = readonly string[];

export interface ChangedFields {
  readonly fields: readonly FieldPath[];
  /** There are more, or not all was compared. */
  readonly more: boolean;
}

/** A way as a chain, so that a deep object costs no copies. */
interface Way {
  readonly up: Way | undefined;
  readonly name: string;
}

/**
 * Where two JSON values differ: the innermost fields. Never what they hold. Without recursion, so that nesting cannot hurt;
 * after `compared` fields it stops.
 */
export function changedFields(
  before: unknown,
  after: unknown,
  limits: { readonly fields: number; readonly compared: number },
): ChangedFields {
  const fields: FieldPath[] = [];
  const open: [unknown, unknown, Way | undefined][] = [[before, after, undefined]];
  for (let compared = 0; open.length > 0; compared++) {
    const [a, b, way] = open.pop() as (typeof open)[number];
    if (Object.is(a, b)) continue;
    if (fields.length >= limits.fields || compared >= limits.compared) return { fields, more: true };
    const [left, right] = [childrenOf(a), childrenOf(b)];
    if (left === undefined || right === undefined || left.list !== right.list || reordered(left, right)) {
      fields.push(pathOf(way));
      continue;
    }
    const names = [...new Set([...left.entries.keys(), ...right.entries.keys()])];
    for (const name of names.reverse()) open.push([left.entries.get(name), right.entries.get(name), { up: way, name }]);
  }
  return { fields, more: false };
}

/** The order of a list counts, also where its items have names. */
function reordered(left: Children, right: Children): boolean {
  if (left.list === 'no') return false;
  const kept = [...left.entries.keys()].filter((name) => right.entries.has(name));
  const there = [...right.entries.keys()].filter((name) => left.entries.has(name));
  return kept.some((name, index) => name !== there[index]);
}

function pathOf(way: Way | undefined): FieldPath {
  const path: string[] = [];
  for (let here = way; here !== undefined; here = here.up) path.push(here.name);
  return path.reverse();
}

interface Children {
  readonly list: 'no' | 'named' | 'counted';
  readonly entries: ReadonlyMap<string, unknown>;
}

/** `undefined` for what has no children: texts, numbers, nothing. */
function childrenOf(value: unknown): Children | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return { list: 'no', entries: new Map(Object.entries(value)) };
  const names = value.map(nameOf);
  const named = value.length > 0 && names.every((name) => name !== undefined) && new Set(names).size === names.length;
  const entries = value.map((item, index): [string, unknown] => [`[${named ? names[index] : index}]`, item]);
  return { list: named ? 'named' : 'counted', entries: new Map(entries) };
}

function nameOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !Object.hasOwn(item, 'name')) return undefined;
  const { name } = item as { readonly name?: unknown };
  return typeof name === 'string' ? name : undefined;
}

/** `spec.template.spec.containers[node].args[0]`. Keys that are file names are quoted: `data["seeds.txt"]`. */
export function showField(path: FieldPath): string {
  return path.reduce((text, name) => {
    if (name.startsWith('[')) return text + shortened(name);
    if (!/^[\w-]+$/.test(name)) return `${text}[${JSON.stringify(shortened(name))}]`;
    return text === '' ? shortened(name) : `${text}.${shortened(name)}`;
  }, '');
}

/** A name may come from a template, and templates may print anything. */
function shortened(name: string): string {
  return name.length > 80 ? `${name.slice(0, 79)}…` : name;
}
