import type { AnyObject, OwnerReference } from '../../kube/object.ts';
import { podPortrait } from '../../portrait/of-pod.ts';
import type { ConditionLine, PodPortrait, Portrait } from '../../portrait/portrait.ts';
import type { Around } from '../../portrait/workload.ts';
import { workloadOf } from '../graph/workload.ts';
import { answersOf } from './answers.ts';
import { causeOf } from './cause.ts';
import { deadlinesOf } from './deadlines.ts';
import { factsOf } from './facts.ts';
import { instanceIn, type Read } from './instance-in.ts';
import { machineOf } from './machine.ts';
import { pendingChanges } from './made-changes.ts';
import { pastChanges } from './past-changes.ts';
import { podReasons } from './pod-reasons.ts';
import { parametersOf, sidesOf } from './sides.ts';
import { situationOf } from './situation.ts';
import { stepsOf } from './steps.ts';
import { summaryOf } from './summarize.ts';
import { type Nearby, nearby } from './surroundings.ts';
import { treeOf } from './tree.ts';
import { known, presentVersion, versionOf } from './version-of.ts';
import { timeIn } from './wording.ts';
import { workloadOfPod } from './workload-of-pod.ts';

/** Everything about an Instance, from its status and what it made. */
export function portray(object: AnyObject, around: Around): Portrait {
  const read = instanceIn(object);
  const situation = situationOf(read);
  const summary = summaryOf(read, situation);
  const near = nearby(around);
  const found = presentVersion(read, around);
  const version = known(found);
  const after = known(versionOf(read.spec.operatorVersion, read, around));
  const pending = pendingChanges(read, { before: version, after });
  const objects = ownPods(read, near);
  const portraitOf = (pod: AnyObject): PodPortrait =>
    podPortrait(pod, { reasons: podReasons(pod, ownerIn(pod, near), read) });
  const pods = objects.map(portraitOf);
  const workloads = ownWorkloads(read, near);
  const sides = sidesOf({ read, situation, summary, version, pods, workloads, pending });
  const deadlines = deadlinesOf(read);
  const cause = causeOf(read, version);
  return {
    ...summary,
    answers: answersOf({ read, situation, summary, pods, sides, deadlines, now: around.now }),
    ...(cause && { cause }),
    sides,
    steps: stepsOf(read, version),
    deadlines,
    machine: machineOf(read),
    tree: treeOf(read, near, portraitOf),
    pods,
    facts: [...factsOf(read, found), ...parametersOf(read, version)],
    conditions: conditionLines(read),
    history: pastChanges(read),
  };
}

/** Pods by the label that plans put on all that they make. */
function ownPods({ metadata }: Read, near: Nearby): readonly AnyObject[] {
  const { name = '' } = metadata;
  return near.labelled(name).toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
}

function ownWorkloads({ metadata }: Read, near: Nearby): readonly AnyObject[] {
  return near.ownedBy(metadata.uid).filter((object) => workloadOf(object));
}

function ownerIn(pod: AnyObject, near: Nearby): AnyObject | undefined {
  return workloadOfPod(pod, ({ apiVersion, kind, name, uid }: OwnerReference) => {
    const found = near.find({ apiVersion, kind, name });
    return typeof found === 'object' && found.metadata.uid === uid ? found : undefined;
  });
}

function conditionLines({ status }: Read): readonly ConditionLine[] {
  return (status.conditions ?? []).map(({ type, status: is, reason, message, lastTransitionTime }) => {
    const since = timeIn(lastTransitionTime);
    return { type, status: is, reason, message, ...(since !== undefined && { since }) };
  });
}
