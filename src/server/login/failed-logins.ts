import type { Clock } from '../../clock/clock.ts';
import { Bucket } from '../../control/bucket.ts';
import { Refusal } from '../http/refusal.ts';

/** Ten wrong tokens at once, and one more every ten seconds. */
const rate = { burst: 10, perSecond: 1 / 10 };
/** So many addresses are remembered. */
const mostAddresses = 4_096;

/** Slows down whoever tries tokens. Only failures count: people who share an address and log in rightly are not held up. */
export class FailedLogins {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { readonly bucket: Bucket; blockedUntil: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws Refusal 429 */
  check(address: string): void {
    const known = this.#buckets.get(blockOf(address));
    const waitMs = (known?.blockedUntil ?? 0) - this.#clock.monotonic();
    if (waitMs <= 0) return;
    const seconds = String(Math.ceil(waitMs / 1000));
    throw new Refusal(429, `Too many wrong tokens came from your address. Try again in ${seconds} s.`, {
      'retry-after': seconds,
    });
  }

  failed(address: string): void {
    const block = blockOf(address);
    const known = this.#buckets.get(block) ?? { bucket: new Bucket(this.#clock, rate), blockedUntil: 0 };
    if (!known.bucket.take()) known.blockedUntil = this.#clock.monotonic() + 1000 / rate.perSecond;
    this.#buckets.delete(block);
    this.#buckets.set(block, known);
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= mostAddresses) break;
      this.#buckets.delete(oldest);
    }
  }
}

/** Whoever has one IPv6 address has all of its /64. */
function blockOf(address: string): string {
  return address.includes('.') ? address : address.split(':').slice(0, 4).join(':');
}
