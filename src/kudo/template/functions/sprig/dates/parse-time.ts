import { daysIn, secondsOf } from './calendar.ts';
import { layoutParts, MONTHS, WEEKDAYS } from './layout.ts';
import type { Moment } from './moment.ts';
import { fixedZone, UTC, type Zone } from './zone.ts';

/** What has been read so far; a date that is not given is January 1 of year 0. */
interface Reading {
  rest: string;
  year: number;
  month?: number;
  day?: number;
  yearDay?: number;
  hour: number;
  minute: number;
  second: number;
  nanoseconds: number;
  half?: 'am' | 'pm';
  isUtc?: true;
  offset?: number;
  zoneName?: string;
}

/** Takes a part from the front of `rest`. False if it is not there, or is out of range. */
type Reader = (reading: Reading, next: string | undefined) => boolean;

/** Reads a time by a layout of Go, in UTC where it names no zone. Nothing when it does not fit. */
export function parseTime(layout: string, value: string): Moment | undefined {
  const reading: Reading = { rest: value, year: 0, hour: 0, minute: 0, second: 0, nanoseconds: 0 };
  const parts = layoutParts(layout);
  for (const [index, { kind, text }] of parts.entries()) {
    const following = parts[index + 1];
    const fits =
      kind === 'text'
        ? skip(reading, text)
        : reader(text)(reading, following?.kind === 'part' ? following.text : undefined);
    if (!fits) return undefined;
  }
  return reading.rest === '' ? momentOf(reading) : undefined;
}

/** Literal text; a space stands for any number of them. */
function skip(reading: Reading, text: string): boolean {
  for (const [word] of text.matchAll(/ +|[^ ]+/g)) {
    if (word.startsWith(' ')) {
      if (reading.rest !== '' && !reading.rest.startsWith(' ')) return false;
      reading.rest = reading.rest.replace(/^ +/, '');
    } else {
      if (!reading.rest.startsWith(word)) return false;
      reading.rest = reading.rest.slice(word.length);
    }
  }
  return true;
}

function reader(part: string): Reader {
  switch (part) {
    case '2006':
      return digits(/^\d{4}/, (reading, value) => set(reading, { year: value }));
    case '06':
      return digits(/^\d{2}/, (reading, value) => set(reading, { year: value + (value >= 69 ? 1900 : 2000) }));
    case 'January':
      return word(MONTHS, (reading, index) => set(reading, { month: index + 1 }));
    case 'Jan':
      return word(short(MONTHS), (reading, index) => set(reading, { month: index + 1 }));
    case 'Monday':
      return word(WEEKDAYS, () => true);
    case 'Mon':
      return word(short(WEEKDAYS), () => true);
    case '01':
    case '1':
      return digits(count(part), (reading, value) => value >= 1 && value <= 12 && set(reading, { month: value }));
    case '02':
    case '2':
      return digits(count(part), (reading, value) => set(reading, { day: value }));
    case '_2':
      return digits(/^ ?(\d{1,2})/, (reading, value) => set(reading, { day: value }));
    case '002':
      return digits(/^\d{3}/, (reading, value) => set(reading, { yearDay: value }));
    case '__2':
      return digits(/^ {0,2}(\d{1,3})/, (reading, value) => set(reading, { yearDay: value }));
    case '15':
      return digits(count('1'), (reading, value) => value < 24 && set(reading, { hour: value }));
    case '03':
    case '3':
      return digits(count(part), (reading, value) => value <= 12 && set(reading, { hour: value }));
    case '04':
    case '4':
      return digits(count(part), (reading, value) => value < 60 && set(reading, { minute: value }));
    case '05':
    case '5':
      return seconds(count(part));
    case 'PM':
      return word(['AM', 'PM'], (reading, index) => set(reading, { half: index === 0 ? 'am' : 'pm' }), 'exact');
    case 'pm':
      return word(['am', 'pm'], (reading, index) => set(reading, { half: index === 0 ? 'am' : 'pm' }), 'exact');
    case 'MST':
      return zoneName;
    default:
      return /^[.,]/.test(part) ? fraction(part) : offset(part);
  }
}

/** A leading zero is asked for by writing one: `01` takes two digits, `1` one or two. */
function count(part: string): RegExp {
  return part.startsWith('0') ? /^\d{2}/ : /^\d{1,2}/;
}

function digits(form: RegExp, take: (reading: Reading, value: number) => boolean): Reader {
  return (reading) => {
    const match = form.exec(reading.rest);
    if (!match) return false;
    reading.rest = reading.rest.slice(match[0].length);
    return take(reading, Number(match[1] ?? match[0]));
  };
}

/** Names in any case, except where they are exact. */
function word(
  names: readonly string[],
  take: (reading: Reading, index: number) => boolean,
  how: 'exact' | 'any' = 'any',
): Reader {
  return (reading) => {
    const index = names.findIndex((name) => {
      const begin = reading.rest.slice(0, name.length);
      return how === 'exact' ? begin === name : begin.toLowerCase() === name.toLowerCase();
    });
    if (index < 0) return false;
    reading.rest = reading.rest.slice((names[index] as string).length);
    return take(reading, index);
  };
}

