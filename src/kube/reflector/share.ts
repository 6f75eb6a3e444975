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
  if (before === after) return before as T;
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

/** Walks with `for in`, which on decoded JSON sees own fields only and, unlike `Object.keys`, allocates nothing. */
function shareObject(before: Container, after: Container, depth: number): Container {
  let mixed: Record<string, unknown> | undefined;
  let surplus = 0;
  for (const _ in before) surplus++;
  for (const key in after) {
    // To assign this one would set the prototype.
    if (key === '__proto__') return after;
    surplus--;
    const known = before[key];
    const next = after[key];
    // Most fields are texts and numbers: they are not worth a call.
    const shared = known === next ? known : typeof next === 'object' ? share(known, next, depth + 1) : next;
    if (!mixed && shared !== known) mixed = pick(before, after, key);
    if (mixed) mixed[key] = shared;
  }
  return mixed ?? (surplus === 0 ? before : pick(before, after));
}

/** The fields that `after` has, up to `end`, with the values that they have in `before`. */
function pick(before: Container, after: Container, end?: string): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const key in after) {
    if (key === end) break;
    picked[key] = before[key];
  }
  return picked;
}
