/**
 * A length of time as people say it, with two units at most: `0.4s`, `12s`, `3m 05s`, `2h 10m`, `9d 4h`. Below ten seconds tenths are
 * shown when `fine`, since steps are often that short.
 */
export function span(ms: number, fine = false): string {
  if (!Number.isFinite(ms)) return '';
  const seconds = Math.max(0, ms) / 1000;
  if (fine && seconds < 10) return `${(Math.floor(seconds * 10) / 10).toFixed(1)}s`;
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${two(whole % 60)}s`;
  if (whole < 86_400) return `${Math.floor(whole / 3600)}h ${two(Math.floor((whole % 3600) / 60))}m`;
  return `${Math.floor(whole / 86_400)}d ${Math.floor((whole % 86_400) / 3600)}h`;
}

/** How long ago in one unit, for tables: `now`, `12s`, `3m`, `5h`, `9d`. Empty when the time is absent or no time. */
export function ago(at: string | undefined, now: number): string {
  const ms = now - Date.parse(at ?? '');
  if (Number.isNaN(ms)) return '';
  const seconds = Math.floor(ms / 1000);
  if (seconds < 1) return 'now';
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/** Between two times, or from the first until now; undefined when nothing can be said. */
export function between(from: string | undefined, to: string | undefined, now: number): number | undefined {
  const start = Date.parse(from ?? '');
  const end = to === undefined ? now : Date.parse(to);
  return Number.isNaN(start) || Number.isNaN(end) ? undefined : Math.max(0, end - start);
}

function two(count: number): string {
  return String(count).padStart(2, '0');
}
