const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

/** Minute, hour, day of month, month, day of week. Names count from `min`. */
const fields: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

/** What is wrong with a cron schedule, in the words of Kubernetes' parser; undefined when it is right. */
export function scheduleProblem(schedule: string): string | undefined {
  if (schedule.startsWith('@')) {
    return descriptors.includes(schedule) ? undefined : `unrecognized descriptor: ${schedule}`;
  }
  const parts = schedule.trim().split(/\s+/);
  if (parts.length !== fields.length) {
    return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  }
  try {
    for (const [index, part] of parts.entries()) {
      for (const range of part.split(',').filter(Boolean)) checkRange(range, fields[index] as Bounds);
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function checkRange(range: string, bounds: Bounds): void {
  const [span = '', step, ...moreSteps] = range.split('/');
  const [low = '', high, ...moreBounds] = span.split('-');
  let [start, end] = [bounds.min, bounds.max];
  if (low !== '*' && low !== '?') {
    start = numberOf(low, bounds);
    if (moreBounds.length > 0) throw new Error(`too many hyphens: ${range}`);
    end = high === undefined ? start : numberOf(high, bounds);
  }
  if (moreSteps.length > 0) throw new Error(`too many slashes: ${range}`);
  const every = step === undefined ? 1 : parse(step);
  if (step !== undefined && high === undefined) end = bounds.max;
  if (start < bounds.min) throw new Error(`beginning of range (${start}) below minimum (${bounds.min}): ${range}`);
  if (end > bounds.max) throw new Error(`end of range (${end}) above maximum (${bounds.max}): ${range}`);
  if (start > end) throw new Error(`beginning of range (${start}) beyond end of range (${end}): ${range}`);
  if (every === 0) throw new Error(`step of range should be a positive number: ${range}`);
}

function numberOf(text: string, { min, names = [] }: Bounds): number {
  const named = names.indexOf(text.toLowerCase());
  return named >= 0 ? min + named : parse(text);
}

function parse(text: string): number {
  if (/^\+?\d{1,9}$/.test(text)) return Number(text);
  if (/^-\d{1,9}$/.test(text)) throw new Error(`negative number (${Number(text)}) not allowed: ${text}`);
  const quoted = JSON.stringify(text);
  throw new Error(`failed to parse int from ${text}: strconv.Atoi: parsing ${quoted}: invalid syntax`);
}
