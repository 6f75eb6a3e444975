import type { Budget } from './budget.ts';
import { Expressions } from './expressions.ts';
import { sortedKeys, workOfSorting } from './format/bytes.ts';
import { quote } from './format/quote.ts';
import { text } from './format/sprint.ts';
import { type Held, Interface, NIL } from './held.ts';
import type { Place } from './place.ts';
import { Scope } from './scope.ts';
import type { Branch, Invocation, List, Pipe, Statement } from './syntax/ast.ts';
import { elseBranch } from './syntax/else-branch.ts';
import { isTrue } from './truth.ts';
import { GoInt, GoList, GoStringMap, type GoValue } from './value.ts';

/** How a statement ended: the innermost `range` acts on the latter two. */
type Ending = 'done' | 'break' | 'continue';

/** Runs the statements of a template and of those it calls, and collects what they print. */
export class Statements {
  readonly #templates: ReadonlyMap<string, List>;
  readonly #place: Place;
  readonly #budget: Budget;
  readonly #expressions: Expressions;
  #output = '';

  constructor(templates: ReadonlyMap<string, List>, place: Place, budget: Budget, data: Held) {
    this.#templates = templates;
    this.#place = place;
    this.#budget = budget;
    this.#expressions = new Expressions(place, budget, new Scope(data));
  }

  run(list: List, data: Held): string {
    this.#list(data, list);
    return this.#output;
  }

  #list(dot: Held, list: List): Ending {
    for (const node of list.nodes) {
      const ending = this.#statement(dot, node);
      if (ending !== 'done') return ending;
    }
    return 'done';
  }

  #statement(dot: Held, node: Statement): Ending {
    this.#place.node = node;
    this.#budget.step();
    switch (node.kind) {
      case 'text':
        this.#print(node.text);
        return 'done';
      case 'action': {
        const value = this.#expressions.pipeline(dot, node.pipe);
        if (node.pipe.variables.length > 0) return 'done';
        this.#place.node = node;
        this.#print(value === undefined ? '<no value>' : text(value, this.#budget));
        return 'done';
      }
      case 'if':
      case 'with':
        return this.#choose(dot, node);
      case 'range':
        return this.#range(dot, node);
      case 'template':
        return this.#invoke(dot, node);
      case 'break':
      case 'continue':
        return node.kind;
    }
  }

  #print(printed: string): void {
    this.#budget.print(printed.length);
    this.#output += printed;
  }

  #choose(dot: Held, first: Branch): Ending {
    const { scope } = this.#expressions;
    const { size } = scope;
    let node = first;
    let value = this.#expressions.pipeline(dot, node.pipe);
    for (let next = elseBranch(node); next && !isTrue(value); next = elseBranch(node)) {
      node = next;
      this.#place.node = node;
      this.#budget.step();
      value = this.#expressions.pipeline(dot, node.pipe);
    }
    this.#budget.enter();
    let ending: Ending = 'done';
    if (isTrue(value)) ending = this.#list(node.kind === 'with' ? value : dot, node.list);
    else if (node.otherwise) ending = this.#list(dot, node.otherwise);
    this.#budget.leave();
    scope.shrink(size);
    return ending;
  }

  #range(dot: Held, node: Branch): Ending {
    const { scope } = this.#expressions;
    const { size } = scope;
    const value = this.#expressions.pipeline(dot, node.pipe);
    const inside = scope.size;
    this.#budget.enter();
    let isEmpty = true;
    let ending: Ending = 'done';
    for (const [index, element] of this.#elements(value, node.pipe)) {
      isEmpty = false;
      this.#budget.step();
      this.#setVariables(node.pipe, index, element);
      const inner = this.#list(element, node.list);
      scope.shrink(inside);
      if (inner === 'break') break;
    }
    if (isEmpty && node.otherwise) ending = this.#list(dot, node.otherwise);
    this.#budget.leave();
    scope.shrink(size);
    // Go ends this range, not the one around it, when its else has a break.
    return ending === 'break' ? 'done' : ending;
  }

  /** The elements with their indexes or keys; maps by key. A map that changes meanwhile is ranged over as it was. */
  #elements(value: undefined | NonNullable<GoValue>, { variables }: Pipe): Iterable<readonly [Held, Held]> {
    if (value === undefined) return [];
    if (Array.isArray(value)) return indexed(value, boxed);
    if (value instanceof GoList) return indexed(value.items, (item) => item ?? NIL);
    if (value instanceof Map) this.#budget.work(workOfSorting(value.keys()));
    if (value instanceof GoStringMap) return sortedKeys(value).map((key) => [key, value.get(key)] as const);
    if (value instanceof Map) return sortedKeys(value).map((key) => [key, boxed(value.get(key) ?? null)] as const);
    if (!(value instanceof GoInt)) return this.#place.fail(`range can't iterate over ${text(value, this.#budget)}`);
    if (variables.length > 1) this.#place.fail(`can't use ${value.value} to iterate over more than one variable`);
    return numbers(value);
  }

  #setVariables({ variables }: Pipe, index: Held, element: Held): void {
    const [first, second] = variables;
    if (first === undefined) return;
    this.#expressions.assign(first.name, second ? index : element);
    if (second) this.#expressions.assign(second.name, element);
  }

  /** No variables but `$` go into a template. */
  #invoke(dot: Held, node: Invocation): Ending {
    const list = this.#templates.get(node.name);
    if (list === undefined) return this.#place.fail(`template ${quote(node.name)} not defined`);
    const data = node.pipe ? this.#expressions.pipeline(dot, node.pipe) : undefined;
    const { scope } = this.#expressions;
    const { executing } = this.#place;
    this.#budget.enter();
    this.#expressions.scope = new Scope(data);
    this.#place.executing = node.name;
    this.#list(data, list);
    this.#place.executing = executing;
    this.#expressions.scope = scope;
    this.#budget.leave();
    return 'done';
  }
}

function boxed(value: GoValue): Held {
  return value === null ? NIL : new Interface(value);
}

function* indexed(items: readonly GoValue[], held: (item: GoValue) => Held): Iterable<readonly [Held, Held]> {
  for (const [index, item] of items.entries()) yield [new GoInt('int', BigInt(index)), held(item)];
}

function* numbers({ type, value }: GoInt): Iterable<readonly [Held, Held]> {
  for (let at = 0n; at < value; at++) yield [undefined, new GoInt(type, at)];
}
