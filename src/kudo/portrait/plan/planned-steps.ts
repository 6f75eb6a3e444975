import type { PlannedStep } from '../../../portrait/plan.ts';
import { planOf } from '../../decide/plan-of.ts';
import { showField } from '../../graph/changed-fields.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';
import { names } from '../wording.ts';
import type { Fate } from './consequences.ts';
import { scalingOf, scalingStep } from './scaling.ts';

/** More than this nobody reads. */
const most = 200;

/** What a plan does, in its order: per step each object that it touches, and whose pods restart. */
export function plannedSteps(version: OperatorVersion, plan: string, fates: readonly Fate[]): readonly PlannedStep[] {
  const kinds = new Map((version.spec.tasks ?? []).map(({ name, kind }) => [name, kind]));
  const steps = (planOf(version, plan)?.phases ?? []).flatMap((phase) =>
    (phase.steps ?? []).flatMap((step): readonly PlannedStep[] => {
      const where = `${phase.name}/${step.name}`;
      const touched = fates.filter((fate) => fate.phase === phase.name && fate.step === step.name);
      const done = touched.flatMap((fate) => stepsOf(fate, where));
      const others = (step.tasks ?? []).flatMap((task) => otherTask(task, kinds.get(task), where));
      if (done.length + others.length > 0) return [...done, ...others];
      return [{ symbol: '·', what: `step ${where}`, detail: 'nothing changes by it' }];
    }),
  );
  const rest = steps.length - most;
  return rest > 0 ? [...steps.slice(0, most), { symbol: '·', what: `and ${rest} more` }] : steps;
}

const symbols = { create: '+', change: '~', renew: '-/+', delete: '-' } as const;

function stepsOf(fate: Fate, where: string): readonly PlannedStep[] {
  const { kind, name, does, fields, restart } = fate;
  if (does === 'nothing') return [];
  const changed = does === 'change' && fields.length > 0 ? `; changes ${names(fields.map(showField))}` : '';
  const itself: PlannedStep = { symbol: symbols[does], what: `${kind} ${name}`, detail: `step ${where}${changed}` };
  const scaling = scalingOf(fate);
  return [
    // Without a field that changes only the mark of the restart is new in it.
    ...(does === 'change' && fields.length === 0 ? [] : [itself]),
    ...(scaling ? [scalingStep(fate, scaling, where)] : []),
    ...(restart === undefined
      ? []
      : [{ symbol: '↻', what: `pods of ${kind} ${name}`, detail: `step ${where}; because ${restart}` } as const]),
  ];
}

/** What is done without a template: nothing is known of what comes of it. */
function otherTask(name: string, kind: string | undefined, where: string): readonly PlannedStep[] {
  switch (kind) {
    case 'Pipe':
      return [{ symbol: '·', what: `task ${name}`, detail: `step ${where}; runs a pod and keeps its files` }];
    case 'KudoOperator':
      return [
        { symbol: '·', what: `task ${name}`, detail: `step ${where}; its child Instance is applied, and waited for` },
      ];
    default:
      return [];
  }
}
