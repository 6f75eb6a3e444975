import { type Position, Positions } from './positions.ts';
import type { Branch, Command, List, Pipe, Statement, Word } from './syntax/ast.ts';
import { elseBranch } from './syntax/else-branch.ts';
import type { Template } from './template.ts';

export type { Position } from './positions.ts';

/** What a template reads of what KUDO gives it. */
export interface TemplateUse {
  /** Parameters by name, with every place. */
  readonly params: ReadonlyMap<string, readonly Position[]>;
  readonly pipes: ReadonlySet<string>;
  /** `.Name`, `.Namespace` and the other names at the root. */
  readonly implicits: ReadonlyMap<string, readonly Position[]>;
  /** Whether `.Params` is used as a whole (ranged over, indexed by a value, passed on): any parameter may then be read. */
  readonly wholeParams: boolean;
}

/**
 * Finds what a template reads, without running it: in every branch, and in templates that are defined and perhaps never
 * called. A chain with `.Params.X` in it counts wherever it is, as what the dot is inside of `with`, `range` and `define`
 * is only known when it runs; so it may name too much, and never too little.
 */
export function usesOf(template: Template): TemplateUse {
  const walk = new Walk(new Positions(template.text));
  for (const [name, list] of template.lists) walk.list(list, name === template.name);
  return walk;
}

/** Functions that only put their arguments somewhere: what is read of them is seen where it is read. */
const CONTAINERS: ReadonlySet<string> = new Set(['dict', 'list', 'tuple', 'set', 'append', 'prepend']);

class Walk implements TemplateUse {
  readonly params = new Map<string, Position[]>();
  readonly pipes = new Set<string>();
  readonly implicits = new Map<string, Position[]>();
  wholeParams = false;
  readonly #positions: Positions;

  constructor(positions: Positions) {
    this.#positions = positions;
  }

  /** `isRoot`: the dot is what KUDO gave. */
  list({ nodes }: List, isRoot: boolean): void {
    for (const node of nodes) this.#statement(node, isRoot);
  }

  #statement(node: Statement, isRoot: boolean): void {
    switch (node.kind) {
      case 'action':
        this.#pipe(node.pipe, isRoot);
        return;
      case 'if':
      case 'with':
      case 'range':
        this.#branches(node, isRoot);
        return;
      case 'template':
        if (node.pipe && !isPassedOn(node.pipe)) this.#pipe(node.pipe, isRoot);
    }
  }

  #branches(first: Branch, isRoot: boolean): void {
    for (let node: Branch | undefined = first; node; ) {
      this.#pipe(node.pipe, isRoot);
      this.list(node.list, isRoot && node.kind === 'if');
      const next = elseBranch(node);
      if (node.otherwise && !next) this.list(node.otherwise, isRoot);
      node = next;
    }
  }

  #pipe(pipe: Pipe, isRoot: boolean): void {
    if (pipe.variables.length > 0 && isPassedOn(pipe)) return;
    for (const command of pipe.commands) this.#command(command, isRoot);
  }

  #command({ words }: Command, isRoot: boolean): void {
    const [first, second, third] = words;
    const name = first.kind === 'identifier' ? first.name : '';
    const key = name === 'index' && third?.kind === 'string' ? third.text : undefined;
    for (const word of words) {
      if (word === second && key !== undefined) this.#chain(word, [...fieldsOf(word), key], isRoot);
      else if (!CONTAINERS.has(name) || (word.kind !== 'dot' && !isDollar(word))) this.#word(word, isRoot);
    }
  }

  #word(word: Word, isRoot: boolean): void {
    switch (word.kind) {
      case 'dot':
        if (isRoot) this.wholeParams = true;
        return;
      case 'pipe':
        this.#pipe(word, isRoot);
        return;
      case 'field':
      case 'variable':
      case 'chain':
        this.#chain(word, fieldsOf(word), isRoot);
    }
  }

  #chain(word: Word, fields: readonly string[], isRoot: boolean): void {
    if (word.kind === 'chain' && fields === word.fields) this.#word(word.of, isRoot);
    else if (word.kind === 'pipe' && fieldsOf(word).length === 0) this.#pipe(word, isRoot);
    if (isDollar(word) && fields.length === 0) this.wholeParams = true;
    const [first] = fields;
    const params = fields.indexOf('Params');
    const pipes = fields.indexOf('Pipes');
    const isAtRoot = (word.kind === 'field' && isRoot) || (word.kind === 'variable' && word.name === '$');
    if (params >= 0) this.#param(word, fields[params + 1]);
    else if (pipes >= 0) this.#pipeOf(fields[pipes + 1]);
    else if (isAtRoot && first !== undefined) this.#note(this.implicits, first, word);
  }

  #param(word: Word, name: string | undefined): void {
    if (name === undefined) this.wholeParams = true;
    else this.#note(this.params, name, word);
  }

  #pipeOf(name: string | undefined): void {
    if (name !== undefined) this.pipes.add(name);
  }

  #note(uses: Map<string, Position[]>, name: string, word: Word): void {
    const places = uses.get(name) ?? [];
    uses.set(name, places);
    places.push(this.#positions.of(word.at));
  }
}

/** The fields that are taken one after the other, also through parentheses: `(.Params).X`. */
function fieldsOf(word: Word): readonly string[] {
  switch (word.kind) {
    case 'field':
    case 'variable':
      return word.fields;
    case 'chain': {
      const inner = fieldsOf(word.of);
      return inner.length === 0 ? word.fields : [...inner, ...word.fields];
    }
    case 'pipe': {
      const [command, ...more] = word.commands;
      return command && more.length === 0 && command.words.length === 1 ? fieldsOf(command.words[0]) : [];
    }
    default:
      return [];
  }
}

function isDollar(word: Word): boolean {
  return word.kind === 'variable' && word.name === '$' && word.fields.length === 0;
}

/** Only the dot or `$`, for another template or a variable. */
function isPassedOn({ commands }: Pipe): boolean {
  const [command, ...more] = commands;
  if (command === undefined || more.length > 0 || command.words.length > 1) return false;
  const [word] = command.words;
  return word.kind === 'dot' || isDollar(word);
}
