import type { BlueGreenCase, Place } from './blue-green-case.ts';
import type { BlueGreenStep } from './blue-green-step.ts';

/** One row of the table of states and changes: the code that decides and the words that tell of it, in one place. */
export interface Row<C extends BlueGreenCase = BlueGreenCase> {
  /** Unique; named after what happened. */
  readonly id: string;
  readonly in: Place;
  /** What happened, for people. */
  readonly on: string;
  /** What is done about it, for people. */
  readonly does: string;
  when(c: C): boolean;
  step(c: C): BlueGreenStep;
}
