import { type ClassItem, characterClass, PERL, POSIX, unicodeProperty } from './character-class.ts';
import { escapeAt } from './escape.ts';
import type { Assertion, Node, Regex } from './node.ts';
import { RegexSyntaxError } from './syntax-error.ts';

/** Flags that `(?ims-U)` switches, from there to the end of the group. */
interface Flags {
  readonly fold: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly lazy: boolean;
}

/** Characters. No sane expression is longer, and reading a class can take time that grows with the square. */
export const LONGEST = 20_000;
const DEEPEST = 1000;
/** Each way through an expression notes where its groups are: they cost by the square. */
const MOST_GROUPS = 1000;
const MOST_TIMES = 1000;
const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ['A', 'beginText'],
  ['z', 'endText'],
  ['b', 'wordBoundary'],
  ['B', 'noWordBoundary'],
]);
const FLAG_OF: ReadonlyMap<string, keyof Flags> = new Map([
  ['i', 'fold'],
  ['m', 'multiline'],
  ['s', 'dotAll'],
  ['U', 'lazy'],
]);
const COUNTS = /^\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}/;

/** Reads a regular expression in the syntax of Go (RE2). Throws `RegexSyntaxError`. */
export function parseRegex(source: string): Regex {
  if (source.length > LONGEST) throw new RegexSyntaxError('expression too large', `${source.slice(0, 40)}…`);
  return new Parser(source).whole();
}

class Parser {
  readonly #source: string;
  readonly #names = new Map<string, readonly number[]>();
  #at = 0;
  #groups = 0;
  #depth = 0;
  #flags: Flags = { fold: false, multiline: false, dotAll: false, lazy: false };

  constructor(source: string) {
    this.#source = source;
  }

