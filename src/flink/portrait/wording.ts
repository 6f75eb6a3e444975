import { instantOf } from '../decide/instant-text.ts';

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

/** A length of time for a person: `850ms`, `12s`, `4m 10s`, `3h 5m`, `9d`. Never negative. */
export function spanText(ms: number): string {
  if (!Number.isFinite(ms) || ms <= 0) return '0s';
  if (ms < second) return `${Math.round(ms)}ms`;
  if (ms < minute) return `${Math.floor(ms / second)}s`;
  if (ms < hour) return pair(ms, minute, 'm', second, 's');
  return ms < 2 * day ? pair(ms, hour, 'h', minute, 'm') : `${Math.floor(ms / day)}d`;
}

function pair(ms: number, large: number, unit: string, small: number, rest: string): string {
  const left = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)}${unit}${left > 0 ? ` ${left}${rest}` : ''}`;
}

/** `in 4m 10s`, or `now` when it is over. Undefined when the text is no time. */
export function untilText(at: string | undefined, now: number): string | undefined {
  const instant = instantOf(at);
  if (instant === undefined) return undefined;
  // In whole seconds, rounded as countdowns are: both are on the same page.
  return instant > now ? `in ${spanText(Math.ceil((instant - now) / second) * second)}` : 'now';
}

/** `12s`: how long ago that was. Undefined when the text is no time. */
export function sinceText(at: string | undefined, now: number): string | undefined {
  const instant = instantOf(at);
  return instant === undefined ? undefined : spanText(Math.floor(Math.max(0, now - instant) / second) * second);
}

/** What a person reads of a message in a line; the rest is in conditions and events. */
const longest = 400;

/** Changed fields as events tell them, for tools that know the Java operator: `FlinkDeploymentSpec[restartNonce : null -> 1]`. */
const fields = /\bFlink\w{1,40}Spec\[(.*)\](?=\.?$)/;

/** A message of whatever length, in one line. */
export function brief(text: string): string {
  const line = text
    .slice(0, 4 * longest)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(fields, (_, changes: string) => changes.replaceAll(' : ', ': ').replaceAll(' -> ', ' → '));
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** A sentence that ends as sentences do. How it begins is left alone: it may be a name, and names keep their letters. */
export function sentence(text: string): string {
  const line = brief(text);
  return line === '' || /[.!?…]$/.test(line) ? line : `${line}.`;
}

/** The beginning of a sentence of our own. */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** `the last transition took 11s`, `the last 3 transitions took 12s on average` */
export function tookBefore(count: number, word: string, ms: number): string {
  return count === 1
    ? `the last ${word} took ${spanText(ms)}`
    : `the last ${count} ${word}s took ${spanText(ms)} on average`;
}

/** `1 pod`, `3 pods` */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
