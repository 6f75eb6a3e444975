import type { Word } from './ast.ts';
import type { TokenKind } from './token.ts';

/** What may begin an operand. */
export const OPERANDS: ReadonlySet<TokenKind> = new Set([
  'bool',
  'character constant',
  'complex',
  '.',
  'field',
  'identifier',
  'number',
  'nil',
  'raw string',
  'string',
  'variable',
  'left parenthesis',
]);

/** What cannot be given an argument, and so cannot come after a `|`. */
export const CONSTANTS: ReadonlySet<Word['kind']> = new Set(['bool', 'dot', 'nil', 'number', 'string']);
