import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../clock/clock.ts';

const goodForMs = 10 * 60_000;

/** A code that lets whoever has it in, once and soon. Only its hash is kept. */
export class OneTimeLink {
  readonly #clock: Clock;
  readonly #secret: () => string;
  #code: { readonly hash: Buffer; readonly until: number } | undefined;

  constructor(clock: Clock, secret: () => string) {
    this.#clock = clock;
    this.#secret = secret;
  }

  /** A new code; the one before it is no good any more. */
  issue(): string {
    const code = this.#secret();
    this.#code = { hash: hashOf(code), until: this.#clock.monotonic() + goodForMs };
    return code;
  }

  /** Whether this is the code. Whatever the answer for the right one, it is not right a second time. */
  use(code: string): boolean {
    const known = this.#code;
    if (!known || !timingSafeEqual(hashOf(code), known.hash)) return false;
    this.#code = undefined;
    return this.#clock.monotonic() < known.until;
  }
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
