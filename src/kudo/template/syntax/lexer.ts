import { isPrintable, quote } from '../format/quote.ts';
import { lineEnd } from '../positions.ts';
import { isKeyword, type Token, type TokenKind } from './token.ts';

const NAME = /[\p{L}\p{Nd}_]*/uy;
const SPACE = /[ \t\r\n]*/y;
/** What may look like a number; whether it is one is decided when it is read. */
const NUMBER =
  /[+-]?(?:0[xX][\da-fA-F_]*(?:\.[\da-fA-F_]*)?(?:[pP][+-]?[\d_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?[\d_]*)?)i?/y;

/** Characters that end a word, besides spaces and the closing delimiter. */
const TERMINATORS: ReadonlySet<string> = new Set(['', '.', ',', '|', ':', ')', '(']);

const SINGLE: ReadonlyMap<string, TokenKind> = new Map([
  ['=', 'assign'],
  ['|', 'pipe'],
]);

/**
 * Cuts a template into tokens, one at a time, because the parser's messages tell the line of the last one it looked at.
 * Text between actions is one token; spaces within an action are tokens, as they separate arguments.
 *
 * Guarantee: reads every character a bounded number of times.
 */
export class Lexer {
  readonly #input: string;
  /** Where the next token begins. */
  #start = 0;
  #line = 1;
  /** Where the line ends that is being read. */
  #lineEnd: number;
  #parentheses = 0;
  #isInAction = false;

  constructor(input: string) {
    this.#input = input;
    this.#lineEnd = lineEnd(input, 0);
  }

  next(): Token {
    return this.#isInAction ? this.#inAction() : this.#text();
  }

  /** Up to the next action. Comments leave nothing behind. */
  #text(): Token {
    for (;;) {
      const open = this.#input.indexOf('{{', this.#start);
      if (open < 0) return this.#rest();
      const isTrimmed = hasLeftMarker(this.#input, open + 2);
      const end = isTrimmed ? trimmedEnd(this.#input, this.#start, open) : open;
      const token = end > this.#start ? this.#emit('text', end) : undefined;
      this.#start = open;
      if (token) return token;
      const inside = open + (isTrimmed ? 4 : 2);
      if (!this.#input.startsWith('/*', inside)) return this.#leftDelimiter(inside);
      const mistake = this.#comment(inside);
      if (mistake) return mistake;
    }
  }

  #rest(): Token {
    if (this.#start < this.#input.length) return this.#emit('text', this.#input.length);
    return this.#emit('end of file', this.#input.length, 'EOF');
  }

  #leftDelimiter(inside: number): Token {
    const token = this.#emit('left delimiter', this.#start + 2);
    this.#start = inside;
    this.#isInAction = true;
    this.#parentheses = 0;
    return token;
  }

  #comment(inside: number): Token | undefined {
    this.#start = inside;
    const close = this.#input.indexOf('*/', inside + 2);
    if (close < 0) return this.#error('unclosed comment');
    const delimiter = this.#rightDelimiter(close + 2);
    if (!delimiter) return this.#error('comment ends before closing delimiter');
    this.#start = delimiter.next;
    return undefined;
  }

  #inAction(): Token {
    const delimiter = this.#rightDelimiter(this.#start);
    if (delimiter) {
      if (this.#parentheses > 0) return this.#error('unclosed left paren');
      return this.#closeAction(delimiter);
    }
    const character = this.#character(this.#start);
    const single = SINGLE.get(character);
    if (single) return this.#emit(single, this.#start + 1);
    if (isSpace(character)) return this.#spaces();
    switch (character) {
      case '':
        return this.#error('unclosed action');
      case ':':
        if (this.#input.charAt(this.#start + 1) !== '=') return this.#error('expected :=');
        return this.#emit('declare', this.#start + 2);
      case '"':
        return this.#quoted('"', 'string', 'unterminated quoted string');
      case "'":
        return this.#quoted("'", 'character constant', 'unterminated character constant');
      case '`':
        return this.#raw();
      case '$':
        return this.#word(this.#start + 1, 'variable');
      case '(':
        this.#parentheses++;
        return this.#emit('left parenthesis', this.#start + 1);
      case ')':
        if (this.#parentheses === 0) return this.#error('unexpected right paren');
        this.#parentheses--;
        return this.#emit('right parenthesis', this.#start + 1);
    }
    if (character === '.' && !/^\d?$/.test(this.#input.charAt(this.#start + 1))) {
      return this.#word(this.#start + 1, 'field');
    }
    if (/^[.+\-\d]$/.test(character)) return this.#number();
    if (match(NAME, character, 0) > 0) return this.#word(this.#start, 'identifier');
    if (character < '\u0080' && isPrintable(character)) return this.#emit('char', this.#start + 1);
    return this.#error(`unrecognized character in action: ${codePoint(character)}`);
  }

  /** A space before `-}}` belongs to the delimiter. */
  #spaces(): Token {
    const end = match(SPACE, this.#input, this.#start);
    const delimiter = this.#rightDelimiter(end - 1);
    return this.#emit('space', delimiter?.isTrimming ? end - 1 : end);
  }

  #closeAction(delimiter: RightDelimiter): Token {
    this.#start = delimiter.at;
    const token = this.#emit('right delimiter', delimiter.at + 2);
    this.#start = delimiter.next;
    this.#isInAction = false;
    return token;
  }

  #rightDelimiter(at: number): RightDelimiter | undefined {
    if (this.#input.startsWith('}}', at)) return { at, next: at + 2, isTrimming: false };
    if (!isSpace(this.#input.charAt(at)) || !this.#input.startsWith('-}}', at + 1)) return undefined;
    return { at: at + 2, next: match(SPACE, this.#input, at + 4), isTrimming: true };
  }

  /** An identifier, a field or a variable: letters and digits, and then something that may follow. */
  #word(from: number, kind: 'identifier' | 'field' | 'variable'): Token {
    const end = match(NAME, this.#input, from);
    if (!this.#isTerminator(end)) return this.#error(`bad character ${codePoint(this.#character(end))}`);
    const word = this.#input.slice(this.#start, end);
    if (isKeyword(word)) return this.#emit(word, end);
    return this.#emit(word === 'true' || word === 'false' ? 'bool' : kind, end);
  }

  #isTerminator(at: number): boolean {
    const character = this.#input.charAt(at);
    return isSpace(character) || TERMINATORS.has(character) || this.#input.startsWith('}}', at);
  }

  #number(): Token {
    let end = match(NUMBER, this.#input, this.#start);
    if (this.#isName(end)) return this.#badNumber(end + this.#character(end).length);
    if (!/^[+-]$/.test(this.#input.charAt(end))) return this.#emit('number', end);
    end = match(NUMBER, this.#input, end);
    if (this.#isName(end)) return this.#badNumber(end + this.#character(end).length);
    if (this.#input.charAt(end - 1) !== 'i') return this.#badNumber(end);
    return this.#emit('complex', end);
  }

  #isName(at: number): boolean {
    const character = this.#character(at);
    return match(NAME, character, 0) > 0;
  }

  #badNumber(end: number): Token {
    return this.#error(`bad number syntax: ${quote(this.#input.slice(this.#start, end))}`);
  }

  #quoted(mark: string, kind: TokenKind, complaint: string): Token {
    for (let at = this.#start + 1; at < this.#input.length; at++) {
      const character = this.#input.charAt(at);
      if (character === mark) return this.#emit(kind, at + 1);
      if (character === '\n') break;
      if (character === '\\' && this.#input.charAt(++at) === '\n') break;
    }
    return this.#error(complaint);
  }

  #raw(): Token {
    const close = this.#input.indexOf('`', this.#start + 1);
    return close < 0 ? this.#error('unterminated raw quoted string') : this.#emit('raw string', close + 1);
  }

  #character(at: number): string {
    const code = this.#input.codePointAt(at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #emit(kind: TokenKind, end: number, text = this.#input.slice(this.#start, end)): Token {
    const token = { kind, at: this.#start, text, line: this.#lineOfStart() };
    this.#start = end;
    return token;
  }

  /** The parser stops at a mistake. */
  #error(message: string): Token {
    return { kind: 'error', at: this.#start, text: message, line: this.#lineOfStart() };
  }

  #lineOfStart(): number {
    while (this.#lineEnd < this.#start) {
      this.#line++;
      this.#lineEnd = lineEnd(this.#input, this.#lineEnd + 1);
    }
    return this.#line;
  }
}

interface RightDelimiter {
  /** Where the braces are. */
  readonly at: number;
  /** What comes after it, and after the spaces it trims. */
  readonly next: number;
  readonly isTrimming: boolean;
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\r' || character === '\n';
}

function hasLeftMarker(input: string, at: number): boolean {
  return input.charAt(at) === '-' && isSpace(input.charAt(at + 1));
}

function trimmedEnd(input: string, from: number, to: number): number {
  let end = to;
  while (end > from && isSpace(input.charAt(end - 1))) end--;
  return end;
}

/** Where the match that begins here ends; the patterns match the empty text, too. */
function match(pattern: RegExp, input: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(input);
  return Math.max(pattern.lastIndex, at);
}

/** `U+0025 '%'` */
function codePoint(character: string): string {
  const code = character.codePointAt(0) as number;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return isPrintable(character) ? `${number} '${character}'` : number;
}
