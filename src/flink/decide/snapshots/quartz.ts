import { Cron } from 'croner';
import type { Instant } from '../../../clock/clock.ts';

/** A Quartz cron expression that was understood. Times are UTC, as in the image of the upstream operator. */
export interface Quartz {
  /** The same in Croner's notation, with every list of numbers written out. */
  readonly pattern: string;
  /** Days by which a match is moved: `L-3` is the last day of the month, three days earlier. */
  readonly dayOffset: number;
}

export type Refused = { readonly problem: string };

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** What may be written instead of numbers, in the order of the numbers from `min`. */
  readonly words?: readonly string[];
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const second: Field = { name: 'seconds', min: 0, max: 59 };
const minute: Field = { name: 'minutes', min: 0, max: 59 };
const hour: Field = { name: 'hours', min: 0, max: 23 };
const dayOfMonth: Field = { name: 'day-of-month', min: 1, max: 31 };
const month: Field = { name: 'month', min: 1, max: 12, words: months };
const dayOfWeek: Field = { name: 'day-of-week', min: 1, max: 7, words: days };
const year: Field = { name: 'year', min: 1970, max: 2099 };

/** Longer than any expression a person writes: every one of 60 seconds, 60 minutes and 24 hours listed. */
const longest = 1000;

/**
 * Reads a Quartz cron expression: seconds, minutes, hours, day-of-month, month, day-of-week and perhaps a year, exactly one
 * of the two days being `?`. Weekdays count from 1 = SUN; ranges may wrap around; `L`, `L-3`, `LW`, `15W`, `6L` and `6#3`
 * mean what they mean in Quartz.
 */
export function parseQuartz(text: string): Quartz | Refused {
  if (text.length > longest) return { problem: `longer than ${longest} characters` };
  const [seconds = '', minutes = '', hours = '', dom = '', mon = '', dow = '', years = '*', ...more] = text
    .trim()
    .toUpperCase()
    .split(/\s+/);
  if (dow === '' || more.length > 0) {
    return {
      problem:
        'a cron expression has 6 or 7 fields: seconds, minutes, hours, day-of-month, month, day-of-week and perhaps a year',
    };
  }
  if ((dom === '?') === (dow === '?')) {
    return { problem: 'exactly one of day-of-month and day-of-week must be "?": the other one says which days' };
  }
  const translated = {
    seconds: numbers(second, seconds),
    minutes: numbers(minute, minutes),
    hours: numbers(hour, hours),
    dom: dayOfMonthOf(dom),
    mon: numbers(month, mon),
    dow: dayOfWeekOf(dow),
    years: numbers(year, years),
  };
  for (const field of Object.values(translated)) if (typeof field === 'object' && 'problem' in field) return field;
  const { dom: on } = translated;
  const fields = Object.values(translated).map((field) => (typeof field === 'string' ? field : 'L'));
  return {
    pattern: fields.join(' '),
    dayOffset: typeof on === 'object' && 'daysBeforeLast' in on ? -on.daysBeforeLast : 0,
  };
}

/** The first match after `instant`; `undefined` when there is none any more. */
export function nextMatch({ pattern, dayOffset }: Quartz, instant: Instant): Instant | undefined {
  const cron = new Cron(pattern, {
    paused: true,
    timezone: 'UTC',
    mode: '7-part',
    alternativeWeekdays: true,
    ...(dayOffset !== 0 && { dayOffset }),
  });
  return cron.nextRun(new Date(instant))?.getTime();
}

function dayOfMonthOf(text: string): string | Refused | { readonly daysBeforeLast: number } {
  if (text === '?') return '*';
  if (text === 'L' || text === 'LW') return text;
  const before = /^L-(\d{1,2})$/.exec(text)?.[1];
  if (before !== undefined) {
    const daysBeforeLast = Number(before);
    // A month has at least 28 days: what lies further back would be in the month before.
    if (daysBeforeLast > 27) return { problem: `day-of-month "${text}": at most L-27` };
    return daysBeforeLast === 0 ? 'L' : { daysBeforeLast };
  }
  const near = /^(\d{1,2})W$/.exec(text)?.[1];
  if (near !== undefined) {
    const day = Number(near);
    return day >= 1 && day <= 31 ? `${day}W` : { problem: `day-of-month "${text}": the day must be 1 to 31` };
  }
  if (/[LW]/.test(text)) {
    return { problem: `day-of-month "${text}": L, L-3, LW and 15W stand alone; they cannot be in a list or range` };
  }
  return numbers(dayOfMonth, text);
}

function dayOfWeekOf(text: string): string | Refused {
  if (text === '?') return '*';
  if (text === 'L') return '7';
  const special = /^(\w+?)(L|#\d+)$/.exec(text);
  if (!special) {
    return text.includes('#')
      ? { problem: `day-of-week "${text}": a "#" stands alone, as in 6#3, the third Friday` }
      : numbers(dayOfWeek, text);
  }
  const [, day = '', which = ''] = special;
  const value = numberOf(dayOfWeek, day);
  if (value === undefined) return { problem: `day-of-week "${text}": "${day}" is none of 1 (SUN) to 7 (SAT)` };
  if (which === 'L') return `${value}#L`;
  const nth = Number(which.slice(1));
  return nth >= 1 && nth <= 5
    ? `${value}#${nth}`
    : { problem: `day-of-week "${text}": "#" must be followed by 1 to 5` };
}

/** A field of plain numbers: `*`, or every number that it stands for. */
function numbers(field: Field, text: string): string | Refused {
  if (text === '*') return '*';
  const all = new Set<number>();
  for (const part of text.split(',')) {
    const values = run(field, part);
    if ('problem' in values) return values;
    for (const value of values) all.add(value);
  }
  return [...all].sort((a, b) => a - b).join(',');
}

/** One element of a list: a number, a range, or either with a step. */
function run(field: Field, text: string): readonly number[] | Refused {
  const { name, min, max } = field;
  const wrong = (why: string): Refused => ({ problem: `${name} "${text}": ${why}` });
  const [span = '', stepText, ...more] = text.split('/');
  if (more.length > 0) return wrong('only one "/" is allowed');
  const step = stepText === undefined ? 1 : /^\d{1,4}$/.test(stepText) ? Number(stepText) : 0;
  const size = max - min + 1;
  if (step < 1 || step > size) return wrong(`what follows "/" must be a number from 1 to ${size}`);
  const [fromText = '', toText, ...rest] = span.split('-');
  if (rest.length > 0) return wrong('only one "-" is allowed');
  const whole = (span === '*' || span === '') && stepText !== undefined;
  const from = whole ? min : numberOf(field, fromText);
  const to = toText !== undefined ? numberOf(field, toText) : stepText !== undefined ? max : from;
  if (from === undefined || to === undefined) {
    return wrong(`not a number from ${min} to ${max}${field.words ? ` or one of ${field.words.join(', ')}` : ''}`);
  }
  // Years do not go around.
  if (to < from && field === year) return wrong('the first year must not be after the last');
  const length = to < from ? to + size - from : to - from;
  return Array.from(
    { length: Math.floor(length / step) + 1 },
    (_, index) => min + ((from - min + index * step) % size),
  );
}

function numberOf({ min, max, words }: Field, text: string): number | undefined {
  const word = words?.indexOf(text) ?? -1;
  if (word >= 0) return min + word;
  if (!/^\d{1,4}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}
