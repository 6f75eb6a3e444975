import type { AnyObject } from '../../../kube/object.ts';
import type { Cause, Portrait } from '../../../portrait/portrait.ts';
import type { Around } from '../../../portrait/workload.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { specIn } from '../../decide/bluegreen/blue-green-case.ts';
import { childName } from '../../manifests/blue-green-child.ts';
import { blueGreenChange } from '../../resources/blue-green-change.ts';
import type { Color } from '../../resources/blue-green-transition.ts';
import { flinkDeployment } from '../../resources/flink-deployment.ts';
import { clusterParts } from '../cluster-parts.ts';
import { fieldChanges } from '../field-changes.ts';
import { conditionLines } from '../findings.ts';
import { metadataOf } from '../resource.ts';
import { brief } from '../wording.ts';
import { answersOf } from './answers.ts';
import { type BlueGreenLook, blueGreenLook } from './blue-green-look.ts';
import { deadlinesOf } from './deadlines.ts';
import { factsOf } from './facts.ts';
import { machineOf } from './machine.ts';
import { pastOf } from './past.ts';
import { podsOf } from './pods.ts';
import { sidesOf } from './sides.ts';
import { stepsOf } from './steps.ts';
import { summaryOf } from './summary.ts';
import { type SideParts, treeOf } from './tree.ts';
import { viewAround } from './view-around.ts';

export function portrayBlueGreen(object: AnyObject, around: Around, operator: OperatorConfig): Portrait {
  const l = blueGreenLook(object, operator);
  const view = viewAround(l.resource, around, operator);
  const side = (color: Color): SideParts => {
    const parts = view.sides[color]?.owners.includes(l.subject.uid)
      ? clusterParts(childName(l.subject.name, color), around)
      : { processes: [], pods: [] };
    const name = childName(l.subject.name, color);
    const made = around.list(flinkDeployment.type)?.find((one) => metadataOf(one).name === name);
    return { createdAt: made && metadataOf(made).creationTimestamp, parts, pods: podsOf(l, color, parts) };
  };
  const of = { BLUE: side('BLUE'), GREEN: side('GREEN') };
  const cause = causeOf(l);
  return {
    ...summaryOf(l),
    answers: answersOf(l, around.now),
    ...(cause && { cause }),
    sides: sidesOf(l, view),
    steps: stepsOf(l),
    deadlines: deadlinesOf(l),
    machine: machineOf(l),
    tree: treeOf(l, view, of),
    pods: [...of.BLUE.pods, ...of.GREEN.pods],
    facts: factsOf(l, view),
    conditions: conditionLines(l.status),
    history: pastOf(l),
  };
}

/** Of the transition under way; else of the last one. */
function causeOf({ transition, status }: BlueGreenLook): Cause | undefined {
  const before = specIn(status.lastReconciledSpec);
  if (transition) {
    const { cause, because, generation, startedAt } = transition;
    const wanted = specIn(transition.spec) ?? specIn(status.wanted);
    const known = transition.from && before && wanted && status.serving?.color !== transition.to;
    const changes = known ? fieldChanges(blueGreenChange(before, wanted).changes, 'spec.template.') : [];
    return { kind: cause, because: brief(because), changes, generation, since: startedAt };
  }
  const [last] = status.history ?? [];
  if (!last) return undefined;
  const { cause, because, generation, startedAt } = last;
  return { kind: cause, because: brief(because), changes: [], generation, since: startedAt };
}
