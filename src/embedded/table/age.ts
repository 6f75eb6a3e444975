const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** Rows: up to how many seconds, in which unit, and which smaller unit is still worth telling. */
const scale = [
  { below: 2 * minute, unit: 1, name: 's' },
  { below: 10 * minute, unit: minute, name: 'm', rest: { unit: 1, name: 's' } },
  { below: 3 * hour, unit: minute, name: 'm' },
  { below: 8 * hour, unit: hour, name: 'h', rest: { unit: minute, name: 'm' } },
  { below: 2 * day, unit: hour, name: 'h' },
  { below: 8 * day, unit: day, name: 'd', rest: { unit: hour, name: 'h' } },
  { below: 2 * year, unit: day, name: 'd' },
  { below: 8 * year, unit: year, name: 'y', rest: { unit: day, name: 'd' } },
  { below: Number.POSITIVE_INFINITY, unit: year, name: 'y' },
];

/** A duration as `kubectl get` shows it: `43s`, `5m2s`, `3h`, `7d23h`. Two seconds into the future are still now. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds <= 0) return '0s';
  for (const { below, unit, name, rest } of scale) {
    if (seconds >= below) continue;
    const left = rest ? Math.floor((seconds % unit) / rest.unit) : 0;
    return `${Math.floor(seconds / unit)}${name}${left > 0 ? `${left}${rest?.name}` : ''}`;
  }
  return '<invalid>';
}

/** The age of a timestamp. */
export function age(timestamp: unknown, now: number): string {
  if (typeof timestamp !== 'string' || timestamp === '') return '<unknown>';
  const at = Date.parse(timestamp);
  return Number.isNaN(at) ? '<invalid>' : humanDuration(now - at);
}
