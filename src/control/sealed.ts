import { createHmac, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

/**
 * A secret value on its way through views, decisions and logs. However it is printed, serialised, inspected or
 * interpolated, only a fingerprint comes out. Equal values sealed by the same sealer have equal fingerprints, so views
 * can be compared and hashed; the key of the fingerprint never leaves the process, so nobody can guess values offline.
 */
export class Sealed {
  readonly #value: string;
  readonly fingerprint: string;

  constructor(value: string, fingerprint: string) {
    this.#value = value;
    this.fingerprint = fingerprint;
  }

  /** The value itself. Only `act`, a port and the template engine call this. */
  open(): string {
    return this.#value;
  }

  toJSON(): string {
    return this.fingerprint;
  }

  toString(): string {
    return this.fingerprint;
  }

  [Symbol.toPrimitive](): string {
    return this.fingerprint;
  }

  [inspect.custom](): string {
    return this.fingerprint;
  }
}

/** Seals values under one key. One per process, made in the composition root. */
export function sealer(key: Uint8Array = randomBytes(32)): (value: string) => Sealed {
  return (value) => {
    const mac = createHmac('sha256', key).update(value, 'utf8').digest('base64url');
    return new Sealed(value, `sealed:${mac.slice(0, 16)}`);
  };
}

/** A copy of a JSON-like value with every sealed value replaced by `reveal(it)`. What holds none is returned as it is. */
export function unseal<T>(value: T, reveal: (sealed: Sealed) => string = (sealed) => sealed.open()): T {
  return replace(value, reveal) as T;
}

function replace(value: unknown, reveal: (sealed: Sealed) => string): unknown {
  if (value instanceof Sealed) return reveal(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => replace(item, reveal));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, item, replace(item, reveal)] as const);
  if (entries.every(([, before, after]) => before === after)) return value;
  return Object.fromEntries(entries.map(([key, , after]) => [key, after]));
}
