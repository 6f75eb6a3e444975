const units: Readonly<Record<string, number | undefined>> = {
  '': 1,
  d: 86_400_000,
  day: 86_400_000,
  h: 3_600_000,
  hour: 3_600_000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  s: 1000,
  sec: 1000,
  second: 1000,
  ms: 1,
  milli: 1,
  millisecond: 1,
  µs: 1e-3,
  micro: 1e-3,
  microsecond: 1e-3,
  ns: 1e-6,
  nano: 1e-6,
  nanosecond: 1e-6,
};

/** Units that are also written with an s at the end. */
const plural = /^(day|hour|minute|sec|second|milli|millisecond|micro|microsecond|nano|nanosecond)s$/;

const iso = /^([-+]?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,9}))?S)?)?$/i;

/** A hundred thousand years. What is longer is never over, and added to a time it would be none that can be written. */
const longest = 36_500_000 * 86_400_000;

/**
 * A duration in milliseconds, in the notations that Flink reads: `10 min`, `15s`, a bare number of milliseconds, ISO-8601
 * (`PT10M`). Undefined when it is none. Always finite: one of more than a hundred thousand years counts as one of that.
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  const [, amount, unit = ''] = /^(\d{1,18})\s*([a-zµ]*)$/.exec(trimmed.toLowerCase()) ?? [];
  if (amount === undefined) return parseIso(trimmed);
  const size = Object.hasOwn(units, unit) ? units[unit] : units[plural.exec(unit)?.[1] ?? 'none'];
  return size === undefined ? undefined : Math.min(Number(amount) * size, longest);
}

function parseIso(text: string): number | undefined {
  const match = iso.exec(text);
  if (!match || /[PT]$/i.test(text)) return undefined;
  const [, sign, days = 0, hours = 0, minutes = 0, seconds = 0, fraction = ''] = match;
  const whole = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  const milliseconds = Math.min(whole * 1000 + Number(`0.${fraction || 0}`) * 1000, longest);
  return sign === '-' ? -milliseconds : milliseconds;
}

/** A duration as people write it: the largest unit in which it is a whole number. */
export function showDuration(milliseconds: number): string {
  for (const unit of ['d', 'h', 'min', 's'] as const) {
    const size = units[unit] ?? 1;
    if (milliseconds !== 0 && milliseconds % size === 0) return `${milliseconds / size} ${unit}`;
  }
  return `${milliseconds} ms`;
}
