import type { OperatorVersion } from '../resources/operator-version.ts';
import { definitionsOf } from './definitions.ts';

/**
 * Seed 004: the flags of all changed parameters are OR-ed, and a flag is true unless it says `false`. A parameter that the
 * version does not know (any more) has no flag that could say so, and is true as well. `false` when nothing changed: then it
 * is not for parameters to say.
 */
export function isForced(changed: readonly string[], version: OperatorVersion): boolean {
  const definitions = definitionsOf(version);
  return changed.some((name) => definitions.get(name)?.forcePodRestart !== false);
}
