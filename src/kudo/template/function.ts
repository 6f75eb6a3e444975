import type { GoValue } from './value.ts';

/** What a function takes for a parameter, in Go's words: they are in the messages when something else is given. */
export type GoType =
  | 'interface {}'
  | 'string'
  | 'bool'
  | 'int'
  | 'int32'
  | 'int64'
  | 'uint32'
  | 'float64'
  | '[]interface {}'
  | '[]string'
  | 'map[string]interface {}'
  /** Named types, as their `GoObject` says: `time.Time`. */
  | (string & {});

/**
 * A function that templates may call. The evaluator has checked the number and types of the arguments, as Go's reflection
 * would; so `call` may rely on them. It throws `FunctionFailure` where the Go function returns an error or panics.
 */
export interface GoFunction {
  readonly params: readonly GoType[];
  /** The type of any further arguments. */
  readonly variadic?: GoType;
  call(args: readonly GoValue[], room: Room): GoValue;
}

export type FunctionTable = ReadonlyMap<string, GoFunction>;

/** What a running template may use of the world: nothing but chance that is no chance, and only so much memory and work. */
export interface Room {
  /**
   * So many bytes that look random and are the same for ever for the same key, template and place in it. Throws
   * `FunctionFailure` when there is no key, as in a package check, unless that check brings one.
   */
  random(bytes: number): Uint8Array;
  /** Counts characters (or items) that a function is about to make; throws `LimitExceeded` when it is too much. */
  charge(amount: number): void;
  /**
   * Counts work beyond one unit (`limits.ts`) for each character or item that the function is given, which the evaluator
   * has counted, and for each that it makes; throws `LimitExceeded` when it is too much.
   */
  work(units: number): void;
}

/** The function's own error: the evaluator adds where in the template it was called. */
export class FunctionFailure extends Error {
  override readonly name = 'FunctionFailure';
}
