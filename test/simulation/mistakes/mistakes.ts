import { blueGreenMistakes } from './bluegreen.ts';
import { indirectMistakes } from './indirect.ts';
import { intermediateMistakes } from './intermediate.ts';
import type { Mistake } from './mistake.ts';
import { staleMistakes } from './stale.ts';
import { unobservedMistakes } from './unobserved.ts';

/** Known bugs of this field, made on purpose: the simulation must notice each of them. */
export const mistakes: readonly Mistake[] = [
  ...staleMistakes,
  ...intermediateMistakes,
  ...unobservedMistakes,
  ...indirectMistakes,
  ...blueGreenMistakes,
];
