import type { AnyObject } from '../../kube/object.ts';
import type { ConditionLine, Portrait } from '../../portrait/portrait.ts';
import type { Summary } from '../../portrait/summary.ts';
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
import { podsOf } from './pods.ts';
import { parametersOf, sidesOf } from './sides.ts';
import { situationOf } from './situation.ts';
import { stepsOf } from './steps.ts';
import { summaryOf } from './summarize.ts';
import { type Nearby, nearby } from './surroundings.ts';
import { treeOf } from './tree.ts';
import { type FoundVersion, known, presentVersion, versionOf } from './version-of.ts';
import { timeIn } from './wording.ts';

/** Everything about an Instance, from its status and what it made. */
export function portray(object: AnyObject, around: Around): Portrait {
  const read = instanceIn(object);
  const situation = situationOf(read);
  const near = nearby(around);
  const found = presentVersion(read, around);
  const summary = withoutVersion(summaryOf(read, situation), read, found);
  const version = known(found);
  const after = known(versionOf(read.spec.operatorVersion, read, around));
  const pending = pendingChanges(read, { before: version, after });
  const { all: pods, of: podOf } = podsOf(read, near);
  const workloads = ownWorkloads(read, near);
  const sides = sidesOf({ read, situation, summary, version, pods, workloads, pending });
  const deadlines = deadlinesOf(read, around.now);
  const cause = causeOf(read, version);
  return {
    ...summary,
    answers: answersOf({ read, situation, summary, pods, deadlines, now: around.now }),
    ...(cause && { cause }),
    sides,
    steps: stepsOf(read, version),
    deadlines,
    machine: machineOf(read),
    tree: treeOf(read, near, podOf),
    pods,
    facts: [...factsOf(read, found), ...parametersOf(read, version)],
    conditions: conditionLines(read),
    history: pastChanges(read),
  };
}

/** Without its version an Instance goes on as it is, but nobody can change it. Who asks for it alone cannot know. */
function withoutVersion(summary: Summary, { status, spec }: Read, found: FoundVersion): Summary {
  if (summary.needsYou !== undefined || (found !== 'absent' && found !== 'odd')) return summary;
  const name = (status.accepted?.operatorVersion ?? spec.operatorVersion)?.name ?? '';
  const what = found === 'absent' ? 'is not there' : 'has not the shape of one';
  return {
    ...summary,
    needsYou: `The OperatorVersion ${name} ${what}, so no plan can run: install the package again.`,
  };
}

function ownWorkloads({ metadata }: Read, near: Nearby): readonly AnyObject[] {
  return near.ownedBy(metadata.uid).filter((object) => workloadOf(object));
}

function conditionLines({ status }: Read): readonly ConditionLine[] {
  return (status.conditions ?? []).map(({ type, status: is, reason, message, lastTransitionTime }) => {
    const since = timeIn(lastTransitionTime);
    return { type, status: is, reason, message, ...(since !== undefined && { since }) };
  });
}
