import type { Instant } from '../../clock/clock.ts';

/** The greatest distance from 1970 that a date can have. */
const farthest = 8.64e15;

/** An instant as RFC 3339 with milliseconds. Total: what is no instant is written as the nearest one that can be. */
export function instantText(instant: Instant): string {
  const known = Number.isFinite(instant) ? Math.min(Math.max(instant, -farthest), farthest) : 0;
  return new Date(known).toISOString();
}

/** The instant that a text says; undefined when it says none. */
export function instantOf(text: string | undefined): Instant | undefined {
  const instant = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}
