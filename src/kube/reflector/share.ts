/** Deeper than any real object; what lies below is not compared. */
const deepest = 64;

/**
 * A value equal to `after` that is built from `before` wherever the two are equal; `before` itself when they are equal
 * throughout. Neither is changed.
 *
 * Most updates of an object touch a few fields. With this a cache keeps one copy of the rest, the new copy dies young,
 * which is what a garbage collector likes best, and readers can tell unchanged parts by comparing references.
 */
export function share<T>(before: unknown, after: T, depth = 0): T {
  if (Object.is(before, after)) return before as T;
  if (!isContainer(before) || !isContainer(after) || depth > deepest) return after;
  if (Array.isArray(before) !== Array.isArray(after)) return after;
  return Array.isArray(after)
    ? (shareArray(before as unknown as readonly unknown[], after, depth) as T)
    : (shareObject(before, after, depth) as T);
}

type Container = Readonly<Record<string, unknown>>;

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function shareArray(before: readonly unknown[], after: readonly unknown[], depth: number): readonly unknown[] {
  let mixed = before.length === after.length ? undefined : before.slice(0, 0);
  for (let index = 0; index < after.length; index++) {
    const shared = share(before[index], after[index], depth + 1);
    if (!mixed && shared !== before[index]) mixed = before.slice(0, index);
    mixed?.push(shared);
  }
  return mixed ?? before;
}

function shareObject(before: Container, after: Container, depth: number): Container {
  const keys = Object.keys(after);
  let mixed: Record<string, unknown> | undefined = Object.keys(before).length === keys.length ? undefined : {};
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? '';
    // To assign this one would set the prototype.
    if (key === '__proto__') return after;
    const known = Object.hasOwn(before, key) ? before[key] : undefined;
    const shared = share(known, after[key], depth + 1);
    if (!mixed && (shared !== known || known === undefined)) {
      mixed = {};
      for (const equal of keys.slice(0, index)) mixed[equal] = before[equal];
    }
    if (mixed) mixed[key] = shared;
  }
  return mixed ?? before;
}
