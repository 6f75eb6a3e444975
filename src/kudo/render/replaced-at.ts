/** An object of JSON of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A copy with the object at the end of a path replaced; what is on the way is copied, the rest is shared. Missing objects
 * on the way are made. Something else in their place stays, and so does all: the API server will say what is wrong with it.
 */
export function replacedAt<T extends object>(object: T, path: readonly string[], change: (found: Fields) => Fields): T {
  return replaced(object, path, 0, change) as T;
}

function replaced(value: unknown, path: readonly string[], depth: number, change: (found: Fields) => Fields): unknown {
  const found = value ?? {};
  if (!isFields(found)) return value;
  const key = path[depth];
  if (key === undefined) return change(found);
  return { ...found, [key]: replaced(Object.hasOwn(found, key) ? found[key] : undefined, path, depth + 1, change) };
}
