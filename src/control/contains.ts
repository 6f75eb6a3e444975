/**
 * Whether the live object still has everything we want: every field of `wanted`, with the same value. Fields and named
 * list items that others added do not matter.
 *
 * Lists whose items all carry a `name` (containers, ports, volumes, env) are compared by name; all other lists must
 * have the same items in the same order. A null or undefined wish is met by absence, and an empty object or list by
 * absence too, because the server drops those.
 */
export function contains(live: unknown, wanted: unknown): boolean {
  if (wanted === null || wanted === undefined) return live === null || live === undefined;
  if (typeof wanted !== 'object') return live === wanted;
  if (Array.isArray(wanted)) return containsList(live, wanted);
  const entries = Object.entries(wanted);
  if (live === undefined) return entries.length === 0;
  if (typeof live !== 'object' || live === null || Array.isArray(live)) return false;
  return entries.every(([key, item]) => contains(Object.hasOwn(live, key) ? Reflect.get(live, key) : undefined, item));
}

function containsList(live: unknown, wanted: readonly unknown[]): boolean {
  if (live === undefined) return wanted.length === 0;
  if (!Array.isArray(live)) return false;
  if (wanted.length > 0 && wanted.every(isNamed) && live.every(isNamed)) {
    const byName = new Map(live.map((item) => [item.name, item]));
    return wanted.every((item) => contains(byName.get(item.name), item));
  }
  return live.length === wanted.length && wanted.every((item, index) => contains(live[index], item));
}

function isNamed(item: unknown): item is { readonly name: string } {
  return typeof item === 'object' && item !== null && 'name' in item && typeof item.name === 'string';
}