function short(names: readonly string[]): readonly string[] {
  return names.map((name) => name.slice(0, 3));
}

/** A fraction may follow although the layout has none. */
function seconds(form: RegExp): Reader {
  const whole = digits(form, (reading, value) => value < 60 && set(reading, { second: value }));
  return (reading, next) => {
    if (!whole(reading, next)) return false;
    return next !== undefined && /^[.,]/.test(next) ? true : anyFraction(reading);
  };
}

/** Zeros ask for exactly so many digits; nines for any number, or no fraction at all. */
function fraction(form: string): Reader {
  if (form[1] === '9') return anyFraction;
  return (reading) => {
    const text = reading.rest.slice(0, form.length);
    if (text.length < form.length || !/^[.,]\d*$/.test(text)) return false;
    return takeFraction(reading, text);
  };
}

function anyFraction(reading: Reading): boolean {
  const text = /^[.,]\d+/.exec(reading.rest)?.[0];
  return text === undefined || takeFraction(reading, text);
}

function takeFraction(reading: Reading, text: string): boolean {
  reading.rest = reading.rest.slice(text.length);
  return set(reading, { nanoseconds: Number(text.slice(1, 10).padEnd(9, '0')) });
}

/** Numbers by their form: `-07:00` has a sign, two digits, a colon, two digits. With a Z in front a Z will do. */
function offset(form: string): Reader {
  const fields = form.slice(1).replace(/\d\d/g, '(\\d\\d)');
  const pattern = new RegExp(`^([+-])${fields}`);
  return (reading) => {
    if (form.startsWith('Z') && reading.rest.startsWith('Z')) {
      reading.rest = reading.rest.slice(1);
      return set(reading, { isUtc: true });
    }
    const match = pattern.exec(reading.rest);
    if (!match) return false;
    const [text, sign, hours = 0, minutes = 0, rest = 0] = match;
    reading.rest = reading.rest.slice(text.length);
    const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
    const fits = Number(hours) <= 24 && Number(minutes) <= 60 && Number(rest) <= 60;
    return fits && set(reading, { offset: sign === '-' ? -size : size });
  };
}

const NAME =
  /^(?:ChST|MeST|GMT(?:[+-](?:1\d|2[0-3]|0*\d)(?!\d))?|[+-](?:1\d|2[0-3]|0*\d)(?!\d)|(?:WITA|[A-Z]{3}T|[A-Z]{4}T|[A-Z]{3})(?![A-Z]))/;

function zoneName(reading: Reading): boolean {
  if (reading.rest.startsWith('UTC')) {
    reading.rest = reading.rest.slice(3);
    return set(reading, { isUtc: true });
  }
  const name = NAME.exec(reading.rest)?.[0];
  if (name === undefined || reading.rest.length < 3) return false;
  reading.rest = reading.rest.slice(name.length);
  return set(reading, { zoneName: name });
}

function set(reading: Reading, values: Partial<Reading>): true {
  Object.assign(reading, values);
  return true;
}

function momentOf(reading: Reading): Moment | undefined {
  const date = dateOf(reading);
  if (!date) return undefined;
  const hour =
    reading.half === 'pm' && reading.hour < 12
      ? reading.hour + 12
      : reading.half === 'am' && reading.hour === 12
        ? 0
        : reading.hour;
  const clock = secondsOf({ ...date, hour, minute: reading.minute, second: reading.second });
  const { zone, offset } = zoneOfReading(reading);
  return { seconds: clock - offset, nanoseconds: reading.nanoseconds, zone };
}

function dateOf({ year, month, day, yearDay }: Reading): { year: number; month: number; day: number } | undefined {
  if (yearDay === undefined) {
    const date = { year, month: month ?? 1, day: day ?? 1 };
    return date.day >= 1 && date.day <= daysIn(year, date.month) ? date : undefined;
  }
  let rest = yearDay;
  let found = 1;
  for (; found < 12 && rest > daysIn(year, found); found += 1) rest -= daysIn(year, found);
  if (rest < 1 || rest > daysIn(year, found)) return undefined;
  if ((month ?? found) !== found || (day ?? rest) !== rest) return undefined;
  return { year, month: found, day: rest };
}

/** An offset counts more than a name; a name alone has none that is known, except behind GMT. */
function zoneOfReading({ isUtc, offset, zoneName }: Reading): { readonly zone: Zone; readonly offset: number } {
  if (isUtc) return { zone: UTC, offset: 0 };
  if (offset !== undefined) {
    const isUtcToo = offset === 0 && zoneName === undefined;
    return { zone: isUtcToo ? UTC : fixedZone(zoneName ?? '', offset), offset };
  }
  if (zoneName === undefined) return { zone: UTC, offset: 0 };
  const [, hours] = /^GMT([+-]\d+)$/.exec(zoneName) ?? [];
  return { zone: fixedZone(zoneName, Number(hours ?? 0) * 3600), offset: 0 };
}
