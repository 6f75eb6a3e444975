import type { Instant } from '../../clock/clock.ts';
import type { Running } from '../programs/program.ts';

export interface LogLine {
  readonly at: Instant;
  readonly text: string;
}

/** A log keeps no more than this; the oldest lines go first. */
const [mostLines, mostBytes] = [5000, 512 * 1024];

/**
 * What one run of a container printed. Lines that a program murmurs at a steady pace are not stored but made when
 * someone reads.
 */
export class LogBook {
  readonly #lines: LogLine[] = [];
  #bytes = 0;
  #murmur: Running['murmur'];
  readonly #since: Instant;
  #until: Instant | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(since: Instant) {
    this.#since = since;
  }

  write(at: Instant, text: string): void {
    for (const line of text.split('\n')) {
      this.#lines.push({ at, text: line });
      this.#bytes += line.length;
    }
    while (this.#lines.length > mostLines || (this.#bytes > mostBytes && this.#lines.length > 1)) {
      this.#bytes -= this.#lines.shift()?.text.length ?? 0;
    }
    this.#wake();
  }

  murmur(murmur: Running['murmur']): void {
    this.#murmur = murmur;
  }

  /** The run has ended: nothing more will come. */
  close(at: Instant): void {
    this.#until ??= at;
    this.#wake();
  }

  get closed(): boolean {
    return this.#until !== undefined;
  }

  /** Every line up to now, oldest first. */
  lines(now: Instant): readonly LogLine[] {
    const murmured = this.#murmured(this.#until ?? now);
    return murmured.length === 0 ? [...this.#lines] : [...this.#lines, ...murmured].sort((a, b) => a.at - b.at);
  }

  /** When the next murmured line is due; undefined when none is. */
  nextMurmur(now: Instant): Instant | undefined {
    if (!this.#murmur || this.closed) return undefined;
    const { everyMs } = this.#murmur;
    return this.#since + (Math.floor((now - this.#since) / everyMs) + 1) * everyMs;
  }

  /** Calls once when there may be something new. Returns the way to call it off. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #murmured(until: Instant): readonly LogLine[] {
    if (!this.#murmur) return [];
    const { everyMs, line } = this.#murmur;
    const last = Math.floor((until - this.#since) / everyMs);
    const first = Math.max(1, last - mostLines + 1);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
      at: this.#since + (first + index) * everyMs,
      text: line(first + index),
    }));
  }

  #wake(): void {
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}
