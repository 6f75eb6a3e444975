import type { Deployment, ReplicaSet } from '../../kinds/objects/workload.ts';
import { allowedCurrent, availableOf, leeway, sizeOf, sizeOfAll, wantedBy } from './sizes.ts';

/** One change of size, as a decision. */
export interface Step {
  readonly set: ReplicaSet;
  readonly size: number;
}

/** How the current ReplicaSet should be sized now. `undefined` when it is right. */
export function growCurrent(deployment: Deployment, current: ReplicaSet, all: readonly ReplicaSet[]): Step | undefined {
  const wanted = wantedBy(deployment);
  const size = sizeOf(current);
  if (size === wanted) return undefined;
  const next = size > wanted ? wanted : allowedCurrent(deployment, all, size);
  return next === size ? undefined : { set: current, size: next };
}

/**
 * How far old ReplicaSets may shrink now without the Deployment falling below what must stay available.
 *
 * Pods of the current ReplicaSet that are not available yet count as if they never will be. Old pods that are not
 * available themselves go first: they serve nobody, and with a broken current version there is no other way on.
 */
export function shrinkOld(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): readonly Step[] {
  const all = current ? [...old, current] : old;
  const least = wantedBy(deployment) - leeway(deployment).unavailable;
  const notYet = current ? sizeOf(current) - (current.status?.availableReplicas ?? 0) : 0;
  let removable = sizeOfAll(all) - least - notYet;
  if (removable <= 0) return [];

  const sizes = new Map(old.map((set) => [set, sizeOf(set)] as const));
  for (const set of old) {
    const broken = sizeOf(set) - (set.status?.availableReplicas ?? 0);
    const removed = Math.max(0, Math.min(broken, removable));
    sizes.set(set, sizeOf(set) - removed);
    removable -= removed;
  }

  let spare = availableOf(all) - least;
  for (const set of old) {
    const size = sizes.get(set) ?? 0;
    const removed = Math.max(0, Math.min(size, spare, removable));
    sizes.set(set, size - removed);
    spare -= removed;
    removable -= removed;
  }
  return old.filter((set) => sizes.get(set) !== sizeOf(set)).map((set) => ({ set, size: sizes.get(set) ?? 0 }));
}
