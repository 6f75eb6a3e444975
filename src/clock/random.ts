import { randomUUID } from 'node:crypto';

/** Where chance comes from. A seeded source replays. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** A version 4 UUID. */
  uuid(): string;
}

/** The machine's randomness. */
export const realRandom: Random = { next: Math.random, uuid: randomUUID };

/** The same seed gives the same sequence for ever (mulberry32). Not for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join('');
  return {
    next,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[Math.floor(next() * 4)]}${hex(3)}-${hex(12)}`,
  };
}

/** Letters and digits that Kubernetes uses in generated names: none that could spell a word. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** A suffix as in `generateName`: `length` characters that are safe in any Kubernetes name. */
export function suffix(random: Random, length = 5): string {
  return Array.from({ length }, () => alphabet[Math.floor(random.next() * alphabet.length)]).join('');
}
