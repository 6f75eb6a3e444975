import { isEscape } from '../functions/sprig/go-bytes.ts';

/** Go's escapes with a letter of their own. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
]);

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const PRINTABLE_ASCII = /^[ -~]$/;
const PLAIN = /^[ !#-[\]-~]*$/;

/** A text as a Go string literal in double quotes, as `%q` prints it. */
export function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return quoted(text, '"', false);
}

/** The same with everything escaped that is not ASCII, as `%+q` prints it. */
export function quoteToAscii(text: string): string {
  return quoted(text, '"', true);
}

/** A character as a Go literal, as `%q` prints an integer. */
export function quoteRune(code: number, ascii = false): string {
  return quoted(isScalar(code) ? String.fromCodePoint(code) : '\ufffd', "'", ascii);
}

/** Whether Go could write the text between backquotes, on one line. */
export function canBackquote(text: string): boolean {
  for (const character of text) {
    if (character === '\t') continue;
    const code = character.codePointAt(0) as number;
    if (code < 0x20 || code === 0x7f || code === 0xfeff || character === '`' || !isScalar(code)) return false;
  }
  return true;
}

/** Whether Go would print the character as it is: letters, marks, numbers, punctuation, symbols and the space. */
export function isPrintable(character: string): boolean {
  return PRINTABLE.test(character);
}

function quoted(text: string, mark: string, ascii: boolean): string {
  let out = mark;
  for (const character of text) out += escaped(character, mark, ascii);
  return out + mark;
}

function escaped(character: string, mark: string, ascii: boolean): string {
  if (character === mark) return `\\${mark}`;
  const letter = LETTERS.get(character);
  if (letter !== undefined) return letter;
  const code = character.codePointAt(0) as number;
  if (isEscape(code)) return `\\x${hex(code & 0xff, 2)}`;
  if (!isScalar(code)) return ascii ? '\\ufffd' : '\ufffd';
  if ((ascii ? PRINTABLE_ASCII : PRINTABLE).test(character)) return character;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

/** A code point that is no half of a character in UTF-16. */
export function isScalar(code: number): boolean {
  return code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0');
}
