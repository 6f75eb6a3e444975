import { GoInt, type GoValue } from '../../value.ts';

const MOST = (1n << 63n) - 1n;
const LEAST = -(1n << 63n);
/** So many octal or decimal digits are more than an int64 has. */
const MOST_DIGITS = 30;

/** What sprig takes for an int64: numbers cut off, 1 and 0 for booleans, strings of decimal digits; all else is 0. */
export function toInt64(value: GoValue): bigint {
  if (typeof value === 'string') return parseInt64(value, 10) ?? 0n;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return truncated(value);
  if (!(value instanceof GoInt)) return 0n;
  return clamped(value.value);
}

/** What sprig takes for a float64, by the same rules. */
export function toFloat64(value: GoValue): number {
  if (typeof value === 'string') return parseFloat64(value) ?? 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number') return value;
  return value instanceof GoInt ? Number(value.value) : 0;
}

/** As Go's `ParseInt` with a base: the sign, digits and nothing else; nothing when it is no number or too large. */
export function parseInt64(text: string, base: 8 | 10): bigint | undefined {
  const exact = parseDigits(text, base);
  return exact === undefined || exact > MOST || exact < LEAST ? undefined : exact;
}

/** As Go's `Atoi`, whose error sprig ignores: what is too large is the largest there is. */
export function atoi(text: string): bigint {
  return clamped(parseDigits(text, 10) ?? 0n);
}

function clamped(value: bigint): bigint {
  if (value > MOST) return MOST;
  return value < LEAST ? LEAST : value;
}

/** Beyond 64 bits it is only right that it is larger: the digits of a long number take the square of their time. */
function parseDigits(text: string, base: 8 | 10): bigint | undefined {
  const digits = base === 8 ? /^[+-]?[0-7]+$/ : /^[+-]?[0-9]+$/;
  if (!digits.test(text)) return undefined;
  const significant = text.replace(/^[+-]?0*/, '').slice(0, MOST_DIGITS);
  const size = BigInt(`${base === 8 ? '0o' : ''}${significant === '' ? '0' : significant}`);
  return text.startsWith('-') ? -size : size;
}

const DECIMAL = /^[+-]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?$/i;
const HEXADECIMAL = /^[+-]?0x([0-9a-f]*)(?:\.([0-9a-f]*))?p([+-]?[0-9]+)$/i;
const INFINITE = /^[+-]?inf(?:inity)?$/i;
/** An underscore that does not stand between digits, or behind the sign of a base. */
const STRAY_UNDERSCORE = /(?<![0-9]|0x)_|_(?![0-9])/i;
const STRAY_UNDERSCORE_IN_HEXADECIMAL = /(?<![0-9a-f]|0x)_|_(?![0-9a-f])/i;

/** As Go's `ParseFloat`; nothing when it is no number or too large to be one. */
export function parseFloat64(text: string): number | undefined {
  if (/^nan$/i.test(text)) return Number.NaN;
  const sign = text.startsWith('-') ? -1 : 1;
  if (INFINITE.test(text)) return sign * Number.POSITIVE_INFINITY;
  const isHexadecimal = /^[+-]?0x/i.test(text);
  if ((isHexadecimal ? STRAY_UNDERSCORE_IN_HEXADECIMAL : STRAY_UNDERSCORE).test(text)) return undefined;
  const plain = text.replaceAll('_', '');
  if (DECIMAL.test(plain)) return finite(Number(plain));
  const [, whole = '', fraction = '', exponent = ''] = HEXADECIMAL.exec(plain) ?? [];
  if (whole + fraction === '') return undefined;
  const significant = (whole + fraction).replace(/^0*/, '');
  const digits = significant.slice(0, MOST_DIGITS);
  const places = 4 * (significant.length - digits.length - fraction.length);
  // What is cut off only decides a tie: one more digit that is not zero says that there was something.
  const isCut = /[^0]/.test(significant.slice(MOST_DIGITS));
  const size = Number(BigInt(`0x0${digits}${isCut ? '1' : ''}`));
  return finite(sign * size * 2 ** (Number(exponent) + places - (isCut ? 4 : 0)));
}

function finite(number: number): number | undefined {
  return Number.isFinite(number) ? number : undefined;
}

/** What the machine does with a float64 that is no int64: the least one. */
function truncated(value: number): bigint {
  const whole = Math.trunc(value);
  return Number.isFinite(whole) && whole >= -(2 ** 63) && whole < 2 ** 63 ? BigInt(whole) : LEAST;
}
