import { bytesOf } from '../functions/sprig/go-bytes.ts';
import { type Directive, pad, withFill } from './directive.ts';
import { canBackquote, quote, quoteToAscii } from './quote.ts';

/** A string as a verb of Go's fmt prints it; undefined when the verb is not for strings. */
export function formatText(text: string, verb: string, directive: Directive): string | undefined {
  switch (verb) {
    case 's':
      return pad(truncated(text, directive), directive);
    case 'v':
      return directive.goSyntax ? quotedText(text, directive) : pad(truncated(text, directive), directive);
    case 'q':
      return quotedText(text, directive);
    case 'x':
    case 'X':
      return formatBytes(bytesOf(text), verb, directive);
    default:
      return undefined;
  }
}

/** `%x` of bytes: two digits for each, with spaces between them and `0x` before them if asked for. */
export function formatBytes(bytes: Uint8Array, verb: 'x' | 'X', directive: Directive): string {
  const { precision, space, sharp, width = 0 } = directive;
  const taken = bytes.subarray(0, precision);
  if (taken.length === 0) return withFill('', width, directive);
  const pairs = Array.from(taken, (byte) => byte.toString(16).padStart(2, '0'));
  const mark = sharp ? '0x' : '';
  const text = space ? pairs.map((pair) => mark + pair).join(' ') : mark + pairs.join('');
  const shown = verb === 'X' ? text.toUpperCase() : text;
  return withFill(shown, width - shown.length, directive);
}

function quotedText(text: string, directive: Directive): string {
  const cut = truncated(text, directive);
  if (directive.sharp && canBackquote(cut)) return pad(`\`${cut}\``, directive);
  return pad(directive.plus ? quoteToAscii(cut) : quote(cut), directive);
}

/** At most as many characters as the precision says. */
function truncated(text: string, { precision }: Directive): string {
  if (precision === undefined || text.length <= precision) return text;
  let end = 0;
  let left = precision;
  for (const character of text) {
    if (left-- === 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}
