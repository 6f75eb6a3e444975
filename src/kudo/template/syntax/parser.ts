import { quote } from '../format/quote.ts';
import type { Callee } from '../functions/builtins.ts';
import { LIMITS, LimitExceeded } from '../limits.ts';
import { TemplateError } from '../template-error.ts';
import type { Branch, Command, Invocation, List, Pipe, Statement, Variable, Word } from './ast.ts';
import { describe } from './describe.ts';
import { Lexer } from './lexer.ts';
import { readNumber } from './number.ts';
import { CONSTANTS, OPERANDS } from './operands.ts';
import { shown, type Token, type TokenKind } from './token.ts';
import { Tokens } from './tokens.ts';
import { unquote } from './unquote.ts';

/** What several parsers of one text have in common: the text's own template and one for each `define` and `block`. */
interface Shared {
  readonly file: string;
  readonly lexer: Lexer;
  readonly callees: (name: string) => Callee | undefined;
  readonly templates: Map<string, List>;
  /** How many blocks and parentheses are open. */
  depth: number;
}

/** Where a list of statements ends. */
type End = 'end' | 'else';

/**
 * Parses a text. Returns every template in it by its name: the text's own and those it defines.
 *
 * Errors: `TemplateError`, with Go's messages.
 */
export function parse(file: string, text: string, callees: Shared['callees']): ReadonlyMap<string, List> {
  const shared: Shared = { file, lexer: new Lexer(text), callees, templates: new Map(), depth: 0 };
  new Parser(shared).file();
  return shared.templates;
}

class Parser {
  readonly #shared: Shared;
  readonly #tokens: Tokens;
  /** The names of the variables in scope, and how many there are of each. */
  readonly #variables: string[] = ['$'];
  readonly #declared = new Map<string, number>([['$', 1]]);
  /** Where the action began that is being read; 0 between actions. */
  #actionLine = 0;
  #ranges = 0;

  constructor(shared: Shared) {
    this.#shared = shared;
    this.#tokens = new Tokens(shared.lexer);
  }

  /** The whole text. Definitions can only be here, at the top. */
  file(): void {
    const tokens = this.#tokens;
    const { at } = tokens.peek();
    const nodes: Statement[] = [];
    while (tokens.peek().kind !== 'end of file') {
      if (tokens.peek().kind === 'left delimiter') {
        const delimiter = tokens.next();
        const word = tokens.nextWord();
        if (word.kind === 'define') {
          new Parser(this.#shared).#definition();
          continue;
        }
        tokens.giveBack(delimiter, word);
      }
      const node = this.#statement();
      if (node === 'end' || node === 'else') this.#fail(`unexpected {{${node}}}`);
      nodes.push(node);
    }
    this.#add(this.#shared.file, { kind: 'list', at, nodes });
  }

  #definition(): void {
    const where = 'define clause';
    const name = this.#string(this.#tokens.nextWord(), where);
    this.#expect('right delimiter', where);
    const { list, end } = this.#list();
    if (end !== 'end') this.#fail(`unexpected {{${end}}} in ${where}`);
    this.#add(name, list);
  }

