import type { Pod } from '../../kinds/objects/pod.ts';
import type { PersistentVolumeClaim } from '../../kinds/objects/storage.ts';
import type { ControllerRevision, StatefulSet, StatefulSetStatus } from '../../kinds/objects/workload.ts';
import { claims, controllerRevisions, pods, statefulSets } from '../../kinds/resource-types.ts';
import { StatusError } from '../../status-error.ts';
import type { World } from '../../world.ts';
import { claimed } from '../adopt.ts';
import {
  forgetRevisions,
  isTaken,
  type Revisions,
  revisionLabel,
  revisionsOf,
  templateOf,
} from '../controller-revisions.ts';
import { type Controller, controllerOf, itself } from '../loop.ts';
import { orphansOf } from '../orphans-of.ts';
import { hasEnded, isAvailable, isReady, nextAvailable } from '../pods.ts';
import { recorder, type Tell } from '../recorder.ts';
import { writeStatus } from '../write-status.ts';
import { claimsAt, ordinalOf, podAt } from './identity.ts';
import { plan, type Step } from './plan.ts';
import { retainClaims } from './retain-claims.ts';

/** Keeps the numbered pods of StatefulSets, with their claims, and rolls them from one revision to the next. */
export function statefulSetController(world: World): Controller {
  const tell = recorder(world, { component: 'statefulset-controller' });
  return {
    name: 'statefulset',
    sources: [
      itself(statefulSets),
      controllerOf(pods, 'StatefulSet'),
      controllerOf(controllerRevisions, 'StatefulSet'),
      orphansOf(world, pods, statefulSets),
    ],
    async reconcile({ namespace, name }) {
      const set = world.get<StatefulSet>(statefulSets, namespace, name);
      if (!set || set.metadata.deletionTimestamp) return undefined;
      const owned = await claimed<Pod>(world, pods, set, set.spec.selector);
      const revisions = await record(world, set);
      const current =
        revisions.all.find((one) => one.metadata.name === set.status?.currentRevision) ?? revisions.update;
      const update = revisions.update.metadata.name ?? '';
      await retainClaims(world, set, owned);
      let failure: StatusError | undefined;
      for (const step of plan({ set, pods: owned, update, now: world.clock.now() })) {
        failure ??= await perform(world, tell, set, step, current, revisions.update);
      }
      return finish(world, set, revisions, current, failure);
    },
  };
}

/** The set's revisions. A name that something else has leads to one collision more, and another name. */
async function record(world: World, set: StatefulSet): Promise<Revisions> {
  const collisions = set.status?.collisionCount ?? 0;
  try {
    return await revisionsOf(world, set, collisions);
  } catch (error) {
    if (!isTaken(error)) throw error;
    const status: StatefulSetStatus = { replicas: 0, ...set.status, collisionCount: collisions + 1 };
    await world.updateStatus(statefulSets, { ...set, status });
    throw error;
  }
}

async function perform(
  world: World,
  tell: Tell,
  set: StatefulSet,
  step: Step,
  current: ControllerRevision,
  update: ControllerRevision,
): Promise<StatusError | undefined> {
  if (step.do === 'delete') {
    const { name } = step.pod.metadata;
    if (step.why === 'ended') {
      const text = `StatefulSet ${set.metadata.namespace}/${set.metadata.name} is recreating failed Pod ${name}`;
      tell(set, 'Warning', 'RecreatingFailedPod', text);
    }
    await world.remove(pods, step.pod);
    tell(set, 'Normal', 'SuccessfulDelete', `delete Pod ${name} in StatefulSet ${set.metadata.name} successful`);
    return undefined;
  }
  const from = step.from === 'current' ? current : update;
  const pod = podAt(set, templateOf(from), from.metadata.name ?? '', step.ordinal);
  const where = `in StatefulSet ${set.metadata.name}`;
  try {
    for (const claim of claimsAt(set, step.ordinal)) await makeClaim(world, tell, set, claim, pod);
    await world.create(pods, pod);
    tell(set, 'Normal', 'SuccessfulCreate', `create Pod ${pod.metadata.name} ${where} successful`);
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const text = `create Pod ${pod.metadata.name} ${where} failed error: ${error.message}`;
    tell(set, 'Warning', 'FailedCreate', text);
    return error;
  }
}

async function makeClaim(
  world: World,
  tell: Tell,
  set: StatefulSet,
  claim: PersistentVolumeClaim,
  pod: Pod,
): Promise<void> {
  const { namespace, name = '' } = claim.metadata;
  if (world.get(claims, namespace, name)) return;
  await world.create(claims, claim);
  const text = `create Claim ${name} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} success`;
  tell(set, 'Normal', 'SuccessfulCreate', text);
}

async function finish(
  world: World,
  seen: StatefulSet,
  revisions: Revisions,
  current: ControllerRevision,
  failure: StatusError | undefined,
): Promise<number | undefined> {
  const { namespace = '', name = '', uid } = seen.metadata;
  const set = world.get<StatefulSet>(statefulSets, namespace, name);
  if (!set || set.metadata.uid !== uid) return undefined;
  const now = world.clock.now();
  const owned = world
    .list<Pod>(pods, { namespace, owner: uid ?? '' })
    .filter((pod) => ordinalOf(set, pod) !== undefined);
  const status = statusOf(set, owned, current.metadata.name ?? '', revisions.update.metadata.name ?? '', now);
  await writeStatus(world, statefulSets, set, status);
  const inUse = new Set([
    status.currentRevision,
    status.updateRevision,
    ...owned.map((pod) => pod.metadata.labels?.[revisionLabel]),
  ]);
  await forgetRevisions(world, revisions.all, inUse, set.spec.revisionHistoryLimit ?? 10);
  if (failure) throw failure;
  return nextAvailable(owned, set.spec.minReadySeconds ?? 0, now);
}

function statusOf(
  set: StatefulSet,
  owned: readonly Pod[],
  current: string,
  update: string,
  now: number,
): StatefulSetStatus {
  const alive = owned.filter((pod) => !pod.metadata.deletionTimestamp);
  const of = (revision: string): number =>
    alive.filter((pod) => pod.metadata.labels?.[revisionLabel] === revision).length;
  const ready = owned.filter((pod) => isReady(pod) && !hasEnded(pod));
  const available = ready.filter((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, now));
  const [counted, updated] = [of(current), of(update)];
  const replicas = owned.length;
  const rolling = set.spec.updateStrategy?.type === 'RollingUpdate';
  const complete = rolling && updated === replicas && ready.length === replicas && updated === (set.spec.replicas ?? 1);
  const currentReplicas = complete ? updated : counted;
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas,
    ...(ready.length > 0 && { readyReplicas: ready.length }),
    availableReplicas: available.length,
    ...(currentReplicas > 0 && { currentReplicas }),
    ...(updated > 0 && { updatedReplicas: updated }),
    currentRevision: complete ? update : current,
    updateRevision: update,
    collisionCount: set.status?.collisionCount ?? 0,
    ...(set.status?.conditions && { conditions: set.status.conditions }),
  };
}
