import { same } from '../../kinds/checks.ts';
import type { Condition } from '../../kinds/objects/condition.ts';
import type { Deployment, ReplicaSet } from '../../kinds/objects/workload.ts';
import { deployments, replicaSets } from '../../kinds/resource-types.ts';
import { StatusError } from '../../status-error.ts';
import type { World } from '../../world.ts';
import { conditionOf, withCondition } from '../condition.ts';
import { managedBy, managerOf } from '../pods.ts';
import type { Tell } from '../recorder.ts';
import { templateHash } from '../template-hash.ts';
import { writeStatus } from '../write-status.ts';
import { progressing } from './progress.ts';
import {
  currentAnnotations,
  type Generations,
  hashLabel,
  highestRevision,
  revisionAnnotation,
  revisionOf,
  sizeAnnotations,
} from './revisions.ts';
import { allowedCurrent, leeway, wantedBy } from './sizes.ts';

interface Found {
  readonly deployment: Deployment;
  readonly set: ReplicaSet | undefined;
}

/**
 * The ReplicaSet of the Deployment's present template. One that exists (also from long ago: that is what `rollout undo`
 * leads to) gets the newest revision; otherwise, and if `make`, it is created.
 */
export async function currentReplicaSet(
  world: World,
  tell: Tell,
  deployment: Deployment,
  generations: Generations,
  make: boolean,
): Promise<Found> {
  const revision = highestRevision(generations.old) + 1;
  const { current } = generations;
  if (current) return adjust(world, deployment, current, revision);
  if (!make) return { deployment, set: undefined };
  return create(world, tell, deployment, generations, revision);
}

async function adjust(world: World, deployment: Deployment, set: ReplicaSet, revision: number): Promise<Found> {
  const annotations = currentAnnotations(deployment, set, revision);
  const minReadySeconds = deployment.spec.minReadySeconds;
  let adjusted = set;
  if (!same(annotations, set.metadata.annotations) || (set.spec.minReadySeconds ?? 0) !== (minReadySeconds ?? 0)) {
    const { minReadySeconds: _, ...spec } = set.spec;
    adjusted = await world.update(replicaSets, {
      ...set,
      metadata: { ...set.metadata, annotations },
      spec: { ...spec, ...(minReadySeconds !== undefined && { minReadySeconds }) },
    });
  }
  const revised = await setRevision(world, deployment, revisionOf(adjusted));
  const found = `Found new replica set "${set.metadata.name}"`;
  const isNew = !conditionOf(deployment.status?.conditions, 'Progressing');
  return { deployment: isNew ? await note(world, revised, 'FoundNewReplicaSet', found) : revised, set: adjusted };
}

async function create(
  world: World,
  tell: Tell,
  deployment: Deployment,
  generations: Generations,
  revision: number,
): Promise<Found> {
  const collisions = deployment.status?.collisionCount ?? 0;
  const hash = templateHash(deployment.spec.template, collisions);
  const desired = newReplicaSet(deployment, generations, revision, hash);
  let set: ReplicaSet;
  try {
    set = await world.create(replicaSets, desired);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.status.reason === 'AlreadyExists') return collide(world, deployment, desired, collisions, error);
    const why = `Failed to create new replica set "${desired.metadata.name}": ${error.message}`;
    tell(deployment, 'Warning', 'ReplicaSetCreateError', why);
    await note(world, deployment, 'ReplicaSetCreateError', error.message, 'False');
    throw error;
  }
  if ((set.spec.replicas ?? 0) > 0) {
    const message = `Scaled up replica set ${set.metadata.name} from 0 to ${set.spec.replicas}`;
    tell(deployment, 'Normal', 'ScalingReplicaSet', message);
  }
  const revised = await setRevision(world, deployment, revision);
  const created = `Created new replica set "${set.metadata.name}"`;
  return { deployment: await note(world, revised, 'NewReplicaSetCreated', created), set };
}

function newReplicaSet(deployment: Deployment, generations: Generations, revision: number, hash: string): ReplicaSet {
  const { template, selector, minReadySeconds } = deployment.spec;
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  const wanted = wantedBy(deployment);
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      namespace: deployment.metadata.namespace ?? '',
      labels,
      annotations: {
        ...currentAnnotations(deployment, undefined, revision),
        ...sizeAnnotations(wanted, wanted + leeway(deployment).surge),
      },
      ownerReferences: [managedBy(deployment)],
    },
    spec: {
      replicas: allowedCurrent(deployment, generations.old, 0),
      ...(minReadySeconds !== undefined && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

/** The name is taken by something else: the next hash is made from one collision more. */
async function collide(
  world: World,
  deployment: Deployment,
  desired: ReplicaSet,
  collisions: number,
  error: StatusError,
): Promise<never> {
  const other = world.get<ReplicaSet>(replicaSets, desired.metadata.namespace, desired.metadata.name ?? '');
  const ours = other && managerOf(other)?.uid === deployment.metadata.uid;
  if (other && !ours) {
    await world.updateStatus(deployments, {
      ...deployment,
      status: { ...deployment.status, collisionCount: collisions + 1 },
    });
  }
  throw error;
}

async function setRevision(world: World, deployment: Deployment, revision: number): Promise<Deployment> {
  if (revisionOf(deployment) === revision) return deployment;
  const annotations = { ...deployment.metadata.annotations, [revisionAnnotation]: String(revision) };
  return world.update(deployments, { ...deployment, metadata: { ...deployment.metadata, annotations } });
}

async function note(
  world: World,
  deployment: Deployment,
  reason: string,
  message: string,
  value: Condition['status'] = 'True',
): Promise<Deployment> {
  if (deployment.spec.progressDeadlineSeconds === undefined) return deployment;
  const condition = progressing(value, reason, message, world.clock.now());
  const conditions = withCondition(deployment.status?.conditions, condition);
  return writeStatus(world, deployments, deployment, { ...deployment.status, conditions });
}
