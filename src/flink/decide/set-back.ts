import type { Instant } from '../../clock/clock.ts';
import { instantOf, instantText } from './instant-text.ts';

/**
 * When something happened, for whoever waits a while from then on, or compares it with something later. The wall clock may
 * be set back: what lies in the future since then happened before everything that does not, and nobody knows how long
 * ago. It counts as long ago.
 */
export function happened(at: Instant, now: Instant): Instant {
  return at > now ? Number.NEGATIVE_INFINITY : at;
}

/**
 * The same object with times that lie after `latest` moved to it. Kept in a status, this begins a wait anew whose
 * beginning came to lie in the future when the clock was set back: that costs at most the wait once more, and nothing is
 * given up too early. Times are RFC 3339, or milliseconds since 1970 as a number or a text.
 */
export function notAfter<T extends object>(latest: Instant, object: T, ...keys: readonly (keyof T)[]): T {
  const moved: Partial<Record<keyof T, unknown>> = {};
  for (const key of keys) {
    const value: unknown = object[key];
    if (typeof value === 'number' && value > latest) moved[key] = latest;
    if (typeof value === 'string') moved[key] = textNotAfter(latest, value);
  }
  return { ...object, ...moved };
}

function textNotAfter(latest: Instant, text: string): string {
  if (/^\d+$/.test(text)) return Number(text) > latest ? String(latest) : text;
  return (instantOf(text) ?? latest) > latest ? instantText(latest) : text;
}
