import { typeOf } from './type.ts';
import type { GoValue } from './value.ts';

/**
 * A value as Go's reflection holds it while a template runs. There is more to tell apart than in a `GoValue`:
 *
 * - `undefined` is no value at all: it prints as `<no value>`;
 * - `Interface` is an element of a map or a list of anything, still in its box: what is in it can be nil, and messages
 *   call its type `interface {}`;
 * - anything else is itself, and never null.
 */
export type Held = undefined | NonNullable<GoValue> | Interface;

export class Interface {
  readonly value: GoValue;

  constructor(value: GoValue) {
    this.value = value;
  }
}

/** An element that is nil. */
export const NIL = new Interface(null);

/** What is in the box; no value if that is nil. */
export function open(held: Held): undefined | NonNullable<GoValue> {
  return held instanceof Interface ? (held.value ?? undefined) : held;
}

/** The other way: a nil becomes a box, everything else needs none. */
export function hold(value: GoValue): Held {
  return value ?? NIL;
}

/** The type in messages. */
export function typeOfHeld(held: NonNullable<Held>): string {
  return held instanceof Interface ? 'interface {}' : typeOf(held);
}
