import { byBytes } from '../format/bytes.ts';
import { PLAIN } from '../format/directive.ts';
import { Printer } from '../format/printer.ts';
import { FunctionFailure, type Room } from '../function.ts';
import { type Held, open } from '../held.ts';
import { kindOf, typeOf } from '../type.ts';
import { GoInt, GoList, GoObject, type GoValue } from '../value.ts';
import type { Builtin } from './builtin.ts';

type Value = NonNullable<GoValue>;
type Basic = 'bool' | 'int' | 'float' | 'string' | 'other';

/** `eq` (to any of the others), `ne`, `lt`, `le`, `gt`, `ge`: numbers only compare with numbers of their sort. */
export const COMPARISONS: ReadonlyMap<string, Builtin> = new Map([
  ['eq', { least: 1, isVariadic: true, call: equalsAny }],
  ['ne', comparison((one, other, room) => !equals(one, other, room))],
  ['lt', comparison(isLess)],
  ['le', comparison((one, other, room) => isLess(one, other) || equals(one, other, room))],
  ['gt', comparison((one, other, room) => !isLess(one, other) && !equals(one, other, room))],
  ['ge', comparison((one, other) => !isLess(one, other))],
]);

function comparison(holds: (one: Held, other: Held, room: Room) => boolean): Builtin {
  return { least: 2, isVariadic: false, call: ([one, other], room) => holds(one, other, room) };
}

function equalsAny([one, ...others]: readonly Held[], room: Room): boolean {
  if (others.length === 0) throw new FunctionFailure('missing argument for comparison');
  return others.some((other) => equals(one, other, room));
}

function equals(oneHeld: Held, otherHeld: Held, room: Room): boolean {
  const one = open(oneHeld);
  const other = open(otherHeld);
  if (one === undefined || other === undefined) return one === other;
  if (one instanceof GoInt && other instanceof GoInt) return one.value === other.value;
  if (basic(one) !== basic(other)) throw incompatible(one, other);
  return sameThing(one, other, room);
}

/** Only things of Go types that `==` takes. A pointer equals itself, a struct one with the same in it. */
function sameThing(one: Value, other: Value, room: Room): boolean {
  const printer = new Printer(room);
  const text = (value: Value): string => printer.print(value, 's', PLAIN);
  if (kindOf(one) !== kindOf(other)) {
    const [first, second] = [`${text(one)}: ${typeOf(one)}`, `${typeOf(other)}: ${printer.print(other, 'v', PLAIN)}`];
    throw new FunctionFailure(`non-comparable types ${first}, ${second}`);
  }
  if (other instanceof Map || Array.isArray(other) || other instanceof GoList) {
    throw new FunctionFailure(`non-comparable type ${text(other)}: ${typeOf(other)}`);
  }
  if (one === other) return true;
  if (!(one instanceof GoObject && other instanceof GoObject) || kindOf(one) === 'ptr') return false;
  return one.type === other.type && one.text === other.text;
}

function isLess(oneHeld: Held, otherHeld: Held): boolean {
  const one = ordered(oneHeld);
  const other = ordered(otherHeld);
  if (one instanceof GoInt && other instanceof GoInt) return one.value < other.value;
  if (typeof one === 'number' && typeof other === 'number') return one < other;
  if (typeof one === 'string' && typeof other === 'string') return byBytes(one, other) < 0;
  if (basic(one) !== basic(other)) throw incompatible(one, other);
  throw invalid();
}

function ordered(held: Held): Value {
  const value = open(held);
  if (value === undefined || basic(value) === 'other') throw invalid();
  return value;
}

function basic(value: Value): Basic {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
  }
  return value instanceof GoInt ? 'int' : 'other';
}

function incompatible(one: Value, other: Value): FunctionFailure {
  return new FunctionFailure(`incompatible types for comparison: ${typeOf(one)} and ${typeOf(other)}`);
}

function invalid(): FunctionFailure {
  return new FunctionFailure('invalid type for comparison');
}
