import { asArgument, asConstant, canBeNil, constant, typeOfArgument } from './arguments.ts';
import type { Budget } from './budget.ts';
import { quote } from './format/quote.ts';
import { FunctionFailure, type GoFunction, type GoType } from './function.ts';
import type { Builtin, Deciding } from './functions/builtin.ts';
import { type Held, hold, Interface, open, typeOfHeld } from './held.ts';
import { LimitExceeded } from './limits.ts';
import type { Place } from './place.ts';
import type { Scope } from './scope.ts';
import { sizeOf } from './size-of.ts';
import type { Chain, Command, Identifier, Node, Pipe, Variable, Word } from './syntax/ast.ts';
import { describe } from './syntax/describe.ts';
import { isTrue } from './truth.ts';
import { typeOf } from './type.ts';
import { GoObject, GoStringMap, type GoValue } from './value.ts';

/** There is no value from a command before. */
const NONE = Symbol('none');
type Final = Held | typeof NONE;

/** Units of work. */
const ARGUMENT = 5;
const FIELD = 10;

/** Evaluates pipelines. It marks every part it looks at, in Go's order, so that messages tell Go's places. */
export class Expressions {
  readonly #place: Place;
  readonly #budget: Budget;
  readonly #complain: (message: string) => never;
  /** The variables of the template that runs. */
  scope: Scope;

  constructor(place: Place, budget: Budget, scope: Scope) {
    this.#place = place;
    this.#budget = budget;
    this.scope = scope;
    this.#complain = (message) => place.fail(message);
  }

  /** The value of the last command, out of its box. Declares or assigns the pipeline's variables. */
  pipeline(dot: Held, pipe: Pipe): undefined | NonNullable<GoValue> {
    this.#place.node = pipe;
    this.#budget.enter();
    let final: Final = NONE;
    let value: undefined | NonNullable<GoValue>;
    for (const command of pipe.commands) {
      value = open(this.#command(dot, command, final));
      final = value;
    }
    this.#budget.leave();
    for (const { name } of pipe.variables) {
      if (pipe.isAssignment) this.assign(name, value);
      else this.scope.declare(name, value);
    }
    return value;
  }

  assign(name: string, value: Held): void {
    if (!this.scope.has(name)) this.#place.fail(`undefined variable: ${name}`);
    this.scope.assign(name, value);
  }

  #command(dot: Held, command: Command, final: Final): Held {
    this.#budget.step();
    const { words } = command;
    const [first] = words;
    switch (first.kind) {
      case 'field':
        this.#place.node = first;
        return this.#fields(dot, dot, first, words, final);
      case 'chain':
        return this.#chain(dot, first, words, final);
      case 'identifier':
        this.#place.node = first;
        return this.#call(dot, first, command, words, final);
      case 'pipe':
        this.#takesNothing(words, final);
        return this.pipeline(dot, first);
      case 'variable':
        return this.#variable(dot, first, words, final);
    }
    this.#place.node = first;
    this.#takesNothing(words, final);
    if (first.kind === 'dot') return dot;
    return first.kind === 'nil' ? this.#place.fail('nil is not a command') : constant(first, this.#complain);
  }

