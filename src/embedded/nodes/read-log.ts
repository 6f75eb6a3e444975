import type { Clock } from '../../clock/clock.ts';
import type { LogOptions } from '../runtime.ts';
import type { LogBook, LogLine } from './log-book.ts';

const encoder = new TextEncoder();

/** The lines of a log that were asked for, as bytes; followed to its end when that was asked for too. */
export async function* readLog(book: LogBook, clock: Clock, options: LogOptions): AsyncIterable<Uint8Array> {
  const shown = (line: LogLine): Uint8Array =>
    encoder.encode(options.timestamps ? `${preciseTime(line.at)} ${line.text}\n` : `${line.text}\n`);
  const from = startOf(clock, options);
  const present = book.lines(clock.now()).filter((line) => line.at >= from);
  const tail =
    options.tailLines === undefined ? present : present.slice(Math.max(0, present.length - options.tailLines));
  let left = options.limitBytes ?? Number.POSITIVE_INFINITY;
  for (const line of tail) {
    const bytes = shown(line);
    yield bytes.subarray(0, left);
    left -= bytes.length;
    if (left <= 0) return;
  }
  if (!options.follow) return;
  let seen = present.at(-1);
  while (!book.closed && !options.signal?.aborted) {
    await change(book, clock, options.signal);
    const lines = book.lines(clock.now());
    const fresh = seen ? lines.slice(lines.indexOf(seen) + 1).filter((line) => line.at >= (seen?.at ?? 0)) : lines;
    for (const line of newerThan(lines, seen, fresh)) {
      yield shown(line);
      seen = line;
    }
  }
}

/** Murmured lines are made anew at each reading: those are told apart by their time. */
function newerThan(
  lines: readonly LogLine[],
  seen: LogLine | undefined,
  fresh: readonly LogLine[],
): readonly LogLine[] {
  if (!seen || lines.includes(seen)) return fresh;
  return lines.filter((line) => line.at > seen.at);
}

function startOf(clock: Clock, { sinceSeconds, sinceTime }: LogOptions): number {
  if (sinceSeconds !== undefined) return clock.now() - sinceSeconds * 1000;
  return sinceTime ? Date.parse(sinceTime) : Number.NEGATIVE_INFINITY;
}

/** Waits until the log may have grown, ended, or nobody wants it any more. */
function change(book: LogBook, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const due = book.nextMurmur(clock.now());
    const done = (): void => {
      cancelTimer?.();
      cancelListener();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancelTimer = due === undefined ? undefined : clock.after(due - clock.now(), done);
    const cancelListener = book.onChange(done);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** Nine digits, as the kubelet writes. */
const preciseTime = (at: number): string => new Date(at).toISOString().replace('Z', '000000Z');
