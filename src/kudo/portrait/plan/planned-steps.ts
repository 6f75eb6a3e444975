import type { PlannedStep } from '../../../portrait/plan.ts';
import { planOf } from '../../decide/plan-of.ts';
import { showField } from '../../graph/changed-fields.ts';
import { at } from '../../graph/workload.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';
import { names } from '../wording.ts';
import type { Fate } from './consequences.ts';

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
  const [was, is] = [replicasOf(fate.live ?? fate.before), replicasOf(fate.wanted)];
  const scaled = was !== undefined && is !== undefined && was !== is ? [`replicas ${was} → ${is}`] : [];
  const changed = fields.length > 0 ? [`changes ${names(fields.map(showField))}`] : [];
  const detail = [`step ${where}`, ...(does === 'change' ? [...scaled, ...changed] : [])].join('; ');
  const itself: PlannedStep = { symbol: symbols[does], what: `${kind} ${name}`, detail };
  if (restart === undefined) return [itself];
  // Only the mark of the restart is new in it.
  const others = does === 'change' && fields.length === 0 ? [] : [itself];
  return [...others, { symbol: '↻', what: `pods of ${kind} ${name}`, detail: `step ${where}; ${restart}` }];
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

/** How many pods a workload is to have; `undefined` for what does not say. */
export function replicasOf(object: unknown): number | undefined {
  const found = at(object, ['spec', 'replicas']);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}
