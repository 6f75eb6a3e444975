import type { CharacterClass } from './character-class.ts';
import type { Assertion, Node, Regex } from './node.ts';
import { RegexSyntaxError } from './syntax-error.ts';

/** One step of a matcher. Targets are numbers of instructions. */
export type Instruction =
  | { readonly op: 'class'; readonly class: CharacterClass; readonly next: number }
  | { readonly op: 'assert'; readonly what: Assertion; readonly next: number }
  | { readonly op: 'save'; readonly slot: number; readonly next: number }
  /** Both ways, the first one preferred. */
  | { readonly op: 'split'; readonly first: number; readonly second: number }
  | { readonly op: 'match' };

export interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
  readonly groups: number;
  readonly names: Regex['names'];
}

/** Counts are written out, so an expression can become much longer than it looks. */
const LONGEST = 100_000;

/** Makes the program of an expression, from its end to its beginning: so each part knows what comes after it. */
export function compile(regex: Regex, source: string): Program {
  const instructions: Instruction[] = [];
  const add = (instruction: Instruction): number => {
    if (instructions.length >= LONGEST) throw new RegexSyntaxError('expression too large', source);
    return instructions.push(instruction) - 1;
  };

  /** The instruction with which the node begins, when `next` comes after it. */
  const emit = (node: Node, next: number): number => {
    switch (node.kind) {
      case 'class':
        return add({ op: 'class', class: node.class, next });
      case 'assert':
        return add({ op: 'assert', what: node.what, next });
      case 'capture':
        return add({
          op: 'save',
          slot: 2 * node.index,
          next: emit(node.body, add({ op: 'save', slot: 2 * node.index + 1, next })),
        });
      case 'concat':
        return node.parts.reduceRight((after, part) => emit(part, after), next);
      case 'alternate':
        return node.parts
          .map((part) => emit(part, next))
          .reduceRight((others, first) => add({ op: 'split', first, second: others }));
      case 'repeat':
        return emitRepeat(node, next);
    }
  };

  const split = (preferred: boolean, body: number, next: number): number =>
    add(preferred ? { op: 'split', first: body, second: next } : { op: 'split', first: next, second: body });

  const emitRepeat = (node: Node & { readonly kind: 'repeat' }, next: number): number => {
    const { body, min, max, greedy } = node;
    let begin = next;
    if (Number.isFinite(max)) {
      // x{0,2} is (x(x)?)?: whoever leaves, leaves for good.
      for (let i = min; i < max; i += 1) begin = split(greedy, emit(body, begin), next);
      for (let i = 0; i < min; i += 1) begin = emit(body, begin);
      return begin;
    }
    begin = loop(body, greedy, next, min === 0 && !isNullable(body) ? 'star' : 'plus');
    if (min === 0 && isNullable(body)) begin = split(greedy, begin, next);
    for (let i = 1; i < min; i += 1) begin = emit(body, begin);
    return begin;
  };

  /** A way back from the end of the body to its beginning; the number of the split is known only afterwards. */
  const loop = (body: Node, greedy: boolean, next: number, enters: 'star' | 'plus'): number => {
    const back = add({ op: 'match' });
    const begin = emit(body, back);
    instructions[back] = greedy
      ? { op: 'split', first: begin, second: next }
      : { op: 'split', first: next, second: begin };
    return enters === 'star' ? back : begin;
  };

  const start = emit({ kind: 'capture', index: 0, body: regex.root }, add({ op: 'match' }));
  return { instructions, start, groups: regex.groups, names: regex.names };
}

/** Whether it can match nothing. An expression that must not match there still counts, as in Go. */
function isNullable(node: Node): boolean {
  switch (node.kind) {
    case 'assert':
      return true;
    case 'class':
      return false;
    case 'capture':
      return isNullable(node.body);
    case 'concat':
      return node.parts.every(isNullable);
    case 'alternate':
      return node.parts.some(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.body);
  }
}
