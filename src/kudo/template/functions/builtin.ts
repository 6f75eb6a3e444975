import type { Room } from '../function.ts';
import type { Held } from '../held.ts';

/**
 * A function of Go's own. Unlike others it sees whether a value is absent or nil, and says so in its messages.
 * It throws `FunctionFailure` where the Go function returns an error or panics.
 */
export interface Builtin {
  /** How many arguments it needs. */
  readonly least: number;
  /** Whether it takes more. */
  readonly isVariadic: boolean;
  /** `first` writes out the first argument as it stands in the template. */
  call(args: readonly Held[], room: Room, first: () => string): Held;
}

/** `and` and `or`: the value is the first argument that is true (or false), and those after it are not evaluated. */
export interface Deciding {
  readonly decides: boolean;
}
