const DAY = 86_400;
/** Days of 400 years, after which the calendar repeats itself. */
const ERA = 146_097;
/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH = 719_468;

/** A moment as calendars and clocks show it; months and days from 1. */
export interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly yearDay: number;
}

/** Days of a month, 1 to 12, in the calendar that Go uses for all years. */
export function daysIn(year: number, month: number): number {
  return daysBefore(year, month + 1) - daysBefore(year, month);
}

/** Seconds since 1970 of a date and time without zone. */
export function secondsOf(date: Pick<Civil, 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'>): number {
  const days = daysBefore(date.year, date.month) + date.day - 1;
  return days * DAY + date.hour * 3600 + date.minute * 60 + date.second;
}

/** What calendar and clock show so many seconds after 1970. JavaScript's own dates end too early. */
export function civilOf(seconds: number): Civil {
  const days = Math.floor(seconds / DAY);
  const clock = seconds - days * DAY;
  const shifted = days + EPOCH;
  const era = Math.floor(shifted / ERA);
  const dayOfEra = shifted - era * ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  // Years begin in March here, so that the leap day is the last one.
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return {
    year,
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
    hour: Math.floor(clock / 3600),
    minute: Math.floor(clock / 60) % 60,
    second: clock % 60,
    weekday: (((days + 4) % 7) + 7) % 7,
    yearDay: days - daysBefore(year, 1) + 1,
  };
}

/** Days from 1970 to the first of a month; month 13 is the next January. */
function daysBefore(year: number, month: number): number {
  const fromMarch = month <= 2 ? year - 1 : year;
  const era = Math.floor(fromMarch / 400);
  const yearOfEra = fromMarch - era * 400;
  const dayOfYear = Math.floor((153 * (month <= 2 ? month + 9 : month - 3) + 2) / 5);
  return era * ERA + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - EPOCH;
}
