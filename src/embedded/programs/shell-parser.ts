/** One part of a script. In words, text that stood in single quotes is fenced by NUL characters. */
export type Statement =
  | { readonly kind: 'command'; readonly words: readonly string[]; readonly redirections: readonly Redirection[] }
  | { readonly kind: 'and' | 'or'; readonly left: Statement; readonly right: Statement }
  | { readonly kind: 'while'; readonly test: readonly Statement[]; readonly body: readonly Statement[] }
  | {
      readonly kind: 'for';
      readonly name: string;
      readonly words: readonly string[];
      readonly body: readonly Statement[];
    }
  | {
      readonly kind: 'if';
      readonly test: readonly Statement[];
      readonly yes: readonly Statement[];
      readonly no: readonly Statement[];
    };

/** `> file`, `>> file`, `2> file`. */
export interface Redirection {
  readonly stream: 'stdout' | 'stderr';
  readonly append: boolean;
  readonly to: string;
}

type Token =
  | { readonly word: string; readonly quoted: boolean }
  | { readonly sign: ';' | '&&' | '||' }
  | Pick<Redirection, 'stream' | 'append'>;

/** Deeper nesting than this is no script that anyone wrote. */
const deepest = 50;

/** @throws Error in a shell's words when the script is not understood */
export function parseScript(script: string): readonly Statement[] {
  const tokens = tokenize(script);
  let at = 0;

  const isWord = (text: string): boolean => {
    const token = tokens[at];
    return token !== undefined && 'word' in token && !token.quoted && token.word === text;
  };
  const expect = (text: string): void => {
    if (!isWord(text)) throw new Error(`syntax error: unexpected end of file (expecting "${text}")`);
    at++;
  };
  const skipSigns = (): void => {
    for (let token = tokens[at]; token && 'sign' in token && token.sign === ';'; token = tokens[at]) at++;
  };

  function list(ends: readonly string[], depth: number): readonly Statement[] {
    if (depth > deepest) throw new Error('syntax error: nested too deeply');
    const statements: Statement[] = [];
    for (skipSigns(); at < tokens.length && !ends.some(isWord); skipSigns()) statements.push(chain(depth));
    return statements;
  }

  function chain(depth: number): Statement {
    let left = single(depth);
    for (let token = tokens[at]; token && 'sign' in token && token.sign !== ';'; token = tokens[at]) {
      at++;
      left = { kind: token.sign === '&&' ? 'and' : 'or', left, right: single(depth) };
    }
    return left;
  }

  function single(depth: number): Statement {
    if (isWord('while')) {
      at++;
      const test = list(['do'], depth + 1);
      expect('do');
      const body = list(['done'], depth + 1);
      expect('done');
      return { kind: 'while', test, body };
    }
    if (isWord('for')) return loop(depth);
    if (isWord('if')) return branch(depth);
    return command();
  }

  function command(): Statement {
    const words = takeWords();
    const redirections: Redirection[] = [];
    for (let token = tokens[at]; token && 'stream' in token; token = tokens[at]) {
      at++;
      const [to, ...more] = takeWords();
      if (to === undefined) throw new Error('syntax error: unexpected redirection');
      redirections.push({ ...token, to });
      words.push(...more);
    }
    if (words.length + redirections.length === 0) throw new Error('syntax error: unexpected operator');
    return { kind: 'command', words, redirections };
  }

  function loop(depth: number): Statement {
    at++;
    const [name = ''] = takeWords(1);
    expect('in');
    const words = takeWords();
    skipSigns();
    expect('do');
    const body = list(['done'], depth + 1);
    expect('done');
    return { kind: 'for', name, words, body };
  }

  function branch(depth: number): Statement {
    at++;
    const test = list(['then'], depth + 1);
    expect('then');
    const yes = list(['else', 'fi'], depth + 1);
    let no: readonly Statement[] = [];
    if (isWord('else')) {
      at++;
      no = list(['fi'], depth + 1);
    }
    expect('fi');
    return { kind: 'if', test, yes, no };
  }

  function takeWords(most = Number.POSITIVE_INFINITY): string[] {
    const words: string[] = [];
    for (let token = tokens[at]; token && 'word' in token && words.length < most; token = tokens[at]) {
      words.push(token.word);
      at++;
    }
    return words;
  }

  const statements = list([], 0);
  if (at < tokens.length) throw new Error('syntax error: unexpected word');
  return statements;
}

function tokenize(script: string): readonly Token[] {
  const tokens: Token[] = [];
  const pattern =
    /\\\n|[ \t\r]+|#[^\n]*|(&&|\|\||;|\n)|([12]?>>?)|((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s;&|>'"\\])+)|(.)/gsy;
  for (let match = pattern.exec(script); match; match = pattern.exec(script)) {
    const [, sign, arrow, word, odd] = match;
    if (odd) throw new Error(`syntax error: unexpected "${odd}"`);
    if (sign) tokens.push({ sign: sign === '\n' ? ';' : (sign as ';' | '&&' | '||') });
    if (arrow) tokens.push({ stream: arrow.startsWith('2') ? 'stderr' : 'stdout', append: arrow.endsWith('>>') });
    if (word !== undefined) tokens.push({ word: unquote(word), quoted: /['"\\]/.test(word) });
  }
  return tokens;
}

function unquote(word: string): string {
  return word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, (_, single, double, escaped) => {
    if (single !== undefined) return `\0${single}\0`;
    if (escaped !== undefined) return `\0${escaped}\0`;
    return String(double).replace(/\\([\\"$`])/g, (__, sign) => `\0${sign}\0`);
  });
}
