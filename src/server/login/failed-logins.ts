import type { Clock } from '../../clock/clock.ts';
import { Bucket } from '../../control/bucket.ts';
import { Refusal } from '../http/refusal.ts';

/** Ten wrong tokens at once, and one more every ten seconds. */
const rate = { burst: 10, perSecond: 1 / 10 };
/** So many addresses are remembered. */
const mostAddresses = 4_096;

interface Known {
  readonly bucket: Bucket;
  blockedUntil: number;
  judging: boolean;
}

/**
 * Slows down whoever tries tokens: once there were too many wrong ones, one is judged at a time. Only failures count: people
 * who share an address with whoever tries, as all do behind a proxy, still get in with a right one.
 */
export class FailedLogins {
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What `judge` finds, which refuses a wrong token with 401. @throws Refusal 429 instead of that, and when it is not asked */
  async judged<T>(address: string, judge: () => Promise<T>): Promise<T> {
    const block = blockOf(address);
    const known = this.#known.get(block);
    const waitMs = (known?.blockedUntil ?? 0) - this.#clock.monotonic();
    const blocked = known && waitMs > 0 ? known : undefined;
    if (blocked?.judging) throw tooMany(waitMs);
    if (blocked) blocked.judging = true;
    try {
      return await judge();
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 401)) throw error;
      this.#failed(block);
      throw blocked ? tooMany(waitMs) : error;
    } finally {
      if (blocked) blocked.judging = false;
    }
  }

  #failed(block: string): void {
    const known = this.#known.get(block) ?? {
      bucket: new Bucket(this.#clock, rate),
      blockedUntil: 0,
      judging: false,
    };
    if (!known.bucket.take()) known.blockedUntil = this.#clock.monotonic() + 1000 / rate.perSecond;
    this.#known.delete(block);
    this.#known.set(block, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostAddresses) break;
      this.#known.delete(oldest);
    }
  }
}

function tooMany(waitMs: number): Refusal {
  const seconds = String(Math.ceil(waitMs / 1000));
  return new Refusal(429, `Too many wrong tokens came from your address. Try again in ${seconds} s.`, {
    'retry-after': seconds,
  });
}

/** Whoever has one IPv6 address has all of its /64. An IPv4 address is itself, also as sockets for both spell it. */
function blockOf(address: string): string {
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [head = '', tail = ''] = address.split('::', 2);
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]];
  const between = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...between, ...after].slice(0, 4).join(':');
}
