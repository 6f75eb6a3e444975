type Tree = Record<string, unknown>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON merge patch (RFC 7386). */
export function merged(base: unknown, patch: unknown): unknown {
  if (!isTree(patch)) return patch;
  const result: Tree = isTree(base) ? { ...base } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

/** `live` without the fields that were in `before` and are not in `now`. Lists count as a whole. */
export function without(live: unknown, before: unknown, now: unknown): unknown {
  if (!isTree(live) || !isTree(before)) return live;
  const result: Tree = { ...live };
  for (const [key, value] of Object.entries(before)) {
    const next = isTree(now) ? now[key] : undefined;
    if (next === undefined) delete result[key];
    else result[key] = without(result[key], value, next);
  }
  return result;
}
