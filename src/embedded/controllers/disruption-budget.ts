import { scaled } from '../kinds/int-or-string.ts';
import { matches } from '../kinds/label-selector.ts';
import type { PodDisruptionBudget } from '../kinds/objects/cluster.ts';
import type { Pod } from '../kinds/objects/pod.ts';
import type { Deployment, ReplicaSet, StatefulSet } from '../kinds/objects/workload.ts';
import { deployments, disruptionBudgets, pods, replicaSets, statefulSets } from '../kinds/resource-types.ts';
import { instantOf, timestamp } from '../timestamp.ts';
import type { World } from '../world.ts';
import { withCondition } from './condition.ts';
import { type Controller, itself, type Source } from './loop.ts';
import { hasEnded, isReady, managerOf } from './pods.ts';
import { writeStatus } from './write-status.ts';

/** An eviction that has not deleted its pod after this long never will. */
const evictionTimeout = 120_000;

/** Counts for each budget how many of its pods may be evicted now. */
export function disruptionBudgetController(world: World): Controller {
  return {
    name: 'disruptionbudget',
    sources: [itself(disruptionBudgets), budgetsOf(world, pods), ...resized(world)],
    async reconcile({ namespace, name }) {
      const budget = world.get<PodDisruptionBudget>(disruptionBudgets, namespace, name);
      if (!budget) return undefined;
      const now = world.clock.now();
      const covered = world
        .list<Pod>(pods, { namespace })
        .filter((pod) => matches(budget.spec.selector, pod.metadata.labels) && !hasEnded(pod));
      const { expected, desired } = demand(world, budget, covered);
      const disrupted = stillDisrupted(budget, covered, now);
      const healthy = covered.filter(
        (pod) => isReady(pod) && !pod.metadata.deletionTimestamp && !Object.hasOwn(disrupted, pod.metadata.name ?? ''),
      ).length;
      const allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
      await writeStatus(world, disruptionBudgets, budget, {
        observedGeneration: budget.metadata.generation ?? 0,
        disruptionsAllowed: allowed,
        currentHealthy: healthy,
        desiredHealthy: desired,
        expectedPods: expected,
        ...(Object.keys(disrupted).length > 0 && { disruptedPods: disrupted }),
        conditions: withCondition(budget.status?.conditions, {
          type: 'DisruptionAllowed',
          status: allowed > 0 ? 'True' : 'False',
          reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
          message: '',
          lastTransitionTime: timestamp(now),
          observedGeneration: budget.metadata.generation ?? 0,
        }),
      });
      return Object.keys(disrupted).length > 0 ? evictionTimeout : undefined;
    },
  };
}

/** How many pods there should be, and how many of them must be healthy. */
function demand(
  world: World,
  { spec }: PodDisruptionBudget,
  covered: readonly Pod[],
): { readonly expected: number; readonly desired: number } {
  if (spec.maxUnavailable !== undefined) {
    const expected = expectedBy(world, covered);
    return { expected, desired: Math.max(0, expected - scaled(spec.maxUnavailable, expected, 'up')) };
  }
  if (typeof spec.minAvailable === 'string') {
    const expected = expectedBy(world, covered);
    return { expected, desired: scaled(spec.minAvailable, expected, 'up') };
  }
  return { expected: covered.length, desired: spec.minAvailable ?? 0 };
}

/** The sizes of all workloads that the pods belong to; a pod on its own counts as one. */
function expectedBy(world: World, covered: readonly Pod[]): number {
  const sizes = new Map<string, number>();
  for (const pod of covered) {
    const owner = managerOf(pod);
    const namespace = pod.metadata.namespace ?? '';
    if (owner?.kind === 'ReplicaSet') {
      const set = world.get<ReplicaSet>(replicaSets, namespace, owner.name);
      const above = set && managerOf(set);
      const deployment =
        above?.kind === 'Deployment' ? world.get<Deployment>(deployments, namespace, above.name) : undefined;
      if (deployment) sizes.set(deployment.metadata.uid ?? '', deployment.spec.replicas ?? 1);
      else sizes.set(owner.uid, set?.spec.replicas ?? 0);
    } else if (owner?.kind === 'StatefulSet') {
      const set = world.get<StatefulSet>(statefulSets, namespace, owner.name);
      sizes.set(owner.uid, set?.spec.replicas ?? 0);
    } else sizes.set(pod.metadata.uid ?? '', 1);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** Pods that an eviction has promised to delete and that are still there. */
function stillDisrupted(
  budget: PodDisruptionBudget,
  covered: readonly Pod[],
  now: number,
): Readonly<Record<string, string>> {
  const entries = Object.entries(budget.status?.disruptedPods ?? {}).filter(([name, since]) => {
    const pod = covered.find((one) => one.metadata.name === name);
    return pod && !pod.metadata.deletionTimestamp && now - instantOf(since) < evictionTimeout;
  });
  return Object.fromEntries(entries);
}

const budgetsOf = (world: World, type: Source['type']): Source => ({
  type,
  *keys({ before, after }) {
    const namespace = (after ?? before)?.metadata.namespace ?? '';
    for (const budget of world.list<PodDisruptionBudget>(disruptionBudgets, { namespace })) {
      const covers = [before, after].some((one) => one && matches(budget.spec.selector, one.metadata.labels));
      if (covers) yield { namespace, name: budget.metadata.name ?? '' };
    }
  },
});

/** A workload that changes its size changes what its budget means. */
const resized = (world: World): readonly Source[] =>
  [deployments, replicaSets, statefulSets].map((type) => ({
    type,
    *keys({ before, after }) {
      type Sized = { readonly spec?: { readonly replicas?: number } };
      if ((before as Sized | undefined)?.spec?.replicas === (after as Sized | undefined)?.spec?.replicas) return;
      const namespace = (after ?? before)?.metadata.namespace ?? '';
      for (const budget of world.list<PodDisruptionBudget>(disruptionBudgets, { namespace })) {
        yield { namespace, name: budget.metadata.name ?? '' };
      }
    },
  }));
