/** An object of JSON: neither list nor null. */
export type Members = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a value is when it is written as JSON: a sealed secret is its fingerprint. */
export function plain(value: unknown): unknown {
  return isObject(value) && typeof value.toJSON === 'function' ? value.toJSON() : value;
}

/** A member by name; what an object inherits (`constructor`) is not its member. */
export function member(object: Members, key: string): unknown {
  return Object.hasOwn(object, key) ? plain(object[key]) : undefined;
}

/** The API server drops a null where the schema has no null, and readers take both to be the same. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/**
 * Whether two JSON values are the same. The order of keys does not matter, the order of elements does; a key without a
 * value is no key. `absent` says which values count as none.
 *
 * Works on any depth: there is no recursion that hostile input could exhaust.
 */
export function equal(
  left: unknown,
  right: unknown,
  absent: (value: unknown) => boolean = (value) => value === undefined,
): boolean {
  const pending: (readonly [unknown, unknown])[] = [[left, right]];
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    const [a, b] = [plain(pair[0]), plain(pair[1])];
    if (a === b) continue;
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false;
      for (const [index, element] of a.entries()) pending.push([element, b[index]]);
    } else if (isObject(a) && isObject(b)) {
      const keys = Object.keys(a).filter((key) => !absent(member(a, key)));
      if (keys.length !== Object.keys(b).filter((key) => !absent(member(b, key))).length) return false;
      for (const key of keys) pending.push([member(a, key), member(b, key)]);
    } else {
      return false;
    }
  }
  return true;
}
