import { GoObject, type GoValue } from '../../../value.ts';
import { int, int64 } from '../define.ts';
import { type Civil, civilOf } from './calendar.ts';
import { layoutParts, MONTHS, WEEKDAYS } from './layout.ts';
import { UTC, type Zone } from './zone.ts';

/** A moment, and the zone whose clocks show it. */
export interface Moment {
  /** Since 1970, in UTC. */
  readonly seconds: number;
  readonly nanoseconds: number;
  readonly zone: Zone;
}

/** Go's zero time: January 1 of year 1. */
export const ZERO: Moment = { seconds: -62_135_596_800, nanoseconds: 0, zone: UTC };

const STRING_LAYOUT = '2006-01-02 15:04:05.999999999 -0700 MST';

/** The moment as a value in templates. */
export function timeOf(moment: Moment): GoObject {
  const civil = civilOf(moment.seconds + moment.zone.at(moment.seconds).offset);
  const text = formatted(moment, STRING_LAYOUT);
  const methods: Readonly<Record<string, () => GoValue>> = {
    Year: () => int(civil.year),
    Month: () => new GoObject({ type: 'time.Month', text: MONTHS[civil.month - 1] as string }),
    Day: () => int(civil.day),
    Weekday: () => new GoObject({ type: 'time.Weekday', text: WEEKDAYS[civil.weekday] as string }),
    YearDay: () => int(civil.yearDay),
    Hour: () => int(civil.hour),
    Minute: () => int(civil.minute),
    Second: () => int(civil.second),
    Nanosecond: () => int(moment.nanoseconds),
    Unix: () => int64(BigInt(moment.seconds)),
    UnixNano: () => int64(BigInt(moment.seconds) * 1_000_000_000n + BigInt(moment.nanoseconds)),
    UTC: () => timeOf({ ...moment, zone: UTC }),
    Local: () => timeOf({ ...moment, zone: UTC }),
    IsZero: () => moment.seconds === ZERO.seconds && moment.nanoseconds === 0,
    String: () => text,
  };
  return new GoObject({ type: 'time.Time', text, methods: new Map(Object.entries(methods)), inner: moment });
}

/** The moment in a value of type `time.Time`. */
export function momentOf(value: GoObject): Moment {
  return value.inner as Moment;
}

/** As JSON and YAML write a time. */
export function rfc3339(moment: Moment): string {
  return formatted(moment, '2006-01-02T15:04:05.999999999Z07:00');
}

/** A moment by a layout of Go. */
export function formatted(moment: Moment, layout: string): string {
  const zone = moment.zone.at(moment.seconds);
  const civil = civilOf(moment.seconds + zone.offset);
  return layoutParts(layout)
    .map(({ kind, text }) => (kind === 'text' ? text : part(text, civil, zone, moment.nanoseconds)))
    .join('');
}

function part(name: string, civil: Civil, zone: ReturnType<Zone['at']>, nanoseconds: number): string {
  const hour = civil.hour % 12 === 0 ? 12 : civil.hour % 12;
  const month = MONTHS[civil.month - 1] as string;
  const weekday = WEEKDAYS[civil.weekday] as string;
  switch (name) {
    case '2006':
      return signed(civil.year, 4);
    case '06':
      return signed(Math.abs(civil.year) % 100, 2);
    case 'January':
      return month;
    case 'Jan':
      return month.slice(0, 3);
    case '01':
      return signed(civil.month, 2);
    case '1':
      return signed(civil.month, 0);
    case 'Monday':
      return weekday;
    case 'Mon':
      return weekday.slice(0, 3);
    case '02':
      return signed(civil.day, 2);
    case '2':
      return signed(civil.day, 0);
    case '_2':
      return String(civil.day).padStart(2, ' ');
    case '002':
      return signed(civil.yearDay, 3);
    case '__2':
      return String(civil.yearDay).padStart(3, ' ');
    case '15':
      return signed(civil.hour, 2);
    case '03':
      return signed(hour, 2);
    case '3':
      return signed(hour, 0);
    case '04':
      return signed(civil.minute, 2);
    case '4':
      return signed(civil.minute, 0);
    case '05':
      return signed(civil.second, 2);
    case '5':
      return signed(civil.second, 0);
    case 'PM':
      return civil.hour >= 12 ? 'PM' : 'AM';
    case 'pm':
      return civil.hour >= 12 ? 'pm' : 'am';
    case 'MST':
      return zone.name === '' ? offset('-0700', zone.offset) : zone.name;
    default:
      return name.startsWith('.') || name.startsWith(',') ? fraction(name, nanoseconds) : offset(name, zone.offset);
  }
}

function signed(value: number, width: number): string {
  const digits = String(Math.abs(value)).padStart(width, '0');
  return value < 0 ? `-${digits}` : digits;
}

/** `-07:00` and the like; with a Z in front, UTC is just that. */
function offset(form: string, seconds: number): string {
  if (seconds === 0 && form.startsWith('Z')) return 'Z';
  const size = Math.abs(seconds);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const fields = [two(size / 3600), two((size / 60) % 60), two(size % 60)];
  const count = form.replace(/[^0-9]/g, '').length / 2;
  return (seconds <= -60 ? '-' : '+') + fields.slice(0, count).join(form.includes(':') ? ':' : '');
}

/** Zeros in the layout ask for so many digits; nines for at most so many, and for none that are zeros at the end. */
function fraction(form: string, nanoseconds: number): string {
  const digits = String(nanoseconds)
    .padStart(9, '0')
    .slice(0, form.length - 1);
  if (form[1] === '0') return form[0] + digits;
  const needed = digits.replace(/0+$/, '');
  return needed === '' ? '' : form[0] + needed;
}
