import { type Directive, pad, withFill } from './directive.ts';
import { isPrintable, isScalar, quoteRune } from './quote.ts';

const BASES: ReadonlyMap<string, number> = new Map(Object.entries({ v: 10, d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 }));
const LAST_RUNE = 0x10ffffn;

/** An integer as a verb of Go's fmt prints it; undefined when the verb is not for integers. */
export function formatInteger(
  value: bigint,
  isSigned: boolean,
  verb: string,
  directive: Directive,
): string | undefined {
  switch (verb) {
    case 'c':
      return pad(rune(value), directive);
    case 'q':
      return pad(quoteRune(Number(inRange(value)), directive.plus), directive);
    case 'U':
      return pad(unicode(value, directive), { ...directive, zero: false });
    case 'v':
      if (directive.goSyntax && !isSigned) return digits(value, 16, 'v', { ...directive, sharp: true });
  }
  const base = BASES.get(verb);
  return base === undefined ? undefined : digits(value, base, verb, directive);
}

function digits(value: bigint, base: number, verb: string, directive: Directive): string {
  const isNegative = value < 0n;
  const sign = isNegative ? '-' : directive.plus ? '+' : directive.space ? ' ' : '';
  const spaces = { ...directive, zero: false };
  if (directive.precision === 0 && value === 0n) return withFill('', directive.width ?? 0, spaces);
  let text = (isNegative ? -value : value).toString(base);
  if (verb === 'X') text = text.toUpperCase();
  text = text.padStart(leastDigits(sign, directive), '0');
  return pad(sign + prefix(text, base, verb, directive) + text, spaces);
}

/** `%.3d` and `%03d` both ask for zeros in front; the former wins. */
function leastDigits(sign: string, { precision, zero, minus, width }: Directive): number {
  if (precision !== undefined) return precision;
  return zero && !minus && width !== undefined ? width - sign.length : 0;
}

function prefix(text: string, base: number, verb: string, { sharp }: Directive): string {
  const octal = verb === 'O' ? '0o' : '';
  if (!sharp) return octal;
  if (base === 2) return '0b';
  if (base === 16) return verb === 'X' ? '0X' : '0x';
  return base === 8 && !text.startsWith('0') ? `${octal}0` : octal;
}

/** `U+0041`, with `#` also `U+0041 'A'`. Negative numbers are read as 64 bits without a sign. */
function unicode(value: bigint, { precision, sharp }: Directive): string {
  const code = BigInt.asUintN(64, value);
  const number = `U+${code
    .toString(16)
    .toUpperCase()
    .padStart(Math.max(precision ?? 0, 4), '0')}`;
  return sharp && isScalar(Number(code)) && isPrintable(rune(code)) ? `${number} '${rune(code)}'` : number;
}

function rune(value: bigint): string {
  const code = Number(inRange(value));
  return isScalar(code) ? String.fromCodePoint(code) : '\ufffd';
}

function inRange(value: bigint): bigint {
  return value < 0n || value > LAST_RUNE ? 0xfffdn : value;
}
