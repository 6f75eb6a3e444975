import { sameQuantity } from '../../change/quantity.ts';
import { type FieldPath, showField } from '../graph/changed-fields.ts';
import { isFields } from './replaced-at.ts';

/** Fields of a pod template that an apply will change, and those that it will take away. */
export interface TemplateChange {
  readonly set: readonly FieldPath[];
  readonly removed: readonly FieldPath[];
}

/**
 * What applying a pod template makes of the live one. `applied` is what was applied last, if known: only what is in there
 * can be taken away, and what is in there without ever having arrived (a field that the API server does not know) is no
 * change. Defaults and what others added do not matter.
 */
export function templateChange(wanted: unknown, live: unknown, applied: unknown): TemplateChange {
  const change = { set: [] as FieldPath[], removed: [] as FieldPath[] };
  compare(wanted, live, applied, [], change);
  return change;
}

/** For a person: `spec.containers[app].image, spec.volumes[conf] and 3 more`. */
export function showChange({ set, removed }: TemplateChange): string {
  const fields = [...set, ...removed].map(showField);
  const shown = fields.slice(0, 3).join(', ');
  return fields.length > 3 ? `${shown} and ${fields.length - 3} more` : shown;
}

interface Found {
  readonly set: FieldPath[];
  readonly removed: FieldPath[];
}

function compare(wanted: unknown, live: unknown, applied: unknown, path: FieldPath, found: Found): void {
  if (isEmpty(wanted)) return;
  if (Array.isArray(wanted)) compareLists(wanted, live, applied, path, found);
  else if (isFields(wanted)) compareChildren(entries(wanted), entries(live), entries(applied), path, found);
  else if (!sameScalar(wanted, live, path) && !(live === undefined && wanted === applied)) found.set.push(path);
}

type Children = ReadonlyMap<string, unknown>;

function compareChildren(wanted: Children, live: Children, applied: Children, path: FieldPath, found: Found): void {
  for (const [key, value] of wanted) compare(value, live.get(key), applied.get(key), [...path, key], found);
  for (const [key, value] of applied) {
    const gone = !isEmpty(value) && isEmpty(wanted.get(key)) && !isEmpty(live.get(key));
    if (gone) found.removed.push([...path, key]);
  }
}

function compareLists(
  wanted: readonly unknown[],
  live: unknown,
  applied: unknown,
  path: FieldPath,
  found: Found,
): void {
  const [there, before] = [list(live), list(applied)];
  const [ours, theirs, earlier] = [wanted, there, before].map(byKey);
  if (ours && theirs && earlier) compareChildren(ours, theirs, earlier, path, found);
  else if (there.length !== wanted.length) found.set.push(path);
  else {
    wanted.forEach((item, index) => {
      compare(item, there[index], before[index], [...path, `[${index}]`], found);
    });
  }
}

/** By which field items of lists in pod templates are told apart, first match wins. */
const listKeys = ['name', 'mountPath', 'devicePath', 'containerPort', 'ip', 'uid', 'topologyKey'] as const;

function byKey(items: readonly unknown[]): Children | undefined {
  if (items.length === 0) return new Map();
  for (const key of listKeys) {
    const values = items.map((item) => (isFields(item) ? item[key] : undefined));
    const usable = values.every((value) => typeof value === 'string' || typeof value === 'number');
    if (usable && new Set(values).size === values.length) {
      return new Map(items.map((item, index) => [`[${values[index]}]`, item]));
    }
  }
  return undefined;
}

/** Fields whose values are amounts: the API server may write them in another way. */
const amounts = new Set(['limits', 'requests', 'overhead']);

function sameScalar(wanted: unknown, live: unknown, path: FieldPath): boolean {
  if (wanted === live) return true;
  const holder = path.at(-2) ?? '';
  const isAmount = amounts.has(holder) || path.at(-1) === 'sizeLimit' || path.at(-1) === 'divisor';
  return isAmount && sameQuantity(wanted, live);
}

function entries(value: unknown): Children {
  return new Map(isFields(value) ? Object.entries(value) : []);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What the API server does not keep. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
