const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

/** A length of time for a person: `850ms`, `12s`, `4m 10s`, `3h 5m`, `9d`. */
export function spanText(ms: number): string {
  if (!(ms > 0)) return '0s';
  if (ms < second) return `${Math.round(ms)}ms`;
  if (ms < minute) return `${Math.floor(ms / second)}s`;
  if (ms < hour) return pair(ms, [minute, 'm'], [second, 's']);
  return ms < 2 * day ? pair(ms, [hour, 'h'], [minute, 'm']) : `${Math.floor(ms / day)}d`;
}

type Unit = readonly [ms: number, letter: string];

function pair(ms: number, [large, unit]: Unit, [small, rest]: Unit): string {
  const left = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)}${unit}${left > 0 ? ` ${left}${rest}` : ''}`;
}

/** A time that somebody wrote; `undefined` when it is none. */
export function instantOf(text: string | null | undefined): number | undefined {
  const instant = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}

/** The text, if it is a time; a portrait holds no others. */
export function timeIn(text: string | null | undefined): string | undefined {
  return instantOf(text) === undefined ? undefined : (text ?? undefined);
}

/** What a person reads of a message in a line; the rest is in conditions and events. */
const longest = 400;

/** A message of whatever length, in one line and without an end of its own. */
export function brief(text: string): string {
  const line = text
    .slice(0, 4 * longest)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line.replace(/\.+$/, '');
}

/** A sentence that begins and ends as sentences do. */
export function sentence(text: string): string {
  if (text === '') return '';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`;
}

/** `1 pod`, `3 pods` */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** `A`, `A and B`, `A, B and C`, `A, B, C and 4 more` */
export function names(list: readonly string[], most = 4): string {
  const words = list.length > most ? [...list.slice(0, most - 1), `${list.length - most + 1} more`] : list;
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${last}` : last;
}
