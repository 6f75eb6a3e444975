import { isPrintable } from '../format/quote.ts';
import { sprint } from '../format/sprint.ts';
import type { FunctionTable, GoFunction } from '../function.ts';

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
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  '=': '\\u003D',
};

/** `html`, `js` and `urlquery`: the arguments printed, and then made safe for a place. */
export const ESCAPERS: FunctionTable = new Map([
  ['html', escaper((text) => text.replace(/["'&<>\0]/g, (character) => HTML[character] as string))],
  ['js', escaper((text) => text.replace(/[\\'"<>&=]|[^ -~]/gu, js))],
  ['urlquery', escaper((text) => encodeURIComponent(text.toWellFormed()).replace(/%20|[!'()*]/g, query))],
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
  if (character > '\u007f' && isPrintable(character)) return character;
  const code = character.codePointAt(0) as number;
  return character === '\u007f' ? character : `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A form has `+` for a space and escapes some that a URL need not. */
function query(found: string): string {
  return found === '%20' ? '+' : `%${found.charCodeAt(0).toString(16).toUpperCase()}`;
}