  #takesNothing(words: readonly Word[], final: Final): void {
    const [first] = words;
    if (first && (words.length > 1 || final !== NONE)) {
      this.#place.fail(`can't give argument to non-function ${describe(first)}`);
    }
  }

  #chain(dot: Held, chain: Chain, words: readonly Word[], final: Final): Held {
    this.#place.node = chain.of;
    return this.#fields(dot, this.#operand(dot, chain.of), chain, words, final);
  }

  #variable(dot: Held, variable: Variable, words: readonly Word[], final: Final): Held {
    this.#place.node = variable;
    if (!this.scope.has(variable.name)) this.#place.fail(`undefined variable: ${variable.name}`);
    const value = this.scope.get(variable.name);
    if (variable.fields.length > 0) return this.#fields(dot, value, variable, words, final);
    this.#takesNothing(words, final);
    return value;
  }

  /** `.a.b.c`: the last may be a method, which gets the arguments. */
  #fields(
    dot: Held,
    receiver: Held,
    node: Node & { readonly fields: readonly string[] },
    words: readonly Word[],
    final: Final,
  ): Held {
    this.#budget.work(node.fields.length * FIELD);
    const last = node.fields.length - 1;
    let held = receiver;
    for (let at = 0; at < last; at++) held = this.#field(dot, held, node.fields[at] as string, node, [], NONE);
    return this.#field(dot, held, node.fields[last] as string, node, words, final);
  }

  #field(dot: Held, receiver: Held, name: string, node: Node, words: readonly Word[], final: Final): Held {
    if (receiver === undefined) return this.#place.fail(`nil data; no entry for key ${quote(name)}`);
    const value = open(receiver);
    if (value === undefined) return this.#place.fail(`nil pointer evaluating interface {}.${name}`);
    if (value instanceof Map) {
      if (words.length > 1 || final !== NONE) this.#place.fail(`${name} is not a method but has arguments`);
      return this.#entry(value, name);
    }
    if (value instanceof GoObject) {
      const method = value.methods.get(name);
      if (method) {
        const callee = typeof method === 'function' ? { params: [], call: method } : method;
        return this.#callAny(callee, dot, name, node, words, final);
      }
      const found = value.fields.get(name);
      if (found !== undefined) {
        if (words.length > 1 || final !== NONE) {
          this.#place.fail(`${name} has arguments but cannot be invoked as function`);
        }
        return hold(found);
      }
    }
    return this.#place.fail(`can't evaluate field ${name} in type ${typeOfHeld(receiver)}`);
  }

  #entry(map: ReadonlyMap<string, GoValue>, name: string): Held {
    const value = map.get(name);
    if (value === undefined) return this.#place.fail(`map has no entry for key ${quote(name)}`);
    return map instanceof GoStringMap ? (value as string) : new Interface(value);
  }

  #call(dot: Held, { name, callee }: Identifier, node: Node, words: readonly Word[], final: Final): Held {
    if ('decides' in callee) return this.#decide(callee, dot, name, words, final);
    if ('least' in callee) return this.#callBuiltin(callee, dot, name, node, words, final);
    return this.#callAny(callee, dot, name, node, words, final);
  }

  #decide({ decides }: Deciding, dot: Held, name: string, words: readonly Word[], final: Final): Held {
    this.#count(name, 1, true, words, final);
    this.#budget.work(words.length * ARGUMENT);
    let value: Held;
    for (let at = 1; at < words.length; at++) {
      value = this.#untyped(dot, words[at] as Word);
      if (isTrue(value) === decides) return value;
    }
    return final === NONE ? value : final;
  }

  #callBuiltin(callee: Builtin, dot: Held, name: string, node: Node, words: readonly Word[], final: Final): Held {
    this.#count(name, callee.least, callee.isVariadic, words, final);
    const args: Held[] = [];
    for (let at = 1; at < words.length; at++) args.push(this.#untyped(dot, words[at] as Word));
    if (final !== NONE) args.push(final);
    const first = (): string => (words[1] ? describe(words[1]) : valueText(open(args[0])));
    this.#pay(args);
    try {
      return callee.call(args, this.#budget, first);
    } catch (error) {
      return this.#failed(error, name, node);
    }
  }

  #callAny(callee: GoFunction, dot: Held, name: string, node: Node, words: readonly Word[], final: Final): Held {
    this.#count(name, callee.params.length, callee.variadic !== undefined, words, final);
    const args: GoValue[] = [];
    for (let at = 1; at < words.length; at++) {
      args.push(this.#typed(dot, words[at] as Word, typeOfArgument(callee, at - 1)));
    }
    if (final !== NONE) args.push(asArgument(final, typeOfArgument(callee, args.length), this.#complain));
    this.#pay(args);
    try {
      return hold(callee.call(args, this.#budget));
    } catch (error) {
      return this.#failed(error, name, node);
    }
  }

  /** A function may read all that it is given, whatever it returns: that is paid for before it is called. */
  #pay(args: readonly (Held | GoValue)[]): void {
    let units = args.length * ARGUMENT;
    for (const arg of args) units += sizeOf(arg);
    this.#budget.work(units);
  }

  #count(name: string, least: number, isVariadic: boolean, words: readonly Word[], final: Final): void {
    const written = Math.max(words.length - 1, 0);
    const given = written + (final === NONE ? 0 : 1);
    if (isVariadic) {
      if (given < least) this.#place.fail(`wrong number of args for ${name}: want at least ${least} got ${written}`);
    } else if (given !== least) {
      this.#place.fail(`wrong number of args for ${name}: want ${least} got ${given}`);
    }
  }

  /** A function that throws anything else has a defect; that, too, is told with its place and ends only this rendering. */
  #failed(error: unknown, name: string, node: Node): never {
    if (error instanceof LimitExceeded) throw error;
    this.#place.node = node;
    const message = error instanceof FunctionFailure ? error.message : String(error);
    return this.#place.fail(`error calling ${name}: ${message}`);
  }

  /** An argument for a parameter of a type. */
  #typed(dot: Held, word: Word, type: GoType): GoValue {
    this.#place.node = word;
    switch (word.kind) {
      case 'nil':
        return canBeNil(type) ? null : this.#place.fail(`cannot assign nil to ${type}`);
      case 'bool':
      case 'number':
      case 'string':
        return asConstant(word, type, this.#complain);
      default:
        return asArgument(this.#operand(dot, word), type, this.#complain);
    }
  }

  /** An argument for a function that looks at the value itself. */
  #untyped(dot: Held, word: Word): Held {
    this.#place.node = word;
    switch (word.kind) {
      case 'nil':
        return undefined;
      case 'bool':
      case 'number':
      case 'string':
        return constant(word, this.#complain);
      default:
        return this.#operand(dot, word);
    }
  }

  #operand(dot: Held, word: Word): Held {
    this.#budget.step();
    switch (word.kind) {
      case 'field':
        return this.#fields(dot, dot, word, [], NONE);
      case 'variable':
        return this.#variable(dot, word, [], NONE);
      case 'pipe':
        return this.pipeline(dot, word);
      case 'identifier':
        return this.#call(dot, word, word, [], NONE);
      case 'chain':
        return this.#chain(dot, word, [], NONE);
      default:
        return dot;
    }
  }
}

/** A value of which a message has no name, as Go's reflection writes it: a text is itself, of others only the type is told. */
function valueText(value: undefined | NonNullable<GoValue>): string {
  return typeof value === 'string' ? value : `<${typeOf(value ?? null)} Value>`;
}
