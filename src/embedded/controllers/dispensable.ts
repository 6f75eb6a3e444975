import type { Pod } from '../kinds/objects/pod.ts';
import { instantOf } from '../timestamp.ts';
import { conditionOf } from './condition.ts';
import { isReady } from './pods.ts';

const phases: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/**
 * Pods in the order in which they are given up: those that do the least come first (not placed, not running, not
 * ready, cheap by their own word, crowded on one node, ready for the shortest time, restarted most, youngest).
 */
export function byDispensability(pods: readonly Pod[]): readonly Pod[] {
  const perNode = new Map<string | undefined, number>();
  for (const pod of pods) perNode.set(pod.spec.nodeName, (perNode.get(pod.spec.nodeName) ?? 0) + 1);
  const rank = (pod: Pod): readonly number[] => [
    pod.spec.nodeName ? 1 : 0,
    phases[pod.status?.phase ?? 'Pending'] ?? 1,
    isReady(pod) ? 1 : 0,
    Number(pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0) || 0,
    -(perNode.get(pod.spec.nodeName) ?? 0),
    -instantOf(conditionOf(pod.status?.conditions, 'Ready')?.lastTransitionTime),
    -restarts(pod),
    -instantOf(pod.metadata.creationTimestamp),
  ];
  const ranked = pods.map((pod) => ({ pod, rank: rank(pod) }));
  return ranked.sort((a, b) => compare(a.rank, b.rank)).map(({ pod }) => pod);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

const restarts = (pod: Pod): number =>
  Math.max(0, ...(pod.status?.containerStatuses ?? []).map((status) => status.restartCount));
