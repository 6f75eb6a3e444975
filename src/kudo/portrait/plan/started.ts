import type { AnyObject } from '../../../kube/object.ts';
import { type Edit, type Plan, type PlannedRestart, type Risk, risks } from '../../../portrait/plan.ts';
import type { Around } from '../../../portrait/workload.ts';
import type { RenderBudget } from '../../graph/render-budget.ts';
import { workloadOf } from '../../graph/workload.ts';
import { usesRandomness } from '../../render/uses-randomness.ts';
import type { Read } from '../instance-in.ts';
import { type Nearby, nearby } from '../surroundings.ts';
import { counted, names } from '../wording.ts';
import { type Cost, costOf, worse } from './availability.ts';
import { childEdits } from './children.ts';
import { consequences, type Fate } from './consequences.ts';
import { estimateOf } from './estimate.ts';
import type { Starts, Versions } from './foresee.ts';
import { lineOf } from './line-of.ts';
import { plannedSteps } from './planned-steps.ts';
import { podsOf } from './pods-of.ts';
import { replicasOf } from './replicas-of.ts';
import { costOfScaling, scalingOf } from './scaling.ts';
import { stateOf } from './state-kept.ts';
import { undoOf } from './undo.ts';

export interface StartedInput {
  /** What holds of every plan. */
  readonly plain: Plan;
  readonly read: Read;
  readonly foreseen: Starts;
  readonly versions: Versions;
  readonly around: Around;
  /** What becomes of a child Instance; `undefined`: it is too deep to be looked at. */
  readonly children: (edit: Edit<AnyObject>) => Plan | undefined;
  /** Children use the same. */
  readonly budget: RenderBudget;
}

/** What happens when a plan of an Instance begins. */
export function started({ plain, read, foreseen, versions, around, children, budget }: StartedInput): Plan {
  const { execution, accepted, before, supersedes, waitsFor } = foreseen;
  const version = execution.cause === 'trigger' ? (versions.accepted ?? versions.wanted) : versions.wanted;
  if (!version) return plain;
  const near = nearby(around);
  const { fates, incomplete, broken } = consequences(
    read,
    foreseen,
    { before: versions.accepted, after: version },
    near,
    budget,
  );
  const { name = '', namespace = 'default', uid = '' } = read.metadata;
  const subject = { operatorVersion: version, instance: { name, namespace, uid } };
  const values = { from: before?.parameters, to: accepted.parameters };
  // To know what children are given takes as long again: not where it was too long already.
  const edits = incomplete ? [] : childEdits(subject, execution.plan, values, near);
  const below = edits.flatMap((edit) => children(edit) ?? []).filter(({ risk }) => risk !== 'none');

  const own = fates.filter(({ restart }) => restart !== undefined).map((fate) => restartOf(fate, near));
  const costs = [...own.map(({ cost }) => cost), ...fates.flatMap((fate) => costOfEnd(fate, near))];
  const restarts = [...own.map(({ planned }) => planned), ...below.flatMap((child) => child.restarts)];
  // What runs already may be hit by what was not looked at.
  const unseen = incomplete && before !== undefined;
  const state = worseState([stateOf(fates), ...below.map((child) => child.state), ...(unseen ? [unseenState] : [])]);
  const availability = together(unseen ? [...costs, unseenCost] : costs, below);
  const estimate = estimateOf(read.status, execution);
  const extra = extraOf(fates, costs);
  return {
    ...plain,
    risk: unseen ? 'disruption' : riskOf(state, availability.serves, restarts, below),
    line: lineOf(foreseen, fates, restarts, availability),
    steps: [...plannedSteps(version, execution.plan, fates), ...below.flatMap((child) => child.steps)],
    restarts,
    state,
    availability,
    ...(extra !== '' && { extra }),
    undo: undoOf(plain.changes, foreseen),
    ...(estimate && { estimate }),
    ...(waitsFor !== undefined && { waitsFor }),
    warnings: [
      ...(supersedes !== undefined
        ? [`plan ${supersedes}, which runs now, ends by it; what it has applied stays`]
        : []),
      ...broken,
      ...fates.flatMap(({ problem }) =>
        problem === undefined ? [] : [`plan ${execution.plan} will fail: ${problem}`],
      ),
      ...(incomplete ? [`${tooLarge}: more may change than is told`] : []),
      ...(usesRandomness(version) ? ['its templates ask for random values, which are not looked at here'] : []),
      ...below.flatMap((child) => child.problems.map(({ message }) => `Instance ${child.subject.name}: ${message}`)),
      ...below.flatMap((child) => child.warnings),
    ],
  };
}