  whole(): Regex {
    const root = this.#alternatives();
    if (this.#at < this.#source.length) throw new RegexSyntaxError('unexpected )', this.#source);
    if (this.#groups > MOST_GROUPS) throw new RegexSyntaxError('expression has too many groups', this.#source);
    return { root, groups: this.#groups, names: this.#names };
  }

  /** Up to the end of the group or of the whole; flags set inside end with it. */
  #alternatives(): Node {
    const flags = this.#flags;
    const parts: Node[] = [this.#sequence()];
    while (this.#peek() === '|') {
      this.#at += 1;
      parts.push(this.#sequence());
    }
    this.#flags = flags;
    return parts.length === 1 ? (parts[0] as Node) : { kind: 'alternate', parts };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    /** Where the last thing began, if it was a repetition: a second one right behind it is an error. */
    let repetition: number | undefined;
    while (this.#at < this.#source.length && this.#peek() !== '|' && this.#peek() !== ')') {
      const begin = this.#at;
      const times = this.#times();
      if (times) {
        parts.push(this.#repeat(parts.pop(), begin, times, repetition));
        repetition = begin;
      } else {
        parts.push(...this.#atom());
        repetition = undefined;
      }
    }
    return parts.length === 1 ? (parts[0] as Node) : { kind: 'concat', parts };
  }

  #times(): { readonly min: number; readonly max: number; readonly isCounted: boolean } | undefined {
    const sign = this.#peek();
    if (sign === '*' || sign === '+' || sign === '?') {
      this.#at += 1;
      return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY, isCounted: false };
    }
    const counts = COUNTS.exec(this.#rest());
    if (!counts) return undefined;
    const [text, first = '', comma, second] = counts;
    const min = Number(first);
    const max = second !== undefined ? Number(second) : comma === undefined ? min : Number.POSITIVE_INFINITY;
    const largest = second === undefined ? min : Math.max(min, max);
    if (largest > MOST_TIMES || min > max) throw new RegexSyntaxError('invalid repeat count', text);
    this.#at += text.length;
    return { min, max, isCounted: true };
  }

  #repeat(
    body: Node | undefined,
    begin: number,
    { min, max, isCounted }: { readonly min: number; readonly max: number; readonly isCounted: boolean },
    repetition: number | undefined,
  ): Node {
    const isLazy = this.#peek() === '?';
    if (isLazy) this.#at += 1;
    if (repetition !== undefined) {
      throw new RegexSyntaxError('invalid nested repetition operator', this.#source.slice(repetition, this.#at));
    }
    const part = this.#source.slice(begin, this.#at);
    if (body === undefined) throw new RegexSyntaxError('missing argument to repetition operator', part);
    const node: Node = { kind: 'repeat', body, min, max, greedy: isLazy === this.#flags.lazy };
    if (isCounted && !isFew(node, MOST_TIMES)) {
      throw new RegexSyntaxError('invalid repeat count', part);
    }
    return node;
  }

  /** One thing that can be repeated; `\Q…\E` is several, and flags are none. */
  #atom(): readonly Node[] {
    const character = this.#peek();
    if (character === '(') return this.#group();
    if (character === '[') return [this.#bracket()];
    if (character === '\\') return this.#backslash();
    this.#at += character.length;
    if (character === '^') return [assert(this.#flags.multiline ? 'beginLine' : 'beginText')];
    if (character === '$') return [assert(this.#flags.multiline ? 'endLine' : 'endText')];
    if (character === '.') {
      const newline: ClassItem[] = this.#flags.dotAll ? [] : [{ from: 0x0a, to: 0x0a }];
      return [{ kind: 'class', class: characterClass(newline, { negated: true, fold: false }) }];
    }
    return [this.#literal(character)];
  }

  #group(): readonly Node[] {
    const begin = this.#at;
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new RegexSyntaxError('expression nests too deeply', this.#source);
    const flags = this.#flags;
    const opened = this.#opened(begin);
    if (opened === 'flags') {
      this.#depth -= 1;
      return [];
    }
    const body = this.#alternatives();
    if (this.#peek() !== ')') throw new RegexSyntaxError('missing closing )', this.#source);
    this.#at += 1;
    this.#flags = flags;
    this.#depth -= 1;
    return [opened === 'plain' ? body : { kind: 'capture', index: opened, body }];
  }

  /** Reads what a group begins with: the number of the group, no number, or no group at all but flags. */
  #opened(begin: number): number | 'plain' | 'flags' {
    if (!this.#rest().startsWith('(?')) {
      this.#at += 1;
      this.#groups += 1;
      return this.#groups;
    }
    const name = /^\(\?P?</.exec(this.#rest());
    if (name && this.#rest().length > name[0].length) return this.#named(name[0].length);

    this.#at += 2;
    let flags = this.#flags;
    let isOff = false;
    let seen = false;
    while (this.#at < this.#source.length) {
      const character = this.#peek();
      this.#at += character.length;
      const flag = FLAG_OF.get(character);
      if (flag) {
        flags = { ...flags, [flag]: !isOff };
        seen = true;
      } else if (character === '-' && !isOff) {
        isOff = true;
        seen = false;
      } else if ((character === ':' || character === ')') && (seen || !isOff)) {
        this.#flags = flags;
        return character === ':' ? 'plain' : 'flags';
      } else break;
    }
    throw new RegexSyntaxError('invalid or unsupported Perl syntax', this.#source.slice(begin, this.#at));
  }

  #named(prefix: number): number {
    const rest = this.#rest();
    const end = rest.indexOf('>');
    if (end < 0) throw new RegexSyntaxError('invalid named capture', rest);
    const name = rest.slice(prefix, end);
    if (!/^[A-Za-z0-9_]+$/.test(name)) throw new RegexSyntaxError('invalid named capture', rest.slice(0, end + 1));
    this.#at += end + 1;
    this.#groups += 1;
    this.#names.set(name, [...(this.#names.get(name) ?? []), this.#groups]);
    return this.#groups;
  }

  #backslash(): readonly Node[] {
    const next = this.#source[this.#at + 1] ?? '';
    const assertion = ASSERTIONS.get(next);
    if (assertion) {
      this.#at += 2;
      return [assert(assertion)];
    }
    if (next === 'Q') {
      const end = this.#source.indexOf('\\E', this.#at + 2);
      const text = this.#source.slice(this.#at + 2, end < 0 ? undefined : end);
      this.#at = end < 0 ? this.#source.length : end + 2;
      return [...text].map((character) => this.#literal(character));
    }
    const item = this.#classEscape();
    if (item) return [{ kind: 'class', class: characterClass([item], { negated: false, fold: this.#flags.fold }) }];
    return [this.#one(this.#escape())];
  }

  /** `\d`, `\pL`, `\p{Greek}` and their opposites; nothing for an ordinary escape. */
  #classEscape(): ClassItem | undefined {
    const [, letter = ''] = /^\\([dswDSWpP])/.exec(this.#rest()) ?? [];
    if (letter === '') return undefined;
    const perl = PERL.get(letter.toLowerCase());
    if (perl) {
      this.#at += 2;
      return { items: perl, isNegated: letter !== letter.toLowerCase() };
    }
    const rest = this.#rest();
    if (rest[2] === '{' && !rest.includes('}')) throw new RegexSyntaxError('invalid character class range', rest);
    const [whole = rest, braced, single = ''] = /^\\[pP](?:\{([^}]*)\}|(.))/su.exec(rest) ?? [];
    const name = braced ?? single;
    const property = unicodeProperty(name.replace(/^\^/, ''));
    if (!property) throw new RegexSyntaxError('invalid character class range', whole);
    this.#at += whole.length;
    return { property, isNegated: (letter === 'P') !== name.startsWith('^') };
  }

  #bracket(): Node {
    const begin = this.#at;
    const items: ClassItem[] = [];
    this.#at += 1;
    const negated = this.#peek() === '^';
    if (negated) this.#at += 1;
    for (let first = true; first || this.#peek() !== ']'; first = false) {
      if (this.#at >= this.#source.length) {
        throw new RegexSyntaxError('missing closing ]', this.#source.slice(begin));
      }
      items.push(this.#posix() ?? this.#classEscape() ?? this.#range(begin));
    }
    this.#at += 1;
    return { kind: 'class', class: characterClass(items, { negated, fold: this.#flags.fold }) };
  }

  #posix(): ClassItem | undefined {
    const [whole, negation, name = ''] = /^\[:(\^?)(.*?):\]/s.exec(this.#rest()) ?? [];
    if (whole === undefined) return undefined;
    const items = POSIX.get(name);
    if (!items) throw new RegexSyntaxError('invalid character class range', whole);
    this.#at += whole.length;
    return { items, isNegated: negation === '^' };
  }

  #range(bracket: number): ClassItem {
    const begin = this.#at;
    const from = this.#classCharacter(bracket);
    const rest = this.#rest();
    if (rest[0] !== '-' || rest[1] === ']') return { from, to: from };
    this.#at += 1;
    const to = this.#classCharacter(bracket);
    if (to >= from) return { from, to };
    throw new RegexSyntaxError('invalid character class range', this.#source.slice(begin, this.#at));
  }

  #classCharacter(bracket: number): number {
    const character = this.#peek();
    if (character === '') throw new RegexSyntaxError('missing closing ]', this.#source.slice(bracket));
    if (character === '\\') return this.#escape();
    this.#at += character.length;
    return character.codePointAt(0) as number;
  }

  #escape(): number {
    const { code, end } = escapeAt(this.#source, this.#at);
    this.#at = end;
    return code;
  }

  #literal(character: string): Node {
    return this.#one(character.codePointAt(0) as number);
  }

  #one(code: number): Node {
    const item = { from: code, to: code };
    return { kind: 'class', class: characterClass([item], { negated: false, fold: this.#flags.fold }) };
  }

  #peek(): string {
    const code = this.#source.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #rest(): string {
    return this.#source.slice(this.#at);
  }
}

function assert(what: Assertion): Node {
  return { kind: 'assert', what };
}

/** Whether counts inside one another stay within the limit when they are multiplied. */
function isFew(node: Node, most: number): boolean {
  switch (node.kind) {
    case 'repeat': {
      const times = Number.isFinite(node.max) ? node.max : node.min;
      if (node.max === 0) return true;
      return times <= most && isFew(node.body, times > 0 ? Math.floor(most / times) : most);
    }
    case 'capture':
      return isFew(node.body, most);
    case 'concat':
    case 'alternate':
      return node.parts.every((part) => isFew(part, most));
    default:
      return true;
  }
}
