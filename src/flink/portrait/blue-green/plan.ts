import { diff } from '../../../change/diff.ts';
import type { AnyObject } from '../../../kube/object.ts';
import type { Edit, FieldChange, Plan } from '../../../portrait/plan.ts';
import type { Around } from '../../../portrait/workload.ts';
import type { BlueGreenView } from '../../blue-green-view.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { specIn } from '../../decide/bluegreen/blue-green-case.ts';
import { childObject } from '../../manifests/blue-green-child.ts';
import { sideSeen } from '../../observe/blue-green-view.ts';
import { blueGreenChange } from '../../resources/blue-green-change.ts';
import type { Color } from '../../resources/blue-green-transition.ts';
import {
  type FlinkBlueGreenDeployment,
  flinkBlueGreenDeployment,
} from '../../resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../../resources/flink-deployment.ts';
import { validateBlueGreen } from '../../validate/blue-green.ts';
import { fieldChanges } from '../field-changes.ts';
import { isPaused } from '../pause-verbs.ts';
import { nothingChanges, refusedPlan } from '../plain-plans.ts';
import { heldBack, steeringChanges } from '../steering-changes.ts';
import { type BlueGreenLook, blueGreenLook } from './blue-green-look.ts';
import { outcomeOf } from './outcome.ts';
import { type Rehearsal, rehearse } from './rehearsal.ts';
import { viewAround } from './view-around.ts';

/** What an edit of a FlinkBlueGreenDeployment would do: it is rehearsed. */
export function planBlueGreen(
  { before: was, after: wanted }: Edit<AnyObject>,
  around: Around,
  operator: OperatorConfig,
): Plan {
  const before = was && blueGreenLook(was, operator);
  const after = blueGreenLook(wanted, operator);
  const { subject } = after;
  const changes = before ? [...changesOf(before, after), ...steeringChanges(was, wanted)] : [];
  if (before && changes.length === 0) return nothingChanges(subject);
  const judged = { ...wanted, ...(was?.status !== undefined && { status: was.status }) };
  const problems = validateBlueGreen(judged as unknown as FlinkBlueGreenDeployment, { operator });
  if (problems.length > 0) return refusedPlan(subject, changes, problems);
  const start = viewOf(before, after, around, operator);
  const held = heldBack(before?.status ?? {}, wanted);
  const outcome = outcomeOf({
    before,
    after,
    start,
    rehearsal: rehearse(start),
    // What would happen anyway is nothing that the edit does.
    ...(before && { otherwise: otherwise(before, viewOf(before, before, around, operator)) }),
    around,
    operator,
  });
  return {
    subject,
    changes,
    ...outcome,
    ...(held !== undefined && { waitsFor: held }),
    problems,
  };
}

/** What would happen without the edit: nothing, as long as it is paused. */
function otherwise({ resource }: BlueGreenLook, view: BlueGreenView): Rehearsal {
  const rehearsal = rehearse(view);
  return isPaused({ resource }) ? { ...rehearsal, deeds: [] } : rehearsal;
}

/** The template by what it demands of the sides; the rest acts at once. */
function changesOf(before: BlueGreenLook, after: BlueGreenLook): readonly FieldChange[] {
  const [from, to] = [before.resource.spec, after.resource.spec];
  const around = diff(flinkBlueGreenDeployment.spec.field, from, to)
    .filter(({ path }) => !path.startsWith('spec.template.spec'))
    .map((change) => ({ ...change, demands: 'patch' as const }));
  return [...fieldChanges(blueGreenChange(from, to).changes, 'spec.template.'), ...fieldChanges(around)];
}

/** The edited resource, with the status that it has and whatever is around it. */
function viewOf(
  before: BlueGreenLook | undefined,
  after: BlueGreenLook,
  around: Around,
  operator: OperatorConfig,
): BlueGreenView {
  const { uid = 'new', resourceVersion = '0', generation = 0 } = before?.resource.metadata ?? {};
  const metadata = { ...after.resource.metadata, uid, resourceVersion, generation: generation + 1 };
  const resource = { ...after.resource, metadata, status: before?.status ?? {} };
  const view = viewAround(resource, around, operator);
  return around.list(flinkDeployment.type) === undefined ? withAssumedSides(view) : view;
}

/** Where sides cannot be read, the one that serves is taken to be well, and the target to be as it was made. */
function withAssumedSides(view: BlueGreenView): BlueGreenView {
  const { resource } = view;
  const { serving, lastReconciledSpec, transition } = resource.status ?? {};
  const assumed = (color: Color, text: string | undefined, uid: string, ready: boolean) => {
    const spec = specIn(text);
    if (!spec) return undefined;
    const object = childObject({ resource, color, spec, restore: {}, id: transition?.targetId ?? '' });
    const metadata = { ...object.metadata, uid, resourceVersion: '0', generation: 1 };
    const side = sideSeen({ ...object, metadata });
    return ready
      ? {
          ...side,
          status: {
            jobStatus: { state: 'RUNNING' as const },
            lifecycleState: 'STABLE' as const,
            jobManagerDeploymentStatus: 'READY' as const,
            observedGeneration: 1,
          },
        }
      : side;
  };
  const sides = { ...view.sides };
  if (transition?.spec !== undefined) {
    sides[transition.to] = assumed(
      transition.to,
      transition.spec,
      transition.targetUid ?? 'target',
      transition.readyAt !== undefined,
    );
    if (transition.from) sides[transition.from] = assumed(transition.from, lastReconciledSpec, 'serving', true);
  }
  if (serving && !sides[serving.color]) {
    sides[serving.color] = assumed(serving.color, lastReconciledSpec, serving.uid ?? 'serving', true);
  }
  return { ...view, sides };
}
