import { canonical } from '../../control/digest.ts';
import type { AnyObject } from '../../kube/object.ts';
import { isForced } from '../parameters/is-forced.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { Blame } from './blame.ts';
import { changedFields, type FieldPath } from './changed-fields.ts';
import { GRAPH_LIMITS } from './graph.ts';
import { objectId } from './ids.ts';
import { own } from './own.ts';
import { type PlanObject, planObjects } from './plan-objects.ts';
import { reachesPodTemplate } from './pod-template-fields.ts';
import { referencesOf } from './references.ts';
import type { RenderBudget } from './render-budget.ts';
import { PLAN_LIMITS, Renderer, type RenderLimits } from './renderer.ts';
import type { Subject, Values } from './renderings.ts';
import type { Cause, Finding, RestartReason } from './restart-reason.ts';
import { sentenceOf } from './sentence.ts';
import { planNames } from './template-uses.ts';
import { triggeredPlan } from './triggered-plan.ts';
import { contentChanges, namesOf, usedBy } from './used-content.ts';
import { isWellFormed } from './well-formed.ts';
import { workloadOf } from './workload.ts';

/** A change of an Instance, and what is known of the execution that carries it out. */
export interface Change {
  readonly from: Values;
  readonly to: Values;
  /** The version that `from` was applied with; absent: the same. */
  readonly before?: OperatorVersion;
  /** Absent: the plan that the changed parameters trigger. */
  readonly plan?: string;
  /** Whether the execution demands a restart. Absent: if any changed parameter does, or none has changed. */
  readonly forced?: boolean;
}

export interface ExplainInput extends Subject {
  /** Objects as they are. Absent: those of `from` are taken to be there. */
  readonly live?: readonly AnyObject[];
}

/** How much is rendered to explain a change. */
export interface ExplainLimits {
  /** What the plans make, before and after. Beyond this nothing is explained. */
  readonly plans: RenderLimits;
  /** Which parameter did what. Beyond this all that changed are named. */
  readonly blame: RenderLimits;
}

/** For people who wait for the answer. */
const patient: ExplainLimits = {
  plans: PLAN_LIMITS,
  blame: { renderings: 1000, work: 10_000_000 },
};

/**
 * For each workload that the plan of a change applies or deletes, whether its pods restart, and why. Pure: what a plan has
 * to say about the objects it really finds is in `render/enhance.ts`; this is the same rule over what templates make.
 * `shared`: what others use as well.
 */
export function explain(
  input: ExplainInput,
  change: Change,
  limits: ExplainLimits = patient,
  shared?: RenderBudget,
): readonly RestartReason[] {
  const { operatorVersion: version } = input;
  if (!isWellFormed(version) || (change.before && !isWellFormed(change.before))) return [];
  const changed = changedNames(change.from, change.to);
  const plan = change.plan ?? triggeredPlan(version, changed);
  if (plan === undefined) return [];
  const upgraded = change.before !== undefined && !isSame(change.before, version);
  // Another version may have made with any of its plans what the plan of this one applies.
  const { before = version } = change;
  const earlier = { ...input, operatorVersion: before };
  const [first, second] = [new Renderer(earlier, limits.plans, shared), new Renderer(input, limits.plans, shared)];
  const old = planObjects(earlier, upgraded ? planNames(before.spec.plans) : [plan], change.from, first);
  const next = planObjects(input, [plan], change.to, second);
  if (first.exhausted || second.exhausted) return [];
  const there = input.live && new Set(input.live.map(objectId));
  const demanding = changed.filter((name) => isForced([name], version));
  const forced = change.forced ?? (demanding.length > 0 || changed.length === 0 || upgraded);

  const guilt = new Blame(version, new Renderer(input, limits.blame, shared), {
    from: change.from,
    to: change.to,
    changed,
  });
  const causesIn = (planned: PlanObject, fields: readonly FieldPath[]): readonly Cause[] => {
    if (fields.length === 0) return [];
    const { kind, metadata } = planned.object;
    const object = { kind, name: metadata.name ?? '' };
    if (upgraded) return [{ parameters: [], object, what: namesOf(kind, fields) }];
    const groups = Map.groupBy(guilt.of(planned, fields), ({ parameters }) => parameters.join('\0'));
    return [...groups.values()].map((same) => ({
      parameters: same[0]?.parameters ?? [],
      object,
      what: namesOf(
        kind,
        same.map(({ field }) => field),
      ),
    }));
  };

  return [...next.values()].flatMap((planned) => {
    const workload = workloadOf(planned.object);
    if (workload === undefined) return [];
    const before = old.get(planned.id)?.object;
    const known = there ? there.has(planned.id) : before !== undefined;
    const fields = before === undefined ? [] : changedFields(before, planned.object, GRAPH_LIMITS).fields;
    const [inside, outside] = [true, false].map((is) =>
      fields.filter((field) => reachesPodTemplate(planned.object, field) === is),
    ) as [FieldPath[], FieldPath[]];
    const template = causesIn(planned, inside);
    const used = usedBy(referencesOf(workload.podSpec), next).flatMap(({ dependency, keys }) =>
      causesIn(dependency, contentChanges(old.get(dependency.id)?.object, dependency.object, keys)),
    );
    const policy = version.spec.restartPolicy === 'onDependencyChange' ? 'onDependencyChange' : 'always';
    const fate = planned.deleted ? 'deleted' : known ? 'kept' : 'created';
    const reason = reasonOf({ fate, template, used, forced, policy });
    const { kind, metadata } = planned.object;
    const finding: Finding = {
      workload: { kind, name: metadata.name ?? '' },
      restarts: reason !== 'none' && workload.rollout === 'rolls',
      reason,
      causes: [...template, ...used],
      fate,
      rollout: workload.rollout,
      forced,
      demanding,
      policy,
      template,
      used,
      elsewhere: causesIn(planned, outside),
    };
    const { workload: of, restarts, causes } = finding;
    return [{ workload: of, restarts, reason, causes, sentence: sentenceOf(finding) }];
  });
}

function reasonOf({
  fate,
  template,
  used,
  forced,
  policy,
}: Pick<Finding, 'fate' | 'template' | 'used' | 'forced' | 'policy'>): RestartReason['reason'] {
  if (fate !== 'kept') return 'none';
  if (template.length > 0) return 'template-changed';
  if (!forced) return 'none';
  if (policy === 'always') return 'forced';
  return used.length > 0 ? 'dependency-changed' : 'none';
}

/** The same package, also if it was read twice. */
function isSame(one: OperatorVersion, other: OperatorVersion): boolean {
  return one === other || (one.metadata.name === other.metadata.name && canonical(one.spec) === canonical(other.spec));
}

/** Added, changed or removed; also where the new value is the default, for the plan runs then too. */
function changedNames(from: Values, to: Values): readonly string[] {
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...names].filter((name) => own(from, name) !== own(to, name)).sort();
}
