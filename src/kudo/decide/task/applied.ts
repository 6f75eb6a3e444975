import { stamped } from '../../../control/actions/apply.ts';
import { annotations } from '../../../control/annotations.ts';
import type { AnyObject, KubeObject } from '../../../kube/object.ts';

/**
 * Whether exactly this object was the last that we applied. What the server made of it (`1` of `1000m`) does not matter, nor
 * what others changed since: the next execution sets that right.
 */
export function wasApplied(live: AnyObject, wanted: KubeObject): boolean {
  const stamp = stamped(wanted).metadata.annotations?.[annotations.applied];
  return stamp !== undefined && live.metadata.annotations?.[annotations.applied] === stamp;
}