const tooLarge = 'the package is too large to be looked at in full';
const unseenState: Plan['state'] = { outcome: 'unknown', sentence: `${tooLarge}: volumes may be touched` };
const unseenCost: Cost = { serves: 'unknown', sentence: `${tooLarge}: pods may restart and not serve`, surge: 0 };

function restartOf(fate: Fate, near: Nearby): { readonly planned: PlannedRestart; readonly cost: Cost } {
  const { kind, name, live, before, wanted, restart = '' } = fate;
  const pods = live ? podsOf(live, near) : [];
  const count = pods.length > 0 ? pods.length : (replicasOf(live ?? before ?? wanted) ?? 1);
  return { planned: { kind, name, pods, because: restart }, cost: costOf(wanted, count) };
}

/** What it costs that a workload goes, or has fewer pods from then on. */
function costOfEnd(fate: Fate, near: Nearby): readonly Cost[] {
  const { kind, name, does, live, before, wanted } = fate;
  if (workloadOf(wanted)?.rollout !== 'rolls') return [];
  const scaling = scalingOf(fate);
  if (scaling) return costOfScaling(fate, scaling);
  const had = live ? podsOf(live, near).length : (replicasOf(before) ?? 0);
  const what = does === 'delete' ? 'is deleted' : does === 'renew' ? 'is deleted and made anew' : undefined;
  return what !== undefined && had > 0
    ? [{ serves: 'interrupted', sentence: `${kind} ${name} ${what}`, surge: 0 }]
    : [];
}

function together(costs: readonly Cost[], below: readonly Plan[]): Plan['availability'] {
  const all = [...costs, ...below.filter(({ restarts }) => restarts.length > 0).map((child) => child.availability)];
  if (all.length === 0) return { serves: 'throughout', sentence: 'pods that run go on' };
  const serves = all.map((one) => one.serves).reduce(worse);
  const worst = all.filter((one) => one.serves === serves).map(({ sentence }) => sentence);
  return { serves, sentence: names(worst, 3) };
}

const byGravity: readonly Plan['state']['outcome'][] = ['none', 'kept', 'unknown', 'dropped'];

/** What is said of state where several have some. */
function worseState(states: readonly Plan['state'][]): Plan['state'] {
  const gravity = ({ outcome }: Plan['state']): number => byGravity.indexOf(outcome);
  return states.reduce((one, other) => (gravity(other) > gravity(one) ? other : one));
}

function riskOf(
  { outcome }: Plan['state'],
  serves: Plan['availability']['serves'],
  restarts: readonly PlannedRestart[],
  below: readonly Plan[],
): Risk {
  const own: Risk =
    outcome === 'dropped' || serves === 'interrupted' ? 'disruption' : restarts.length > 0 ? 'restart' : 'quiet';
  return [own, ...below.map(({ risk }) => risk)].reduce((a, b) => (risks.indexOf(a) >= risks.indexOf(b) ? a : b));
}

function extraOf(fates: readonly Fate[], costs: readonly Cost[]): string {
  const more = fates.reduce((sum, { live, before, wanted, does }) => {
    const was = does === 'create' ? 0 : (replicasOf(live ?? before) ?? 0);
    return sum + Math.max(0, (replicasOf(wanted) ?? 0) - was);
  }, 0);
  const surge = costs.reduce((sum, cost) => sum + cost.surge, 0);
  return [
    ...(more > 0 ? [`${counted(more, 'pod')} more from then on`] : []),
    ...(surge > 0 ? [`${counted(surge, 'pod')} more while it rolls`] : []),
  ].join('; ');
}
