import { scaled } from '../../kinds/int-or-string.ts';
import type { Deployment, ReplicaSet } from '../../kinds/objects/workload.ts';

export const wantedBy = (deployment: Deployment): number => deployment.spec.replicas ?? 1;
export const sizeOf = (set: ReplicaSet): number => set.spec.replicas ?? 0;
export const sizeOfAll = (sets: readonly ReplicaSet[]): number => sets.reduce((sum, set) => sum + sizeOf(set), 0);
export const readyOf = (sets: readonly ReplicaSet[]): number =>
  sets.reduce((sum, set) => sum + (set.status?.readyReplicas ?? 0), 0);
export const availableOf = (sets: readonly ReplicaSet[]): number =>
  sets.reduce((sum, set) => sum + (set.status?.availableReplicas ?? 0), 0);
export const runningOf = (sets: readonly ReplicaSet[]): number =>
  sets.reduce((sum, set) => sum + (set.status?.replicas ?? 0), 0);

/** How far a rolling update may go beyond and below the wanted size. Never both zero, or it could not move. */
export function leeway(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  const { strategy } = deployment.spec;
  if (strategy?.type !== 'RollingUpdate') return { surge: 0, unavailable: 0 };
  const wanted = wantedBy(deployment);
  const surge = scaled(strategy.rollingUpdate?.maxSurge, wanted, 'up');
  const unavailable = Math.min(scaled(strategy.rollingUpdate?.maxUnavailable, wanted, 'down'), wanted);
  return surge === 0 && unavailable === 0 ? { surge, unavailable: Math.min(1, wanted) } : { surge, unavailable };
}

/** How large the current ReplicaSet may be now, given what else runs. */
export function allowedCurrent(deployment: Deployment, all: readonly ReplicaSet[], current: number): number {
  const wanted = wantedBy(deployment);
  if (deployment.spec.strategy?.type === 'Recreate') return wanted;
  const room = wanted + leeway(deployment).surge - sizeOfAll(all);
  return room <= 0 ? current : current + Math.min(room, wanted - current);
}
