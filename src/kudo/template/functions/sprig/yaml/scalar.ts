import { byteLength, bytesOf, isEscape } from '../go-bytes.ts';
import { resolvesToOther } from './resolves.ts';

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

export interface Scalar {
  readonly text: string;
  readonly style: ScalarStyle;
  /** `!!binary`, or nothing. */
  readonly tag: string;
}

/** The longest key that is written on one line with its value. */
const LONGEST_KEY = 128;
const BINARY_LINE = 70;

const BREAK = /[\n\r\u0085\u2028\u2029]/;
const BOM = '\ufeff';
/** What is at the beginning a sign of its own, and what is one only when a blank or nothing follows it. */
const INDICATOR = /^(?:[#,[\]{}&*!|>'"%@`]|---|\.\.\.|[?:-](?:[ \t]|$))/;
/** A colon before, or a hash behind a blank. */
const INNER_INDICATOR = /:(?:[ \t]|$)|[ \t\n\r\0\u0085\u2028\u2029]#/;

const LETTERS: ReadonlyMap<number, string> = new Map([
  [0x00, '0'],
  [0x07, 'a'],
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0b, 'v'],
  [0x0c, 'f'],
  [0x0d, 'r'],
  [0x1b, 'e'],
  [0x22, '"'],
  [0x5c, '\\'],
  [0x85, 'N'],
  [0xa0, '_'],
  [0x2028, 'L'],
  [0x2029, 'P'],
]);

/** How yaml.v2 writes a string: plain if it stays a string, quoted if not, a literal block for lines. */
export function scalarOf(text: string): Scalar {
  if (!text.isWellFormed() && [...text].some((character) => isEscape(code(character)))) return binary(text);
  return { text, style: styleOf(text), tag: '' };
}

/** Whether it may stand before a colon; longer ones and those of several lines get a question mark. */
export function fitsSimpleKey({ text }: Scalar): boolean {
  return !BREAK.test(text) && byteLength(text) <= LONGEST_KEY;
}

/** The scalar as it stands in the document; lines after the first one have the indent. */
export function writtenScalar(scalar: Scalar, indent: number): string {
  const text = WRITERS[scalar.style](scalar.text, ' '.repeat(indent));
  return scalar.tag === '' ? text : `${scalar.tag} ${text}`;
}

function binary(text: string): Scalar {
  const base64 = Buffer.from(bytesOf(text)).toString('base64');
  if (base64.length < BINARY_LINE) return { text: base64, style: 'plain', tag: '!!binary' };
  const lines = base64.match(new RegExp(`.{1,${BINARY_LINE}}`, 'g')) ?? [];
  return { text: `${lines.join('\n')}\n`, style: 'literal', tag: '!!binary' };
}

function styleOf(text: string): ScalarStyle {
  const isSpecial =
    / [\n\r\u0085\u2028\u2029]/.test(text) || [...text].some((character) => !isPrintable(code(character)));
  if (text.includes('\n')) return isSpecial || text.endsWith(' ') ? 'double' : 'literal';
  if (resolvesToOther(text)) return 'double';
  if (isSpecial || /[\u2028\u2029] /.test(text)) return 'double';
  const isPlain = !/^ | $/.test(text) && !BREAK.test(text) && !INDICATOR.test(text) && !INNER_INDICATOR.test(text);
  return isPlain ? 'plain' : 'single';
}

const WRITERS: Readonly<Record<ScalarStyle, (text: string, pad: string) => string>> = {
  plain: (text) => text,
  single: (text, pad) => `'${padded(text.replaceAll("'", "''"), pad)}'`,
  double: (text) => `"${[...text].map((character) => escaped(character, text.startsWith(BOM))).join('')}"`,
  literal: (text, pad) => `|${hints(text)}\n${/^[\n\u2028\u2029]/.test(text) ? '' : pad}${padded(text, pad)}`,
};

/** After a break, and before the next thing that is none. */
function padded(text: string, pad: string): string {
  return text.replace(/[\n\u2028\u2029](?=[^\n\u2028\u2029])/g, (end) => end + pad);
}

/** The indent if the text begins with a blank, and how many breaks it ends with: none, one (no sign), more. */
function hints(text: string): string {
  const indent = /^[ \n\u2028\u2029]/.test(text) ? '2' : '';
  if (!/[\n\u2028\u2029]$/.test(text)) return `${indent}-`;
  return /(?:^|[\n\u2028\u2029])[\n\u2028\u2029]$/.test(text) ? `${indent}+` : indent;
}

/** A text that begins with a byte order mark has every character escaped, which is a slip of yaml.v2. */
function escaped(character: string, all: boolean): string {
  const point = code(character);
  const isPlain = isPrintable(point) && !BREAK.test(character) && character !== '"' && character !== '\\';
  if (isPlain && !all) return character;
  const letter = LETTERS.get(point);
  if (letter !== undefined) return `\\${letter}`;
  const [mark, width] = point <= 0xff ? ['x', 2] : point <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${mark}${point
    .toString(16)
    .toUpperCase()
    .padStart(width as number, '0')}`;
}

/** Not beyond 16 bits: yaml.v2 escapes emoji. */
function isPrintable(point: number): boolean {
  if (point === 0x0a || (point >= 0x20 && point <= 0x7e)) return true;
  return (point >= 0xa0 && point <= 0xd7ff) || (point >= 0xe000 && point <= 0xfffd && point !== 0xfeff);
}

function code(character: string): number {
  return character.codePointAt(0) as number;
}
