import { stamped } from '../../control/actions/apply.ts';
import { annotations } from '../../control/annotations.ts';
import { contains } from '../../control/contains.ts';
import type { KubeObject } from '../../kube/object.ts';

/**
 * Whether applying `wanted` would change nothing: it was the last that we applied, and nobody has changed it since. Sealed
 * values are compared by fingerprint, so both must be sealed alike.
 */
export function upToDate(live: KubeObject | undefined, wanted: KubeObject): boolean {
  if (!live) return false;
  const hash = stamped(wanted).metadata.annotations?.[annotations.applied];
  return live.metadata.annotations?.[annotations.applied] === hash && contains(live, wanted);
}
