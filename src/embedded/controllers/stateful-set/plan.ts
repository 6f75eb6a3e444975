import { scaled } from '../../kinds/int-or-string.ts';
import type { Pod } from '../../kinds/objects/pod.ts';
import type { StatefulSet } from '../../kinds/objects/workload.ts';
import { revisionLabel } from '../controller-revisions.ts';
import { hasEnded, isAvailable, isReady } from '../pods.ts';
import { firstOrdinal, ordinalOf } from './identity.ts';

/** One thing to do now. */
export type Step =
  /** Make the pod with this number, from the current or from the update revision. */
  | { readonly do: 'create'; readonly ordinal: number; readonly from: 'current' | 'update' }
  /** Delete the pod; it comes back if its number is still wanted. */
  | { readonly do: 'delete'; readonly pod: Pod; readonly why: 'ended' | 'scaled down' | 'outdated' };

/** Everything the plan depends on. */
export interface View {
  readonly set: StatefulSet;
  readonly pods: readonly Pod[];
  /** Name of the revision to reach. */
  readonly update: string;
  readonly now: number;
}

const isTerminating = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;

/**
 * What to do next for a StatefulSet, in order.
 *
 * In order (`OrderedReady`) at most one thing happens at a time, lowest number first when growing, highest first when
 * shrinking or updating, and nothing while a lower one is not available. In `Parallel` growing and shrinking happen at
 * once. Updates respect `partition` and `maxUnavailable` in both.
 */
export function plan(view: View): readonly Step[] {
  const { set } = view;
  if (set.metadata.deletionTimestamp) return [];
  const ordered = set.spec.podManagementPolicy !== 'Parallel';
  const { wanted, condemned } = sorted(view);

  const growth = grow(view, wanted, ordered);
  if (growth.steps.length > 0 || growth.blocked) return growth.steps;
  const shrinkage = shrink(view, wanted, condemned, ordered);
  if (shrinkage.steps.length > 0 || shrinkage.blocked) return shrinkage.steps;
  return set.spec.updateStrategy?.type === 'OnDelete' ? [] : replace(view, wanted, ordered);
}

/** The pods by number: those in range (`undefined` where one is missing), and the others, highest first. */
function sorted({ set, pods }: View): {
  readonly wanted: readonly (Pod | undefined)[];
  readonly condemned: readonly Pod[];
} {
  const first = firstOrdinal(set);
  const wanted = Array.from<Pod | undefined>({ length: set.spec.replicas ?? 1 });
  const condemned: { readonly pod: Pod; readonly ordinal: number }[] = [];
  for (const pod of pods) {
    const ordinal = ordinalOf(set, pod);
    if (ordinal === undefined) continue;
    if (ordinal >= first && ordinal < first + wanted.length) wanted[ordinal - first] = pod;
    else condemned.push({ pod, ordinal });
  }
  return { wanted, condemned: condemned.sort((a, b) => b.ordinal - a.ordinal).map(({ pod }) => pod) };
}

interface Part {
  readonly steps: readonly Step[];
  /** Whether everything else has to wait. */
  readonly blocked: boolean;
}

function grow(view: View, wanted: readonly (Pod | undefined)[], ordered: boolean): Part {
  const steps: Step[] = [];
  for (const [index, pod] of wanted.entries()) {
    const ordinal = firstOrdinal(view.set) + index;
    if (!pod) steps.push({ do: 'create', ordinal, from: versionFor(view.set, index) });
    else if (hasEnded(pod)) {
      if (!isTerminating(pod)) steps.push({ do: 'delete', pod, why: 'ended' });
      else if (ordered) return { steps, blocked: true };
    } else if (ordered && !isServing(view, pod)) return { steps, blocked: true };
    if (ordered && steps.length > 0) return { steps, blocked: true };
  }
  return { steps, blocked: false };
}

/** Below the partition pods are made from the revision that the set is leaving. */
function versionFor(set: StatefulSet, index: number): 'current' | 'update' {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  const boundary = rollingUpdate ? (rollingUpdate.partition ?? 0) : (set.status?.currentReplicas ?? 0);
  return (type === 'RollingUpdate' || rollingUpdate) && index < boundary ? 'current' : 'update';
}

const isServing = ({ set, now }: View, pod: Pod): boolean =>
  !isTerminating(pod) && isReady(pod) && isAvailable(pod, set.spec.minReadySeconds ?? 0, now);

function shrink(view: View, wanted: readonly (Pod | undefined)[], condemned: readonly Pod[], ordered: boolean): Part {
  if (!ordered) {
    const steps = condemned
      .filter((pod) => !isTerminating(pod))
      .map((pod) => ({ do: 'delete', pod, why: 'scaled down' }) as const);
    return { steps, blocked: false };
  }
  const [next] = condemned;
  if (!next) return { steps: [], blocked: false };
  const firstBroken = [...wanted, ...condemned.toReversed()].find((pod) => pod && !isServing(view, pod));
  const mayGo = !isTerminating(next) && (isServing(view, next) || next === firstBroken);
  return { steps: mayGo ? [{ do: 'delete', pod: next, why: 'scaled down' }] : [], blocked: true };
}

/** Deletes pods of other revisions, highest first, never more at once than may be unavailable. */
function replace(view: View, wanted: readonly (Pod | undefined)[], ordered: boolean): readonly Step[] {
  const { set, update } = view;
  const { partition = 0, maxUnavailable = 1 } = set.spec.updateStrategy?.rollingUpdate ?? {};
  const most = Math.max(1, scaled(maxUnavailable, set.spec.replicas ?? 1, 'down'));
  const pods = wanted.filter((pod) => pod !== undefined);
  const unavailable = pods.filter((pod) => !isServing(view, pod));
  const outdated = (pod: Pod | undefined): pod is Pod =>
    pod !== undefined && pod.metadata.labels?.[revisionLabel] !== update && !isTerminating(pod);
  const targets = wanted.slice(partition).toReversed().filter(outdated);
  const drop = (pod: Pod): Step => ({ do: 'delete', pod, why: 'outdated' });
  const budget = Math.max(0, most - unavailable.length);
  if (ordered) return targets.slice(0, budget).map(drop);
  // In parallel, pods that serve nobody anyway do not count against the budget.
  const broken = targets.filter((pod) => !isServing(view, pod));
  const serving = targets.filter((pod) => isServing(view, pod)).slice(0, budget);
  return [...broken, ...serving].map(drop);
}