  /** Of two templates of one name, one must be empty. */
  #add(name: string, list: List): void {
    const { templates } = this.#shared;
    const before = templates.get(name);
    if (before === undefined || isEmpty(before)) templates.set(name, list);
    else if (!isEmpty(list)) this.#fail(`template: multiple definition of template ${quote(name)}`);
  }

  /** Statements up to `end` or `else`. */
  #list(): { readonly list: List; readonly end: End } {
    const { at } = this.#tokens.peekWord();
    const nodes: Statement[] = [];
    while (this.#tokens.peekWord().kind !== 'end of file') {
      const node = this.#statement();
      if (node === 'end' || node === 'else') return { list: { kind: 'list', at, nodes }, end: node };
      nodes.push(node);
    }
    return this.#fail('unexpected EOF');
  }

  #statement(): Statement | End {
    const token = this.#tokens.nextWord();
    if (token.kind === 'text') return { kind: 'text', at: token.at, text: token.text };
    if (token.kind !== 'left delimiter') return this.#unexpected(token, 'input');
    this.#actionLine = token.line;
    const node = this.#action();
    this.#actionLine = 0;
    return node;
  }

  #action(): Statement | End {
    const token = this.#tokens.nextWord();
    switch (token.kind) {
      case 'block':
        return this.#block();
      case 'break':
      case 'continue':
        return this.#jump(token, token.kind);
      case 'else':
        return this.#else();
      case 'end':
        this.#expect('right delimiter', 'end');
        return 'end';
      case 'if':
      case 'range':
      case 'with':
        return this.#branch(token.kind);
      case 'template':
        return this.#invocation();
    }
    this.#tokens.giveBack(token);
    return { kind: 'action', at: token.at, pipe: this.#pipeline('command', 'right delimiter') };
  }

  #jump({ at }: Token, kind: 'break' | 'continue'): Statement {
    const token = this.#tokens.nextWord();
    if (token.kind !== 'right delimiter') this.#unexpected(token, `{{${kind}}}`);
    if (this.#ranges === 0) this.#fail(`{{${kind}}} outside {{range}}`);
    return { kind, at };
  }

  /** `else if` and `else with` leave the second word to whoever reads on. */
  #else(): 'else' {
    const { kind } = this.#tokens.peekWord();
    if (kind !== 'if' && kind !== 'with') this.#expect('right delimiter', 'else');
    return 'else';
  }

  #branch(kind: Branch['kind']): Branch {
    this.#enter();
    const visible = this.#variables.length;
    const alternatives: Alternative[] = [];
    let otherwise: List | undefined;
    for (let token: Token | undefined = this.#tokens.peek(); token; ) {
      const { at } = token;
      const pipe = this.#pipeline(kind, 'right delimiter');
      if (kind === 'range') this.#ranges++;
      const { list, end } = this.#list();
      if (kind === 'range') this.#ranges--;
      alternatives.push({ at, branch: { kind, at: pipe.at, pipe, list } });
      token = end === 'else' ? this.#alternative(kind) : undefined;
      if (end === 'else' && !token) otherwise = this.#otherwise();
    }
    this.#forget(visible);
    this.#shared.depth--;
    return inOneAnother(alternatives, otherwise);
  }

  /** The word after `else`, if it is the same as the one that began: `else if`. */
  #alternative(kind: Branch['kind']): Token | undefined {
    return kind !== 'range' && this.#tokens.peek().kind === kind ? this.#tokens.next() : undefined;
  }

  #otherwise(): List {
    const { list, end } = this.#list();
    if (end !== 'end') this.#fail(`expected end; found {{${end}}}`);
    return list;
  }

  #declare(name: string): void {
    if (this.#variables.length > LIMITS.variables) this.#exceeds('variables');
    this.#variables.push(name);
    this.#declared.set(name, (this.#declared.get(name) ?? 0) + 1);
  }

  /** Forgets the variables that were declared after there were so many. */
  #forget(count: number): void {
    for (const name of this.#variables.splice(count)) this.#declared.set(name, (this.#declared.get(name) ?? 1) - 1);
  }

  /** A definition and a call of it in one. */
  #block(): Invocation {
    const where = 'block clause';
    const token = this.#tokens.nextWord();
    const name = this.#string(token, where);
    const pipe = this.#pipeline(where, 'right delimiter');
    this.#enter();
    const inner = new Parser(this.#shared);
    const { list, end } = inner.#list();
    if (end !== 'end') this.#fail(`unexpected {{${end}}} in ${where}`);
    inner.#add(name, list);
    this.#shared.depth--;
    return { kind: 'template', at: token.at, name, pipe };
  }

  #invocation(): Invocation {
    const where = 'template clause';
    const token = this.#tokens.nextWord();
    const name = this.#string(token, where);
    const next = this.#tokens.nextWord();
    if (next.kind === 'right delimiter') return { kind: 'template', at: token.at, name };
    this.#tokens.giveBack(next);
    return { kind: 'template', at: token.at, name, pipe: this.#pipeline(where, 'right delimiter') };
  }

  #pipeline(where: string, end: TokenKind): Pipe {
    const { at } = this.#tokens.peekWord();
    const { variables, isAssignment } = this.#declarations(where);
    const commands: Command[] = [];
    for (;;) {
      const token = this.#tokens.nextWord();
      if (token.kind === end) break;
      if (!OPERANDS.has(token.kind)) this.#unexpected(token, where);
      this.#tokens.giveBack(token);
      commands.push(this.#command());
    }
    if (commands.length === 0) this.#fail(`missing value for ${where}`);
    const constant = commands.findIndex(({ words }, index) => index > 0 && CONSTANTS.has(words[0].kind));
    if (constant > 0) this.#fail(`non executable command in pipeline stage ${constant + 1}`);
    return { kind: 'pipe', at, isAssignment, variables, commands };
  }

  /** `$x :=`, `$x =`, in a range also `$i, $x :=`. */
  #declarations(where: string): { readonly variables: readonly Variable[]; readonly isAssignment: boolean } {
    const tokens = this.#tokens;
    const variables: Variable[] = [];
    let isAssignment = false;
    while (tokens.peekWord().kind === 'variable') {
      const token = tokens.next();
      const after = tokens.peek();
      const next = tokens.peekWord();
      const isComma = next.kind === 'char' && next.text === ',';
      if (!isComma && next.kind !== 'assign' && next.kind !== 'declare') {
        // It is the first argument, and the space after it matters.
        if (after.kind === 'space') tokens.giveBack(token, after);
        else tokens.giveBack(token);
        break;
      }
      tokens.nextWord();
      variables.push({ kind: 'variable', at: token.at, name: token.text, fields: [] });
      this.#declare(token.text);
      if (!isComma) {
        isAssignment = next.kind === 'assign';
        break;
      }
      if (where !== 'range' || variables.length >= 2) this.#fail(`too many declarations in ${where}`);
      const { kind } = tokens.peekWord();
      if (kind !== 'variable' && kind !== 'right delimiter' && kind !== 'right parenthesis') {
        this.#fail('range can only initialize variables');
      }
    }
    return { variables, isAssignment };
  }

  #command(): Command {
    const { at } = this.#tokens.peekWord();
    const words: Word[] = [];
    for (;;) {
      this.#tokens.peekWord();
      const word = this.#operand();
      if (word) words.push(word);
      const token = this.#tokens.next();
      if (token.kind === 'space') continue;
      if (token.kind === 'right delimiter' || token.kind === 'right parenthesis') this.#tokens.giveBack(token);
      else if (token.kind !== 'pipe') this.#unexpected(token, 'operand');
      break;
    }
    // Whoever asks for a command has seen that an operand comes.
    return { kind: 'command', at, words: words as [Word, ...Word[]] };
  }

  /** A term and the fields that are taken of it. */
  #operand(): Word | undefined {
    const term = this.#term();
    const next = this.#tokens.peek();
    if (term === undefined || next.kind !== 'field') return term;
    const fields: string[] = [];
    while (this.#tokens.peek().kind === 'field') fields.push(this.#tokens.next().text.slice(1));
    switch (term.kind) {
      case 'field':
      case 'variable':
        return { ...term, at: next.at, fields: [...term.fields, ...fields] };
      case 'bool':
      case 'string':
      case 'number':
      case 'nil':
      case 'dot':
        return this.#fail(`unexpected . after term ${quote(describe(term))}`);
      default:
        return { kind: 'chain', at: next.at, of: term, fields };
    }
  }

  #term(): Word | undefined {
    const token = this.#tokens.nextWord();
    const { at, text } = token;
    switch (token.kind) {
      case 'identifier': {
        const callee = this.#shared.callees(text);
        if (callee === undefined) return this.#fail(`function ${quote(text)} not defined`);
        return { kind: 'identifier', at, name: text, callee };
      }
      case '.':
        return { kind: 'dot', at };
      case 'nil':
        return { kind: 'nil', at };
      case 'variable':
        if (!this.#declared.get(text)) this.#fail(`undefined variable ${quote(text)}`);
        return { kind: 'variable', at, name: text, fields: [] };
      case 'field':
        return { kind: 'field', at, fields: [text.slice(1)] };
      case 'bool':
        return { kind: 'bool', at, value: text === 'true' };
      case 'character constant':
      case 'complex':
      case 'number': {
        const number = readNumber(token);
        return typeof number === 'string' ? this.#fail(number) : number;
      }
      case 'left parenthesis': {
        this.#enter();
        const pipe = this.#pipeline('parenthesized pipeline', 'right parenthesis');
        this.#shared.depth--;
        return pipe;
      }
      case 'string':
      case 'raw string':
        return { kind: 'string', at, quoted: text, text: this.#string(token, '') };
      default:
        this.#tokens.giveBack(token);
        return undefined;
    }
  }

  #string(token: Token, where: string): string {
    if (token.kind !== 'string' && token.kind !== 'raw string') return this.#unexpected(token, where);
    return unquote(token.text) ?? this.#fail('invalid syntax');
  }

  #expect(kind: TokenKind, where: string): void {
    const token = this.#tokens.nextWord();
    if (token.kind !== kind) this.#unexpected(token, where);
  }

  /** Our own limit: Go goes deeper, we share a stack with others. */
  #enter(): void {
    this.#shared.depth++;
    if (this.#shared.depth > LIMITS.depth) this.#exceeds('depth');
  }

  #exceeds(limit: 'depth' | 'variables'): never {
    const { message } = new LimitExceeded(limit, LIMITS[limit]);
    const { line } = this.#tokens;
    const { file } = this.#shared;
    throw new TemplateError('limit', { template: file, line }, `template: ${file}:${line}: ${message}`);
  }

  #unexpected(token: Token, where: string): never {
    if (token.kind !== 'error') return this.#fail(`unexpected ${shown(token)} in ${where}`);
    if (this.#actionLine === 0 || this.#actionLine === token.line) return this.#fail(token.text);
    const what = token.text.endsWith(' action') ? '' : ' in action';
    return this.#fail(`${token.text}${what} started at ${this.#shared.file}:${this.#actionLine}`);
  }

  #fail(message: string): never {
    const { line } = this.#tokens;
    const { file } = this.#shared;
    throw new TemplateError('parse', { template: file, line }, `template: ${file}:${line}: ${message}`);
  }
}

/** One `if`, or `else if`, and where that word is. */
interface Alternative {
  readonly at: number;
  readonly branch: Branch;
}

/** Each alternative is what the one before does otherwise. */
function inOneAnother(alternatives: readonly Alternative[], last: List | undefined): Branch {
  const whole = alternatives.reduceRight<List | undefined>((otherwise, { at, branch }) => {
    return { kind: 'list', at, nodes: [{ ...branch, ...(otherwise && { otherwise }) }] };
  }, last);
  return whole?.nodes[0] as Branch;
}

/** Whether a template has nothing but white space in it. */
function isEmpty({ nodes }: List): boolean {
  return nodes.every((node) => node.kind === 'text' && node.text.trim() === '');
}
