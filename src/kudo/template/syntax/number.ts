import { quote } from '../format/quote.ts';
import { GoInt } from '../value.ts';
import type { NumberLiteral } from './ast.ts';
import type { Token } from './token.ts';
import { unquoteRune } from './unquote.ts';

const INT_MAX = 1n << 63n;
const UINT_MAX = 1n << 64n;

const INTEGER = /^(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|0[0-7_]*|[1-9][\d_]*)$/;
const DECIMAL = /^[+-]?(?:[\d_]+(?:\.[\d_]*)?|\.[\d_]+)(?:[eE][+-]?[\d_]+)?$/;
const HEXADECIMAL = /^([+-]?)0[xX]([\da-fA-F_]*)(?:\.([\da-fA-F_]*))?[pP]([+-]?[\d_]+)$/;

/** Reads a number, a character or a complex number; a message when it is none that we know. */
export function readNumber(token: Token): NumberLiteral | string {
  const { text, at } = token;
  if (token.kind === 'complex' || /[\d.]i$/.test(text)) return `imaginary numbers are not supported: ${quote(text)}`;
  if (token.kind === 'character constant') {
    const code = unquoteRune(text);
    if (typeof code === 'string') return code;
    const int = BigInt(code);
    return { kind: 'number', at, text, int, uint: int, float: code, value: new GoInt('int', int) };
  }
  const uint = unsigned(text);
  const int = signed(text);
  if (int !== undefined || uint !== undefined) return whole(token, int, uint);
  const float = fraction(text);
  if (float === undefined) return `illegal number syntax: ${quote(text)}`;
  if (!/[.eEpP]/.test(text)) return `integer overflow: ${quote(text)}`;
  return { kind: 'number', at, text, float, value: float, ...integersOf(float) };
}

function whole({ text, at }: Token, int: bigint | undefined, uint: bigint | undefined): NumberLiteral {
  const positive = int === 0n ? 0n : uint;
  return {
    kind: 'number',
    at,
    text,
    float: Number(int ?? uint),
    ...(int !== undefined && { int, value: new GoInt('int', int) }),
    ...(positive !== undefined && { uint: positive }),
  };
}

/** `3.0` and `1e3` are good as integers. */
function integersOf(float: number): { readonly int?: bigint; readonly uint?: bigint } {
  if (!Number.isInteger(float)) return {};
  const value = BigInt(float);
  return {
    ...(value >= -INT_MAX && value < INT_MAX && { int: value }),
    ...(value >= 0n && value < UINT_MAX && { uint: value }),
  };
}

function unsigned(text: string): bigint | undefined {
  const value = magnitude(text);
  return value !== undefined && value < UINT_MAX ? value : undefined;
}

function signed(text: string): bigint | undefined {
  const isNegative = text.startsWith('-');
  const value = magnitude(isNegative || text.startsWith('+') ? text.slice(1) : text);
  if (value === undefined) return undefined;
  if (isNegative) return value <= INT_MAX ? -value : undefined;
  return value < INT_MAX ? value : undefined;
}

/** A zero in front makes a number octal. */
function magnitude(text: string): bigint | undefined {
  if (!INTEGER.test(text) || !separatesDigits(text)) return undefined;
  const digits = text.replaceAll('_', '');
  if (digits.length > 200) return undefined;
  return BigInt(/^0\d/.test(digits) ? `0o${digits}` : digits);
}

function fraction(text: string): number | undefined {
  if (!separatesDigits(text)) return undefined;
  const hex = HEXADECIMAL.exec(text);
  const value = hex ? hexadecimal(hex) : DECIMAL.test(text) ? Number(text.replaceAll('_', '')) : undefined;
  return value === undefined || !Number.isFinite(value) ? undefined : value;
}

function hexadecimal([, sign, before = '', after = '', exponent = '']: RegExpExecArray): number | undefined {
  const digits = (before + after).replaceAll('_', '');
  if (digits === '' || digits.length > 200) return undefined;
  const places = after.replaceAll('_', '').length;
  const value = Number(BigInt(`0x${digits}`)) * 2 ** (Number(exponent.replaceAll('_', '')) - 4 * places);
  return sign === '-' ? -value : value;
}

/** An underscore stands between digits, or between the prefix of a base and a digit. */
function separatesDigits(text: string): boolean {
  if (!text.includes('_')) return true;
  const number = text.replace(/^[+-]/, '');
  const stray = /^0[xX]/.test(number) ? /_$|__|_[^\da-fA-F]|[^\da-fA-FxX]_/ : /^_|_$|__|_\D|[^\doObB]_/;
  return !stray.test(number);
}
