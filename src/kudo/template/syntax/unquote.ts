import { textOf } from '../functions/sprig/go-bytes.ts';

const LETTERS: ReadonlyMap<string, number> = new Map(
  Object.entries({ a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92 }),
);
const HEX_LENGTHS: ReadonlyMap<string, number> = new Map(Object.entries({ x: 2, u: 4, U: 8 }));

/** One character of a literal: a code point, or a byte, which only counts together with its neighbours. */
interface Unquoted {
  readonly code: number;
  readonly isByte: boolean;
  readonly next: number;
}

/**
 * What a Go string literal, with its quotes, stands for; undefined when it is malformed. Bytes that are no UTF-8 are kept
 * as all texts here keep them.
 */
export function unquote(literal: string): string | undefined {
  if (literal.startsWith('`')) return literal.slice(1, -1).replaceAll('\r', '');
  const inside = literal.slice(1, -1);
  if (!inside.includes('\\')) return inside;
  const bytes: number[] = [];
  let text = '';
  for (let at = 0; at < inside.length; ) {
    const read = unquoteCharacter(inside, at, '"');
    if (read === undefined) return undefined;
    at = read.next;
    if (read.isByte && read.code > 0x7f) {
      bytes.push(read.code);
      continue;
    }
    text += decoded(bytes) + String.fromCodePoint(read.code);
  }
  return text + decoded(bytes);
}

/** The code point of a Go character literal, with its quotes; a message when it is malformed. */
export function unquoteRune(literal: string): number | string {
  const read = unquoteCharacter(literal, 1, "'");
  if (read === undefined) return 'invalid syntax';
  if (read.next !== literal.length - 1) return `malformed character constant: ${literal}`;
  return read.code;
}

function decoded(bytes: number[]): string {
  if (bytes.length === 0) return '';
  return textOf(Uint8Array.from(bytes.splice(0)));
}

function unquoteCharacter(text: string, at: number, mark: string): Unquoted | undefined {
  const code = text.codePointAt(at) as number;
  const character = String.fromCodePoint(code);
  if (character === mark) return undefined;
  if (character !== '\\') return { code, isByte: false, next: at + character.length };
  const letter = text.charAt(at + 1);
  if (letter === mark) return { code: mark.charCodeAt(0), isByte: false, next: at + 2 };
  const known = LETTERS.get(letter);
  if (known !== undefined) return { code: known, isByte: false, next: at + 2 };
  if (/^[0-7]$/.test(letter)) return digits(text, at + 1, 3, 8, true);
  const length = HEX_LENGTHS.get(letter);
  return length === undefined ? undefined : digits(text, at + 2, length, 16, letter === 'x');
}

function digits(text: string, at: number, length: number, base: 8 | 16, isByte: boolean): Unquoted | undefined {
  const number = text.slice(at, at + length);
  const pattern = base === 8 ? /^[0-7]+$/ : /^[\da-fA-F]+$/;
  if (number.length < length || !pattern.test(number)) return undefined;
  const code = Number.parseInt(number, base);
  const isValid = isByte ? code <= 0xff : code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isValid ? { code, isByte, next: at + length } : undefined;
}
