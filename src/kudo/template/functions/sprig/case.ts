import { isEscape } from './go-bytes.ts';

/**
 * Upper, lower and title case as Go's `unicode` has them: one character for one character. JavaScript's are longer for a
 * few (`ß` becomes `SS`): those stay, except where Unicode also gives a single character.
 */
const TITLE_OF: ReadonlyMap<string, string> = new Map(
  [...'ǄǅǆǇǈǉǊǋǌǱǲǳ'].map((character, i) => [character, 'ǅǈǋǲ'[Math.floor(i / 3)] as string]),
);

/** Georgian letters have an upper case, but a title is not written with it. */
const GEORGIAN = /[\u10d0-\u10fa\u10fd-\u10ff]/;
const SPACE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/;
const LETTER = /^\p{L}$/u;
const UPPER = /^\p{Lu}$/u;
const LOWER = /^\p{Ll}$/u;
const TITLE = /^\p{Lt}$/u;
const WORD = /^[\p{L}\p{Nd}_]$/u;

export function isSpace(character: string): boolean {
  return SPACE.test(character);
}

export function isLetter(character: string): boolean {
  return LETTER.test(character);
}

export function isUpper(character: string): boolean {
  return UPPER.test(character);
}

export function toUpper(character: string): string {
  const upper = character.toUpperCase();
  return isOne(upper) ? upper : withIota(character);
}

export function toLower(character: string): string {
  const lower = character.toLowerCase();
  return isOne(lower) ? lower : 'i'; // U+0130, the only one
}

export function toTitle(character: string): string {
  if (GEORGIAN.test(character)) return character;
  return TITLE_OF.get(character) ?? toUpper(character);
}

/** Only ASCII, where JavaScript's own ways are those of Go. */
const ASCII = /^[\0-\x7f]*$/;

export function uppercase(text: string): string {
  return ASCII.test(text) ? text.toUpperCase() : mapCharacters(text, toUpper);
}

export function lowercase(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : mapCharacters(text, toLower);
}

/** Every character changed by itself. What is no UTF-8 becomes U+FFFD, as whenever Go decodes a string. */
export function mapCharacters(text: string, change: (character: string) => string): string {
  let out = '';
  for (const character of text) {
    out += isEscape(character.codePointAt(0) as number) ? '\ufffd' : change(character);
  }
  return out;
}

/** `strings.Title`: the first letter of each word; words are parted by what is no letter, digit or underscore. */
export function titled(text: string): string {
  let before = ' ';
  return mapCharacters(text, (character) => {
    const first = parts(before);
    before = character;
    return first ? toTitle(character) : character;
  });
}

/** Upper case to lower, lower to upper, and to title case at the beginning of a word. */
export function swapped(text: string): string {
  let beginning = true;
  return mapCharacters(text, (character) => {
    const first = beginning;
    if (UPPER.test(character) || TITLE.test(character)) {
      beginning = false;
      return toLower(character);
    }
    if (LOWER.test(character)) {
      beginning = false;
      return first ? toTitle(character) : toUpper(character);
    }
    beginning = isSpace(character);
    return character;
  });
}

/** The first letter of each word in lower case. */
export function untitled(text: string): string {
  let beginning = true;
  return mapCharacters(text, (character) => {
    if (isSpace(character)) {
      beginning = true;
      return character;
    }
    if (!beginning) return character;
    beginning = false;
    return toLower(character);
  });
}

function parts(character: string): boolean {
  if (character < '\x80') return !WORD.test(character);
  return !WORD.test(character) && isSpace(character);
}

function isOne(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) as number) > 0xffff);
}

/** Greek vowels with an iota below them have one character in upper case, which JavaScript takes apart. */
function withIota(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code >= 0x1f80 && code <= 0x1faf && (code & 8) === 0) return String.fromCodePoint(code + 8);
  if (code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3) return String.fromCodePoint(code + 9);
  return character;
}
