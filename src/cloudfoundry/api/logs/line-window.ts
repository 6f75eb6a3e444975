import type { LogLine } from './log-line.ts';

export interface WindowOptions {
  readonly start: bigint;
  readonly end: bigint | undefined;
  readonly limit: number;
  /** Which are kept when there are more than `limit`. */
  readonly keep: 'newest' | 'oldest';
  /** Payloads together take no more than this: what comes late in the window goes first. */
  readonly maxBytes: number;
}

/**
 * The lines of a time window, as many as were asked for and no more: what is read may be far larger than what is kept.
 * Lines of one source come in order; those of several sources meet in `lines`.
 */
export class LineWindow {
  readonly #options: WindowOptions;
  #lines: LogLine[] = [];
  #bytes = 0;

  constructor(options: WindowOptions) {
    this.#options = options;
  }

  /** Whether lines of the same source that come after this one can still be wanted. */
  add(line: LogLine): boolean {
    const { start, end, limit, keep, maxBytes } = this.#options;
    if (line.time < start) return true;
    if (end !== undefined && line.time >= end) return false;
    this.#lines.push(line);
    this.#bytes += line.payload.length;
    // Twice the limit before it is cut: one cut per `limit` lines instead of one per line.
    if (keep === 'newest' && (this.#lines.length >= limit * 2 || this.#bytes > maxBytes)) this.#cut();
    return keep === 'newest' || (this.#lines.length < limit && this.#bytes <= maxBytes);
  }

  /** Takes in what another window holds. */
  join(other: LineWindow): void {
    this.#lines.push(...other.#lines);
    this.#bytes += other.#bytes;
    this.#cut();
  }

  /** In the order of time. */
  lines(): readonly LogLine[] {
    this.#cut();
    return this.#lines;
  }

  #cut(): void {
    const { limit, keep, maxBytes } = this.#options;
    const sorted = this.#lines.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
    const kept = keep === 'newest' ? sorted.slice(-limit) : sorted.slice(0, limit);
    let bytes = kept.reduce((sum, { payload }) => sum + payload.length, 0);
    while (bytes > maxBytes && kept.length > 1) {
      const gone = keep === 'newest' ? kept.shift() : kept.pop();
      bytes -= gone?.payload.length ?? 0;
    }
    this.#lines = kept;
    this.#bytes = bytes;
  }
}
