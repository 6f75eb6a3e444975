import { equal } from '../schema/equal.ts';
import { goJson, goPrint } from '../schema/go-text.ts';
import { type Fields, isFields } from '../schema/json.ts';
import type { Schema } from '../schema/schema.ts';
import { StatusError } from '../status-error.ts';

/** How a list is patched. */
export interface ListRule {
  readonly name: string;
  /** Whether items merge at all; otherwise the patch replaces the list. */
  readonly merges: boolean;
  /** The field that tells objects apart. */
  readonly key: string | undefined;
  readonly items: Schema | undefined;
}

const directive = '$patch';

/** Merges a patch's items into a list's, by `merge` where both have one. Both lists may be changed. */
export function mergeItems(
  rule: ListRule,
  live: unknown[],
  patch: unknown[],
  merge: (schema: Schema | undefined, target: Fields, patch: Fields) => Fields,
): unknown[] {
  if (![...live, ...patch].some(isFields)) {
    return orderItems(rule, distinct([...live, ...patch]), distinct(patch), live);
  }
  if ([...live, ...patch].some((item) => !isFields(item))) {
    throw failure(`list element types are not identical: ${goPrint([live, patch])}`);
  }
  if (!rule.key) throw failure(`cannot merge lists without merge key for ${rule.name}`);

  const { kept, changes } = obeyItems(rule, live as Fields[], patch as Fields[]);
  for (const change of changes) {
    const value = keyOf(rule, change);
    const at = kept.findIndex((item) => equal(keyOf(rule, item), value));
    const there = kept[at];
    if (there) kept[at] = merge(rule.items, there, change);
    else kept.push(change);
  }
  return orderItems(rule, kept, changes, live);
}

/** Carries out `$patch` on items: delete one, or replace all. */
function obeyItems(rule: ListRule, live: Fields[], patch: Fields[]): { kept: Fields[]; changes: Fields[] } {
  let kept = [...live];
  let replace = false;
  const changes: Fields[] = [];
  for (const item of patch) {
    switch (item[directive]) {
      case undefined:
        changes.push(item);
        break;
      case 'delete': {
        const value = keyOf(rule, item);
        kept = kept.filter((other) => !equal(keyOf(rule, other), value));
        break;
      }
      case 'replace':
        replace = true;
        break;
      case 'merge':
        throw failure('merging lists cannot yet be specified in the patch');
      default:
        throw failure(`unknown patch type: ${goPrint(item[directive])} in map: ${goPrint(item)}`);
    }
  }
  return replace ? { kept: changes, changes: [] } : { kept, changes };
}

/** The items of a patch must stand in `$setElementOrder`, in the same order. */
export function checkOrder(rule: ListRule, patch: readonly unknown[], wanted: readonly unknown[]): void {
  if (patch.length === 0 || wanted.length === 0) return;
  const items = patch.filter((item) => !(isFields(item) && Object.hasOwn(item, directive)));
  let next = 0;
  for (const item of wanted) {
    if (next < items.length && identity(rule, item) === identity(rule, items[next])) next++;
  }
  if (next < items.length) {
    const lists = `${goPrint(patch)}\n doesn't match $setElementOrder list:\n${goPrint(wanted)}\n`;
    throw failure(`The order in patch list:\n${lists}`);
  }
}

/**
 * The items in order: those in `wanted` as they stand there, the others where they stood in the live list relative to
 * them.
 */
export function orderItems(
  rule: ListRule,
  items: readonly unknown[],
  wanted: readonly unknown[],
  live: readonly unknown[],
): unknown[] {
  const position = (list: readonly unknown[]): ((item: unknown) => number) => {
    const places = new Map(list.map((item, i) => [identity(rule, item), i]));
    return (item) => places.get(identity(rule, item)) ?? -1;
  };
  const inWanted = position(wanted);
  const inLive = position(live);
  const asked = items.filter((item) => inWanted(item) >= 0).sort((a, b) => inWanted(a) - inWanted(b));
  const others = items.filter((item) => inWanted(item) < 0).sort((a, b) => inLive(a) - inLive(b));

  const out: unknown[] = [];
  let [a, o] = [0, 0];
  while (a < asked.length && o < others.length) {
    // An item that is new to the live list goes before whatever stands next there.
    const at = inLive(asked[a]);
    if (at >= 0 && inLive(others[o]) < at) out.push(others[o++]);
    else out.push(asked[a++]);
  }
  return [...out, ...asked.slice(a), ...others.slice(o)];
}

function identity(rule: ListRule, item: unknown): string {
  return goJson(rule.key && isFields(item) ? keyOf(rule, item) : item);
}

function keyOf(rule: ListRule, item: Fields): unknown {
  const { key = '' } = rule;
  if (Object.hasOwn(item, key)) return item[key];
  throw failure(`map: ${goPrint(item)} does not contain declared merge key: ${key}`);
}

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [goJson(value), value])).values()];
}

function failure(message: string): StatusError {
  return new StatusError(500, '', message);
}
