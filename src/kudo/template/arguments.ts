import type { GoFunction, GoType } from './function.ts';
import { type Held, open, typeOfHeld } from './held.ts';
import type { Bool, NumberLiteral, StringLiteral } from './syntax/ast.ts';
import { describe } from './syntax/describe.ts';
import { typeOf } from './type.ts';
import { GoInt, type GoValue } from './value.ts';

/** Says what is wrong with an argument; the evaluator knows where. */
type Complain = (message: string) => never;

/** The type of the argument at a place, which the function is known to take. */
export function typeOfArgument(callee: GoFunction, place: number): GoType {
  return callee.params[place] ?? (callee.variadic as GoType);
}

/** Whether a parameter of the type can be nil. Structs, such as a time, and basic types cannot. */
export function canBeNil(type: GoType): boolean {
  return type === 'interface {}' || type === 'error' || /^(?:\[\]|map\[|\*)/.test(type);
}

/** A value as an argument: as it is, or out of its box. Numbers are never converted. */
export function asArgument(held: Held, type: GoType, complain: Complain): GoValue {
  if (type === 'interface {}') return open(held) ?? null;
  if (held === undefined) return canBeNil(type) ? null : complain(`invalid value; expected ${type}`);
  const value = open(held);
  if (value !== undefined && typeOf(value) === type) return value;
  const found = value === undefined ? typeOfHeld(held) : typeOf(value);
  return complain(`wrong type for value; expected ${type}; got ${found}`);
}

/** A constant as an argument: here a number becomes what is asked for, if it can. */
export function asConstant(word: Bool | NumberLiteral | StringLiteral, type: GoType, complain: Complain): GoValue {
  switch (type) {
    case 'interface {}':
      return constant(word, complain);
    case 'string':
      return word.kind === 'string' ? word.text : complain(`expected string; found ${describe(word)}`);
    case 'bool':
      return word.kind === 'bool' ? word.value : complain(`expected bool; found ${describe(word)}`);
    case 'float64':
      return word.kind === 'number' ? word.float : complain(`expected float; found ${describe(word)}`);
    case 'int':
      return new GoInt('int', integer(word, complain));
    case 'int32':
      return new GoInt('int32', BigInt.asIntN(32, integer(word, complain)));
    case 'int64':
      return new GoInt('int64', integer(word, complain));
    case 'uint32':
      return word.kind === 'number' && word.uint !== undefined
        ? new GoInt('uint32', BigInt.asUintN(32, word.uint))
        : complain(`expected unsigned integer; found ${describe(word)}`);
    default:
      return complain(`can't handle ${describe(word)} for arg of type ${type}`);
  }
}

/** A constant where nobody asks for a type. */
export function constant(word: Bool | NumberLiteral | StringLiteral, complain: Complain): NonNullable<GoValue> {
  if (word.kind === 'string') return word.text;
  return word.value ?? complain(`${describe(word)} overflows int`);
}

function integer(word: Bool | NumberLiteral | StringLiteral, complain: Complain): bigint {
  return word.kind === 'number' && word.int !== undefined
    ? word.int
    : complain(`expected integer; found ${describe(word)}`);
}
