import { createHash } from 'node:crypto';

/**
 * A short name for a JSON value: equal for equal values whatever the order of their keys, and, as far as anyone knows,
 * for no others. What JSON would leave out (undefined) is left out; sealed values count by their fingerprint.
 */
export function digest(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex').slice(0, 32);
}

/** JSON with sorted keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    const object = item as Record<string, unknown>;
    const keys = Object.keys(object);
    if (keys.every((key, index) => index === 0 || (keys[index - 1] as string) < key)) return object;
    // Entries rather than assignment: a key named __proto__ must stay a key.
    return Object.fromEntries(keys.sort().map((key) => [key, object[key]]));
  });
}
