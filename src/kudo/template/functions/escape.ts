import { isPrintable } from '../format/quote.ts';
import { sprint } from '../format/sprint.ts';
import type { FunctionTable, GoFunction } from '../function.ts';
import { binaryOf, isEscape } from './sprig/go-bytes.ts';

const HTML: Readonly<Record<string, string>> = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

const JS: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
};

/** `html`, `js` and `urlquery`: the arguments printed, and then made safe for a place. */
export const ESCAPERS: FunctionTable = new Map([
  ['html', escaper((text) => text.replace(/["'&<>\0]/g, (character) => HTML[character] as string))],
  ['js', escaper((text) => text.replace(/[\\'"<>&=]|[^ -~]/gu, js))],
  ['urlquery', escaper((text) => binaryOf(text).replace(/[^\w\-.~]/g, query))],
]);

function escaper(safe: (text: string) => string): GoFunction {
  return {
    params: [],
    variadic: 'interface {}',
    call(args, room) {
      const text = safe(
        sprint(
          args.map((arg) => arg ?? '<no value>'),
          room,
        ),
      );
      room.charge(text.length);
      return text;
    },
  };
}

function js(character: string): string {
  const known = JS[character];
  if (known !== undefined) return known;
  const code = character.codePointAt(0) as number;
  if (character >= '\u007f' && (code === 0x7f || isEscape(code) || isPrintable(character))) return character;
  return `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** One byte in a form: `+` for a space. */
function query(byte: string): string {
  return byte === ' ' ? '+' : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
