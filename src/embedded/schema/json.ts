/** A JSON object that may be changed in place. */
export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Sets an own property whatever its name: assigning `__proto__` would change the object's prototype instead, and a key
 * from a request must never do that.
 */
export function setField(fields: Fields, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    fields[key] = value;
  }
}

/** An own property; never what an object inherits. */
export function getField(fields: Readonly<Fields>, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** A deep copy of a JSON value. */
export function copy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copy) as T;
  if (!isFields(value)) return value;
  const out: Fields = {};
  for (const key of Object.keys(value)) setField(out, key, copy(value[key]));
  return out as T;
}
