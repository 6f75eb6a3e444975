import { parseFloat64 } from '../coerce.ts';
import { daysIn } from '../dates/calendar.ts';

const WORDS: ReadonlySet<string> = new Set(
  ['y yes true on n no false off null'.split(' ').flatMap(cases), ['', '~'], ['.nan', '.NaN', '.NAN']]
    .flat()
    .concat(['', '+', '-'].flatMap((sign) => ['inf', 'Inf', 'INF'].map((word) => `${sign}.${word}`))),
);

const INTEGER = /^([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const TIMESTAMP =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](?<zoned>\d{1,2}:\d{1,2}:\d{1,2})(?:[.,]\d+)?(?:Z|[+-](\d\d):(\d\d)))|(?: +(?<bare>\d{1,2}:\d{1,2}:\d{1,2})(?:[.,]\d+)?))?$/;

/** In base 2; a number with more is too large in any base. */
const MOST_DIGITS = 64;

/** Whether YAML 1.1, as yaml.v2 reads it, would take a plain text for something else than a string. */
export function resolvesToOther(text: string): boolean {
  return WORDS.has(text) || BASE_60.test(text) || isNumber(text) || isTimestamp(text);
}

function cases(word: string): readonly string[] {
  return [word, word[0]?.toUpperCase() + word.slice(1), word.toUpperCase()];
}

function isNumber(text: string): boolean {
  if (text.startsWith('.')) return parseFloat64(text) !== undefined;
  if (!/^[+\-0-9]/.test(text)) return false;
  const plain = text.replaceAll('_', '');
  if (/^0b[+-]?[01]{1,63}$/.test(plain)) return true;
  return fitsInteger(plain) || (FLOAT.test(plain) && parseFloat64(plain) !== undefined);
}

/** Within int64, or uint64 without a sign. What is written with nothing but digits is a float if it does not fit. */
function fitsInteger(text: string): boolean {
  const [, sign, digits] = INTEGER.exec(text) ?? [];
  if (digits === undefined || digits.replace(/^0[xXbBoO]?0*/, '').length > MOST_DIGITS) return false;
  const size = BigInt(digits);
  return size < (sign === '' ? 1n << 64n : 1n << 63n) || (sign === '-' && size === 1n << 63n);
}

function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (!match) return false;
  const [, year, month, day, , offsetHours = '0', offsetMinutes = '0'] = match;
  if (Number(month) < 1 || Number(month) > 12) return false;
  if (Number(day) < 1 || Number(day) > daysIn(Number(year), Number(month))) return false;
  const time = match.groups?.zoned ?? match.groups?.bare ?? '0:0:0';
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  return hour < 24 && minute < 60 && second < 60 && Number(offsetHours) <= 24 && Number(offsetMinutes) <= 60;
}
