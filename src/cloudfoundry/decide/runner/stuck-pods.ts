import { type RemoveAction, refTo } from '../../../control/decision.ts';
import type { Instance } from './instance.ts';
import type { LiveSet } from './live-set.ts';

/**
 * Removes pods of another revision that are not ready: they serve nobody, and count against what may be unavailable, so some
 * versions of Kubernetes wait for them for ever. Those that do not have removed them by the time that their controller says it
 * has seen the new template.
 *
 * A pod that became ready meanwhile stays: the removal holds for the version that was looked at.
 */
export function stuckPods(version: string, live: LiveSet, instances: readonly Instance[]): readonly RemoveAction[] {
  if (!live.observed || live.version !== version) return [];
  return instances
    .filter((one) => one.version !== version && !one.ready && !one.ending)
    .filter(({ ordinal }) => ordinal >= live.partition && ordinal < live.replicas)
    .map(({ pod }) => ({ do: 'delete', of: refTo(pod) }));
}
