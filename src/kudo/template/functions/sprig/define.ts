import { FunctionFailure, type GoFunction, type Room } from '../../function.ts';
import { sizeOf } from '../../size-of.ts';
import { GoInt, type GoMap, type GoObject, type GoValue } from '../../value.ts';

/** What `call` receives for each Go type. Lengths and counts come as plain numbers: none of them needs 64 bits. */
interface Given {
  readonly 'interface {}': GoValue;
  readonly string: string;
  readonly bool: boolean;
  readonly int: number;
  readonly uint32: number;
  readonly float64: number;
  readonly '[]interface {}': readonly GoValue[];
  readonly 'map[string]interface {}': GoMap;
  readonly 'time.Time': GoObject;
  readonly 'sprig.certificate': GoObject;
}

type Params = readonly (keyof Given)[];
type Arguments<P extends Params> = { -readonly [I in keyof P]: Given[P[I]] };

/**
 * A function with so many parameters: the types of the arguments follow from the Go types. A text that it returns is
 * charged, so `call` pays in advance only for what can be much longer than what it was given.
 */
export function define<const P extends Params>(
  params: P,
  call: (args: Arguments<P>, room: Room) => GoValue,
): GoFunction {
  return {
    params,
    call: (args, room) => charged(call(args.map((arg, i) => given(params[i], arg)) as Arguments<P>, room), room),
  };
}

/** A function that takes any number of further arguments after the fixed ones. */
export function defineVariadic<const P extends Params, V extends keyof Given>(
  params: P,
  variadic: V,
  call: (args: Arguments<P>, more: readonly Given[V][], room: Room) => GoValue,
): GoFunction {
  return {
    params,
    variadic,
    call(args, room) {
      const fixed = args.slice(0, params.length).map((arg, i) => given(params[i], arg));
      const more = args.slice(params.length).map((arg) => given(variadic, arg));
      return charged(call(fixed as Arguments<P>, more as Given[V][], room), room);
    },
  };
}

/** The same function, which takes so many more units of work for each character or item that it is given. */
export function slow(units: number, made: GoFunction): GoFunction {
  return {
    ...made,
    call(args, room) {
      for (const arg of args) room.work(units * sizeOf(arg));
      return made.call(args, room);
    },
  };
}

/** Go's nil map, which is what `nil` is where a map is wanted: it can be read, but nothing can be put into it. */
export class NilMap extends Map<string, GoValue> {
  override set(): never {
    throw new FunctionFailure('assignment to entry in nil map');
  }
}

function given(type: keyof Given | undefined, arg: GoValue): GoValue {
  if (arg === null && type === 'map[string]interface {}') return new NilMap();
  return arg instanceof GoInt && (type === 'int' || type === 'uint32') ? Number(arg.value) : arg;
}

function charged(result: GoValue, room: Room): GoValue {
  if (typeof result === 'string') room.charge(result.length);
  return result;
}

export function int(value: number | bigint): GoInt {
  return new GoInt('int', BigInt(value));
}

export function int64(value: bigint): GoInt {
  return new GoInt('int64', BigInt.asIntN(64, value));
}
