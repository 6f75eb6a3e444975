import { sameQuantity } from '../../change/quantity.ts';

/** The way from an object to something in it. */
export type FieldPath = readonly FieldStep[];

export type FieldStep =
  | { readonly field: string }
  /** An item of a list, as it was asked for, and where in the list. */
  | { readonly item: unknown; readonly index: number };

/** Where `live` does not have what is wanted, whatever else it has. Amounts may be spelt differently. */
export function differences(live: unknown, wanted: unknown, path: FieldPath = []): readonly FieldPath[] {
  if (wanted === null || wanted === undefined) return [];
  if (Array.isArray(wanted)) {
    const list: readonly unknown[] = Array.isArray(live) ? live : [];
    return wanted.flatMap((item, index) =>
      differences(counterpart(list, item, index), item, [...path, { item, index }]),
    );
  }
  if (typeof wanted === 'object') {
    const entries = Object.entries(wanted);
    if (typeof live !== 'object' || live === null) return entries.length === 0 ? [] : [path];
    return entries.flatMap(([field, value]) =>
      differences(Object.hasOwn(live, field) ? Reflect.get(live, field) : undefined, value, [...path, { field }]),
    );
  }
  return live === wanted || sameQuantity(live, wanted) ? [] : [path];
}

/** What an item has become: of those with its name (a volume may be mounted twice) one that is as wanted, if there is one. */
function counterpart(live: readonly unknown[], item: unknown, index: number): unknown {
  const name = nameOf(item);
  if (name === undefined) return live[index];
  const namesakes = live.filter((one) => nameOf(one) === name);
  return namesakes.find((one) => differences(one, item).length === 0) ?? namesakes[0];
}

function nameOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'name' in item ? item.name : undefined;
}
