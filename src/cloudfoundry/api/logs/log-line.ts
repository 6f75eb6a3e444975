/** One line that something printed. */
export interface LogLine {
  /** Nanoseconds since the epoch. */
  readonly time: bigint;
  readonly payload: Buffer;
  readonly kind: 'OUT' | 'ERR';
  /** Who printed it, as `cf logs` shows it: `APP/PROC/WEB`, `APP/TASK/migrate`, `STG`. */
  readonly sourceType: string;
  /** Which of its instances. */
  readonly instance: string;
}

const stamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/;

/** The instant of an RFC 3339 text, to the nanosecond; nodes write it in their own time zone. */
export function nanosecondsOf(text: string): bigint | undefined {
  const [, seconds, fraction = '', zone] = stamp.exec(text) ?? [];
  if (seconds === undefined || zone === undefined) return undefined;
  const milliseconds = Date.parse(`${seconds}${zone}`);
  if (Number.isNaN(milliseconds)) return undefined;
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

const space = 0x20;

/** `2030-01-01T00:00:00.123456789Z text` → when, and what. `undefined` for a line that has lost its time. */
export function stampedLine(line: Buffer): { readonly time: bigint; readonly payload: Buffer } | undefined {
  const end = line.indexOf(space);
  // A line that was printed empty ends with its time.
  const time = nanosecondsOf(line.toString('latin1', 0, Math.min(end === -1 ? line.length : end, 40)));
  if (time === undefined) return undefined;
  return { time, payload: Buffer.from(line.subarray(end === -1 ? line.length : end + 1)) };
}
