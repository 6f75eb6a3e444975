import type { AppWorkloadSpec } from '../../resources/app-workload.ts';
import { allRun, countReady, type Instance } from './instance.ts';
import type { LiveSet } from './live-set.ts';

/** How large a StatefulSet is, and how it replaces its pods. */
export interface Shape {
  readonly replicas: number;
  /** How it rolls; absent while it is at rest, when its strategy is nobody's business. */
  readonly roll?: {
    readonly partition: number;
    readonly maxUnavailable: number;
    /** Whether it is over: written once more, and then at rest. */
    readonly over: boolean;
  };
}

/**
 * The shape that a StatefulSet should have now.
 *
 * A roll makes it k pods larger than wanted, and lets Kubernetes take k away at a time. The extra pods come first, with the
 * new revision, so at every moment at least as many are ready as are wanted. When all wanted ones are new and ready, the
 * extra ones go.
 *
 * | case                                           | replicas | partition | maxUnavailable |
 * | ---------------------------------------------- | -------- | --------- | -------------- |
 * | the revision is the wanted one, no roll        | N        | as it is  | as it is       |
 * | another revision, or a roll that is not over   | N + k    | 0         | k              |
 * | c canaries are held                            | N + 1    | N + 1 − c | 1              |
 * | all wanted instances run it, or there are none | N        | 0         | 1              |
 *
 * k is what was asked for, at most N, and 1 where the server knows no `maxUnavailable`.
 */
export function shapeOf(
  { instances: wanted, version, rollout = {} }: Pick<AppWorkloadSpec, 'instances' | 'version' | 'rollout'>,
  live: LiveSet,
  instances: readonly Instance[],
): Shape {
  const mixed = instances.some((one) => one.version !== version && !one.ending);
  if (live.version === version && live.surge === undefined && !mixed) return { replicas: wanted };
  const over = { replicas: wanted, roll: { partition: 0, maxUnavailable: 1, over: true } };
  if (wanted === 0 || (live.replicas === 0 && live.version !== version)) return over;
  const larger = (by: number): number => {
    // Where `onTop` had to add one, it stays until the end.
    const size = wanted + (live.grants || by === 0 ? by : Math.max(by, live.surge ?? 0));
    const replicas = spared(size, wanted, live, instances);
    return live.version === version ? replicas : onTop(replicas, wanted, live, instances);
  };
  if (rollout.canaries !== undefined) return canary(wanted, rollout.canaries, larger);
  // The pods that were seen may be older than the StatefulSet. What its own controller counts is not.
  if (live.version === version && live.rolled && allRun(instances, wanted, version)) return over;
  const maxUnavailable = atOnce(wanted, rollout.maxInFlight, live);
  return { replicas: larger(maxUnavailable), roll: { partition: 0, maxUnavailable, over: false } };
}

/** How many instances may be replaced at once. */
export function atOnce(wanted: number, maxInFlight: number | undefined, { grants }: Pick<LiveSet, 'grants'>): number {
  return grants ? Math.max(1, Math.min(maxInFlight ?? 1, wanted)) : 1;
}

/** The highest numbers are the canaries, one of them beyond the wanted ones. Without any, nothing is replaced. */
function canary(wanted: number, asked: number, larger: (by: number) => number): Shape {
  const canaries = Math.min(Math.max(0, asked), wanted + 1);
  const replicas = larger(canaries === 0 ? 0 : 1);
  return { replicas, roll: { partition: replicas - canaries, maxUnavailable: 1, over: false } };
}

/**
 * Not so small that ready instances are taken away while wanted ones are on their way: whoever scales down during a roll
 * would lose the new ones at the top, and with them what serves.
 */
function spared(size: number, wanted: number, live: LiveSet, instances: readonly Instance[]): number {
  if (size >= live.replicas) return size;
  const ready = instances.filter((one) => one.ready).map(({ ordinal }) => ordinal);
  const last = ready[Math.min(wanted, ready.length) - 1] ?? -1;
  return Math.max(size, Math.min(live.replicas, last + 1));
}

/**
 * A server without `maxUnavailable` takes the highest pod of another revision away whoever else is missing, and then waits
 * for it. One more pod on top, which has the new revision from the start, makes it wait first.
 */
function onTop(replicas: number, wanted: number, live: LiveSet, instances: readonly Instance[]): number {
  if (live.grants || replicas > live.replicas) return replicas;
  const highest = instances.find(({ ordinal }) => ordinal === replicas - 1);
  const spare = countReady(instances, replicas) > wanted;
  return !highest?.ready || spare ? replicas : live.replicas + 1;
}
