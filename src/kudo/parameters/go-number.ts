import { quote } from '../template/format/quote.ts';

type Fault = 'invalid syntax' | 'value out of range';

/** Why a text is no 64-bit integer in base 10, in the words of Go's `strconv.ParseInt`. */
export function integerProblem(text: string): string | undefined {
  const fault = integerFault(text);
  return fault && `strconv.ParseInt: parsing ${quote(text)}: ${fault}`;
}

/** Why a text is no float64, in the words of Go's `strconv.ParseFloat`. */
export function numberProblem(text: string): string | undefined {
  const fault = floatFault(text);
  return fault && `strconv.ParseFloat: parsing ${quote(text)}: ${fault}`;
}

const lastUint64 = 2n ** 64n - 1n;

/** Digit by digit, since what is found first is what is said: a number too large, or a character that is no digit. */
function integerFault(text: string): Fault | undefined {
  const negative = text.startsWith('-');
  const digits = negative || text.startsWith('+') ? text.slice(1) : text;
  if (digits === '') return 'invalid syntax';
  let value = 0n;
  for (const digit of digits) {
    if (digit < '0' || digit > '9') return 'invalid syntax';
    value = value * 10n + BigInt(digit);
    if (value > lastUint64) return 'value out of range';
  }
  const most = negative ? 2n ** 63n : 2n ** 63n - 1n;
  return value > most ? 'value out of range' : undefined;
}

const special = /^(?:[+-]?inf(?:inity)?|nan)$/i;
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const hexadecimal = /^[+-]?0x(?:([\da-f]+)(?:\.([\da-f]*))?|\.([\da-f]+))p([+-]?\d+)$/i;

/** An underscore stands between two digits, or after the prefix of a base. */
const loose = { decimal: /_(?!\d)|(?<!\d)_/, hexadecimal: /_(?![\da-f])|(?<![\da-fx])_/i };

function floatFault(text: string): Fault | undefined {
  if (special.test(text)) return undefined;
  const hex = /^[+-]?0x/i.test(text);
  if ((hex ? loose.hexadecimal : loose.decimal).test(text)) return 'invalid syntax';
  const plain = text.replaceAll('_', '');
  const parts = hexadecimal.exec(plain);
  if (parts) return isTooLarge(parts) ? 'value out of range' : undefined;
  if (!decimal.test(plain)) return 'invalid syntax';
  return Number.isFinite(Number(plain)) ? undefined : 'value out of range';
}

/** From here on numbers round to infinity. */
const tooLarge = 2n ** 1024n - 2n ** 970n;

/** So many digits decide: twice as many as a float64 holds. */
const precision = 30;

function isTooLarge([, whole = '', fraction = '', onlyFraction = '', power = '0']: RegExpExecArray): boolean {
  const digits = `${whole}${fraction}${onlyFraction}`;
  const significant = digits.replace(/^0+/, '');
  if (significant === '') return false;
  const mantissa = BigInt(`0x${significant.slice(0, precision)}`);
  const beyond = Math.max(significant.length - precision, 0);
  const exponent = Number(power) + 4 * (beyond - (digits.length - whole.length));
  if (exponent >= 1024) return true;
  const bits = mantissa.toString(2).length + exponent;
  if (bits !== 1024) return bits > 1024;
  return exponent >= 0 ? mantissa << BigInt(exponent) >= tooLarge : mantissa >= tooLarge >> BigInt(-exponent);
}
