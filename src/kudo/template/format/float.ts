/** The significant digits of a positive number: 0.DIGITS × 10^point, without zeros at the end. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

/** As few digits as tell the number from all others: a precision for `g`, `x` and `X`. */
export const SHORTEST = -1;

export type FloatVerb = 'e' | 'E' | 'f' | 'g' | 'G' | 'b' | 'x' | 'X';

/** A float64 as Go's strconv writes it, the sign only if negative. */
export function formatFloat(value: number, verb: FloatVerb, precision: number): string {
  if (Number.isNaN(value)) return 'NaN';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const size = Math.abs(value);
  if (size === Number.POSITIVE_INFINITY) return sign === '' ? '+Inf' : '-Inf';
  switch (verb) {
    case 'b':
      return sign + binary(size);
    case 'x':
      return sign + hexadecimal(size, precision);
    case 'X':
      return sign + hexadecimal(size, precision).toUpperCase();
    case 'f':
      return sign + fixed(size, precision);
    case 'e':
    case 'E':
      return sign + scientific(size, precision, verb);
    case 'g':
    case 'G':
      return sign + general(size, precision, verb === 'g' ? 'e' : 'E');
  }
}

function fixed(size: number, precision: number): string {
  const decimal = exact(size);
  return withPoint(rounded(decimal, decimal.point + precision), precision);
}

function scientific(size: number, precision: number, letter: string): string {
  return withExponent(rounded(exact(size), precision + 1), precision, letter);
}

/** Without an exponent from 0.0001 up to 10^precision, or up to 10^6 when no precision is asked for. */
function general(size: number, precision: number, letter: string): string {
  const isShortest = precision === SHORTEST;
  const wanted = precision === 0 ? 1 : precision;
  const decimal = isShortest ? shortest(size) : rounded(exact(size), wanted);
  const count = decimal.digits.length;
  const digits = isShortest ? count : wanted;
  const most = isShortest ? 6 : digits > count && count >= decimal.point ? count : digits;
  const exponent = decimal.point - 1;
  if (exponent < -4 || exponent >= most) return withExponent(decimal, Math.min(digits, count) - 1, letter);
  return withPoint(decimal, Math.max(count - decimal.point, 0));
}

function withPoint({ digits, point }: Decimal, places: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  if (places === 0) return whole;
  const rest = '0'.repeat(Math.min(Math.max(-point, 0), places)) + digits.slice(Math.max(point, 0));
  return `${whole}.${rest.slice(0, places).padEnd(places, '0')}`;
}

function withExponent({ digits, point }: Decimal, places: number, letter: string): string {
  const first = digits.charAt(0) || '0';
  const rest = places > 0 ? `.${digits.slice(1, places + 1).padEnd(places, '0')}` : '';
  return `${first}${rest}${letter}${signed(digits === '' ? 0 : point - 1)}`;
}

/** An exponent has a sign and at least two digits. */
function signed(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function shortest(size: number): Decimal {
  if (size === 0) return { digits: '', point: 0 };
  const [mantissa = '', exponent = ''] = size.toExponential().split('e');
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 };
}

/** All digits that the binary number has in decimal, up to 767 of them. */
function exact(size: number): Decimal {
  if (size === 0) return { digits: '', point: 0 };
  const { mantissa, exponent } = parts(size);
  const digits = String(exponent >= 0 ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(-exponent));
  return { digits: withoutZeros(digits), point: digits.length + Math.min(exponent, 0) };
}

/** Rounded to so many digits; a number exactly between two goes to the even one. */
function rounded(decimal: Decimal, count: number): Decimal {
  const { digits, point } = decimal;
  if (count >= digits.length) return decimal;
  if (count < 0) return { digits: '', point };
  const kept = digits.slice(0, count);
  const next = digits.charCodeAt(count) - 48;
  const isHalf = next === 5 && count + 1 === digits.length;
  const isOdd = count > 0 && digits.charCodeAt(count - 1) % 2 === 1;
  if (next < 5 || (isHalf && !isOdd)) return { digits: withoutZeros(kept), point };
  const up = String(BigInt(kept) + 1n);
  return { digits: withoutZeros(up), point: point + up.length - count };
}

function withoutZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return digits.slice(0, end);
}

/** size = mantissa × 2^exponent, with the mantissa's 53 bits as they are stored. */
function parts(size: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, size);
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

function binary(size: number): string {
  const { mantissa, exponent } = parts(size);
  return `${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`;
}

/** `0x1.8p+01`: the first digit is 1, the exponent a power of two. */
function hexadecimal(size: number, precision: number): string {
  let { mantissa, exponent } = parts(size);
  if (mantissa === 0n) return `0x0${precision > 0 ? `.${'0'.repeat(precision)}` : ''}p+00`;
  while (mantissa < 1n << 52n) {
    mantissa <<= 1n;
    exponent -= 1;
  }
  exponent += 52;
  let fraction = mantissa & 0xf_ffff_ffff_ffffn;
  let first = 1n;
  if (precision >= 0 && precision < 13) {
    const shift = BigInt(52 - precision * 4);
    const whole = mantissa >> shift;
    const lost = mantissa & ((1n << shift) - 1n);
    const half = 1n << (shift - 1n);
    const up = lost > half || (lost === half && whole % 2n === 1n) ? whole + 1n : whole;
    first = up >> BigInt(precision * 4);
    fraction = (up << shift) & 0xf_ffff_ffff_ffffn;
    if (first === 2n) {
      first = 1n;
      exponent += 1;
    }
  }
  const all = fraction.toString(16).padStart(13, '0');
  const digits = precision === SHORTEST ? withoutZeros(all) : all.slice(0, precision).padEnd(precision, '0');
  return `0x${first}${digits === '' ? '' : `.${digits}`}p${signed(exponent)}`;
}
