import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import { changedFields, type FieldPath } from '../../graph/changed-fields.ts';
import { type ExplainLimits, explain } from '../../graph/explain.ts';
import { type PlanObject, planObjects } from '../../graph/plan-objects.ts';
import type { RenderBudget } from '../../graph/render-budget.ts';
import { Renderer, type RenderLimits } from '../../graph/renderer.ts';
import { placeOf, type Subject } from '../../graph/renderings.ts';
import { planNames, templateUses } from '../../graph/template-uses.ts';
import { workloadOf } from '../../graph/workload.ts';
import { annotations } from '../../keys.ts';
import { enhance } from '../../render/enhance.ts';
import { usesRandomness } from '../../render/uses-randomness.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';
import type { Read } from '../instance-in.ts';
import { restartCause } from '../restart-cause.ts';
import type { Nearby } from '../surroundings.ts';
import { brokenTemplates } from './broken-templates.ts';
import type { Starts } from './foresee.ts';

/** What a plan does to one object. */
export interface Fate {
  readonly kind: string;
  readonly name: string;
  /** `renew`: deleted, then made anew. */
  readonly does: 'create' | 'change' | 'renew' | 'delete' | 'nothing';
  readonly phase: string;
  readonly step: string;
  /** What changes in it. */
  readonly fields: readonly FieldPath[];
  /** As the plan wants it. */
  readonly wanted: KubeObject;
  /** As it is; absent: there is none, or nobody has looked. */
  readonly live?: AnyObject;
  /** As the last change left it, as far as templates tell. */
  readonly before?: KubeObject;
  /** Why its pods restart. */
  readonly restart?: string;
  /** Why the plan fails there. */
  readonly problem?: string;
}

export interface Consequences {
  readonly fates: readonly Fate[];
  /** There is too much to be looked at: more may happen than is told. */
  readonly incomplete: boolean;
  /** Where the plan will fail. */
  readonly broken: readonly string[];
}

/** The one who asks waits for the answer, but so may others: a second or so at most, whatever the package is like. */
export const lookLimits: RenderLimits = { renderings: 10_000, work: 1_000_000 };

/** Of that, who did what gets no more than leaves enough for what happens. */
const limits: ExplainLimits = { plans: lookLimits, blame: { renderings: 300, work: 300_000 } };

const compared = { fields: 20, compared: 20_000 };

/**
 * What a plan will do to each object that it is about, by rendering what it would apply, before and after. Whose pods restart
 * is what `explain` says over templates, set right by what is really there, with the function that plans use: somebody may
 * have edited a pod template, and pods that have restarted for a demand do not do it again.
 */
export function consequences(
  read: Read,
  { execution, before, accepted }: Starts,
  versions: { readonly before?: OperatorVersion | undefined; readonly after: OperatorVersion },
  near: Nearby,
  shared: RenderBudget,
): Consequences {
  const { name = '', namespace = 'default', uid = '' } = read.metadata;
  const { after: version } = versions;
  const subject: Subject = { operatorVersion: version, instance: { name, namespace, uid } };
  const former: Subject = { ...subject, operatorVersion: versions.before ?? version };
  const renderer = (of: Subject): Renderer => new Renderer(of, limits.plans, shared);
  // Another version may have made with any of its plans what the plan of this one applies.
  const plans = execution.cause === 'upgrade' ? planNames(former.operatorVersion.spec.plans) : [execution.plan];
  // What matters most comes first: what is left may not do for all.
  const next = planObjects(subject, [execution.plan], accepted.parameters, renderer(subject));
  const old = before ? planObjects(former, plans, before.parameters, renderer(former)) : new Map<string, PlanObject>();
  const broken = brokenTemplates(version, execution.plan, accepted.parameters, renderer(subject));
  const forced = execution.restartUID !== undefined;
  const reasons = explain(
    subject,
    {
      from: before?.parameters ?? {},
      to: accepted.parameters,
      plan: execution.plan,
      forced,
      ...(versions.before && { before: versions.before }),
    },
    limits,
    shared,
  );
  const applied = new Set((read.status.objects ?? []).map(({ kind, name }) => `${kind}/${name}`));
  const renewed = new Set(
    templateUses(version, [execution.plan]).flatMap(({ role, template }) => (role === 'deletes' ? [template] : [])),
  );

  const fates = [...next.values()].flatMap((planned): readonly Fate[] => {
    const { object, deleted, use, id } = planned;
    const { kind, apiVersion, metadata } = object;
    const { name: called = '' } = metadata;
    const found = near.find({ apiVersion, kind, name: called });
    const live = typeof found === 'object' ? found : undefined;
    const there =
      live !== undefined || (found === 'unseen' && before !== undefined && applied.has(`${kind}/${called}`));
    const was = old.get(id)?.object;
    const common = {
      kind,
      name: called,
      phase: use.phase,
      step: use.step,
      wanted: object,
      ...(live && { live }),
      ...(was && { before: was }),
    };
    if (deleted) return there ? [{ ...common, does: 'delete', fields: [] }] : [];
    if (!there) return [{ ...common, does: 'create', fields: [] }];
    if (renewed.has(use.template)) return [{ ...common, does: 'renew', fields: [] }];
    const fields = was ? changedFields(was, object, compared).fields : [];
    const foretold = reasons.find(({ workload }) => workload.kind === kind && workload.name === called);
    const said = foretold?.restarts ? restartCause(foretold.sentence, called) : undefined;
    const real = live && really(planned, live, subject, { execution, accepted });
    const restart = real === undefined ? said : real.restart && (said ?? real.restart);
    return [
      {
        ...common,
        does: fields.length > 0 || restart !== undefined ? 'change' : 'nothing',
        fields,
        ...(restart !== undefined && { restart }),
        ...(real?.problem !== undefined && { problem: real.problem }),
      },
    ];
  });
  return { fates, broken, incomplete: shared.exhausted };
}

/**
 * What applying the object does to the live one. `undefined` where that cannot be told from here: random values and the
 * content of Secrets are not for whoever asks to see, and without the note of what was applied last all looks new.
 */
function really(
  { object, use }: PlanObject,
  live: AnyObject,
  subject: Subject,
  { execution, accepted }: Pick<Starts, 'execution' | 'accepted'>,
): { readonly restart?: string; readonly problem?: string } | undefined {
  const { operatorVersion: version } = subject;
  if (!workloadOf(object) || usesRandomness(version) || version.spec.restartPolicy === 'onDependencyChange')
    return undefined;
  if (live.metadata.annotations?.[annotations.lastApplied] === undefined) return undefined;
  const { uid: executionUid, restartUID } = execution;
  const { restart, complaint } = enhance(
    object,
    placeOf(subject, use, accepted.parameters),
    { executionUid, ...(restartUID !== undefined && { restartUID }) },
    { live, namespaced: true, dependencies: () => undefined },
  );
  if (complaint) return { problem: complaint.message };
  return restart ? { restart: restart.because } : {};
}
