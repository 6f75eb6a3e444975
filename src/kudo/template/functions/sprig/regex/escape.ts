import { RegexSyntaxError } from './syntax-error.ts';

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['a', 0x07],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
]);

/** A back reference is no octal number: that has a zero in front, or two digits. */
const OCTAL = /^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/;
const HEXADECIMAL = /^x(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))/;
const MOST = 0x10ffff;

/** The character that an escape stands for, and where it ends. */
export function escapeAt(source: string, at: number): { readonly code: number; readonly end: number } {
  const rest = source.slice(at + 1);
  if (rest === '') throw new RegexSyntaxError('trailing backslash at end of expression', '');
  const code = rest.codePointAt(0) as number;
  const character = String.fromCodePoint(code);

  const control = CONTROLS.get(character);
  if (control !== undefined) return { code: control, end: at + 2 };
  const octal = OCTAL.exec(rest)?.[0];
  if (octal !== undefined) return { code: Number.parseInt(octal, 8), end: at + 1 + octal.length };
  const [whole, long, short] = HEXADECIMAL.exec(rest) ?? [];
  const digits = long ?? short;
  if (whole !== undefined && digits !== undefined && Number.parseInt(digits, 16) <= MOST) {
    return { code: Number.parseInt(digits, 16), end: at + 1 + whole.length };
  }
  if (code < 0x80 && !/[0-9A-Za-z]/.test(character)) return { code, end: at + 2 };
  throw new RegexSyntaxError('invalid escape sequence', `\\${refusedPart(rest, character)}`);
}

/** As far as Go reads before it gives up. */
function refusedPart(rest: string, character: string): string {
  if (character !== 'x') return character;
  if (!rest.startsWith('x{')) return [...rest].slice(0, 3).join('');
  let read = 'x{';
  let value = 0;
  for (const digit of rest.slice(2)) {
    read += digit;
    value = value * 16 + Number.parseInt(digit, 16);
    if (!(value <= MOST)) break;
  }
  return read;
}
