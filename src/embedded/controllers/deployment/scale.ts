import { same } from '../../kinds/checks.ts';
import type { Deployment, ReplicaSet } from '../../kinds/objects/workload.ts';
import { replicaSets } from '../../kinds/resource-types.ts';
import type { World } from '../../world.ts';
import type { Tell } from '../recorder.ts';
import { desiredOf, type Generations, maxOf, sizeAnnotations } from './revisions.ts';
import { leeway, sizeOf, sizeOfAll, wantedBy } from './sizes.ts';

/** Sets the size of a ReplicaSet and notes for which size of the Deployment. Nothing is written when both hold already. */
export async function scaleTo(
  world: World,
  tell: Tell,
  deployment: Deployment,
  set: ReplicaSet,
  size: number,
): Promise<ReplicaSet> {
  const wanted = wantedBy(deployment);
  const noted = sizeAnnotations(wanted, wanted + leeway(deployment).surge);
  const annotations = { ...set.metadata.annotations, ...noted };
  if (sizeOf(set) === size && same(annotations, set.metadata.annotations)) return set;
  const stored = await world.update(replicaSets, {
    ...set,
    metadata: { ...set.metadata, annotations },
    spec: { ...set.spec, replicas: size },
  });
  if (sizeOf(set) !== size) {
    const way = size > sizeOf(set) ? 'up' : 'down';
    const message = `Scaled ${way} replica set ${set.metadata.name} from ${sizeOf(set)} to ${size}`;
    tell(deployment, 'Normal', 'ScalingReplicaSet', message);
  }
  return stored;
}

/** Whether the Deployment was resized since its ReplicaSets were last scaled. */
export function wasResized(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
  return sets.some((set) => sizeOf(set) > 0 && (desiredOf(set) ?? wantedBy(deployment)) !== wantedBy(deployment));
}

/**
 * Resizes without rolling: a single ReplicaSet is simply set; in the middle of a rollout every ReplicaSet grows or
 * shrinks by its share, so that the mix of old and new stays as it was.
 */
export async function resize(
  world: World,
  tell: Tell,
  deployment: Deployment,
  generations: Generations,
): Promise<void> {
  const { current, old } = generations;
  const active = [...old, ...(current ? [current] : [])].filter((set) => sizeOf(set) > 0);
  const wanted = wantedBy(deployment);
  const only = active.length === 1 ? active[0] : active.length === 0 ? (current ?? old.at(-1)) : undefined;
  if (only) {
    await scaleTo(world, tell, deployment, only, wanted);
    return;
  }
  if (current && sizeOf(current) >= wanted && (current.status?.availableReplicas ?? 0) >= wanted) {
    for (const set of old.filter((one) => sizeOf(one) > 0)) await scaleTo(world, tell, deployment, set, 0);
    return;
  }
  if (deployment.spec.strategy?.type !== 'RollingUpdate') return;
  for (const [set, size] of shares(deployment, active)) await scaleTo(world, tell, deployment, set, size);
}

/** The sizes after a proportional resize, largest ReplicaSets first. What rounding leaves over goes to the largest. */
function shares(deployment: Deployment, active: readonly ReplicaSet[]): readonly (readonly [ReplicaSet, number])[] {
  const wanted = wantedBy(deployment);
  const allowed = wanted > 0 ? wanted + leeway(deployment).surge : 0;
  const toAdd = allowed - sizeOfAll(active);
  const growing = toAdd > 0;
  const sorted = active.toSorted(
    (a, b) =>
      sizeOf(b) - sizeOf(a) ||
      (growing ? 1 : -1) * ((b.metadata.creationTimestamp ?? '') < (a.metadata.creationTimestamp ?? '') ? -1 : 1),
  );
  let added = 0;
  const sizes = sorted.map((set) => {
    const before = maxOf(set) ?? sizeOfAll(active);
    const exact = before === 0 ? 0 : Math.round((sizeOf(set) * allowed) / before) - sizeOf(set);
    const left = toAdd - added;
    const share = growing ? Math.max(0, Math.min(exact, left)) : Math.min(0, Math.max(exact, left));
    added += share;
    return sizeOf(set) + share;
  });
  if (sizes.length > 0) sizes[0] = Math.max(0, (sizes[0] ?? 0) + (toAdd - added));
  return sorted.map((set, index) => [set, sizes[index] ?? 0] as const);
}
