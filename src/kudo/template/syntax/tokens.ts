import type { Lexer } from './lexer.ts';
import type { Token } from './token.ts';

const NOTHING: Token = { kind: 'end of file', at: 0, text: '', line: 0 };

/** The tokens of one template with up to three to look ahead at, which it reads from a lexer that others read, too. */
export class Tokens {
  readonly #lexer: Lexer;
  /** Given back, the next one last. */
  readonly #ahead: Token[] = [];
  #newest = NOTHING;

  constructor(lexer: Lexer) {
    this.#lexer = lexer;
  }

  /** The line of the newest token that was looked at: the one that errors tell. */
  get line(): number {
    return this.#newest.line;
  }

  next(): Token {
    const token = this.#ahead.pop();
    if (token) return token;
    this.#newest = this.#lexer.next();
    return this.#newest;
  }

  peek(): Token {
    const token = this.next();
    this.#ahead.push(token);
    return token;
  }

  nextWord(): Token {
    for (;;) {
      const token = this.next();
      if (token.kind !== 'space') return token;
    }
  }

  /** Skips spaces for good. */
  peekWord(): Token {
    const token = this.nextWord();
    this.#ahead.push(token);
    return token;
  }

  /** The tokens come again, in this order. */
  giveBack(...tokens: readonly Token[]): void {
    this.#ahead.push(...tokens.toReversed());
  }
}
