import { quote } from '../format/quote.ts';

export type TokenKind =
  /** Something that is no token; its text is the message. */
  | 'error'
  | 'bool'
  /** Any printable ASCII character that means nothing by itself, such as a comma. */
  | 'char'
  | 'character constant'
  | 'complex'
  | 'assign'
  | 'declare'
  | 'end of file'
  /** `.name` */
  | 'field'
  | 'identifier'
  | 'left delimiter'
  | 'left parenthesis'
  | 'number'
  | 'pipe'
  | 'raw string'
  | 'right delimiter'
  | 'right parenthesis'
  | 'space'
  | 'string'
  | 'text'
  /** `$` or `$name` */
  | 'variable'
  | Keyword;

const KEYWORDS = [
  '.',
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'nil',
  'range',
  'template',
  'with',
] as const;
export type Keyword = (typeof KEYWORDS)[number];

export interface Token {
  readonly kind: TokenKind;
  readonly at: number;
  readonly text: string;
  readonly line: number;
}

const keywords: ReadonlySet<string> = new Set(KEYWORDS);

export function isKeyword(word: string): word is Keyword {
  return keywords.has(word);
}

/** A token in an error message, as Go shows it: keywords in angle brackets, long ones cut short. */
export function shown(token: Token): string {
  if (isKeyword(token.kind)) return `<${token.text}>`;
  if (Buffer.byteLength(token.text) > 10) return `${quote([...token.text.slice(0, 20)].slice(0, 10).join(''))}...`;
  return quote(token.text);
}
