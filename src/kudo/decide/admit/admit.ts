import { isSecretParameter } from '../../graph/secret-parameters.ts';
import { specialPlans } from '../../keys.ts';
import { changedParameters, type Values } from '../../parameters/changed-parameters.ts';
import { definitionsOf, valuesOf } from '../../parameters/definitions.ts';
import { isForced } from '../../parameters/is-forced.ts';
import { valueProblem } from '../../parameters/value-problem.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';
import { quote } from '../../template/format/quote.ts';
import { conflictOf, whileDeleting } from './conflict.ts';
import {
  changedImmutable,
  removedImmutable,
  unsetImmutable,
  withImmutableDefaults,
  withKeptDefaults,
} from './immutables.ts';
import { isSameVersion, referenceOf } from './reference.ts';
import { type Refused, refusal } from './refusal.ts';
import { type Change, scheduled } from './scheduled.ts';
import { firstPlan, hasPlan, plansOf, triggeredPlan } from './triggered-plan.ts';
import type { Accepted, AdmitView, Verdict } from './view.ts';

/**
 * What becomes of an Instance as it was written: the plan that it starts, or why it is refused.
 *
 * Total: it answers for any shape. The order of the rules is KUDO's, so that of several problems the same one is told. A
 * plan that runs never leads to a refusal: it makes a change wait, or gives way to it.
 */
export function admit(view: AdmitView): Verdict {
  const { before } = view;
  return before ? updated(view, before) : created(view);
}

function created(view: AdmitView): Verdict {
  const { after, versions, deleting, restart } = view;
  if (deleting) return { is: 'nothing' };
  const version = versions.after;
  if (!version) return notFound(view);
  const instance = fullName(view);
  if (!hasPlan(version, specialPlans.deploy)) return refusal('NoDeployPlan', { instance });
  const values = withImmutableDefaults(valuesOf(after.parameters), version);
  const problem = problemOf(values, version);
  if (problem !== undefined) return refusal('InvalidParametersOnCreate', { instance, problem });
  return {
    is: 'start',
    plan: specialPlans.deploy,
    cause: 'install',
    changed: [],
    forced: restart !== false,
    accepted: acceptedOf(view, values),
  };
}

function updated(view: AdmitView, before: Accepted): Verdict {
  const { after, request, name } = view;
  const upgrade = !isSameVersion(before.operatorVersion, after.operatorVersion, name.namespace);
  const given = { before: valuesOf(before.parameters), after: valuesOf(after.parameters) };
  const idle = request.is !== 'run' && !upgrade;
  if (idle && areEqual(given.before, given.after)) return unchanged(view);
  const version = view.versions.after;
  if (!version) return notFound(view);
  // A version that is gone cannot be compared with, and the way to another one must stay open.
  const versions = { before: (upgrade && view.versions.before) || version, after: version };
  const values = { ...given, versions, after: withKeptDefaults({ ...given, versions }) };
  if (idle && areEqual(values.before, values.after)) return unchanged(view);
  const change = changeOf(view, values, upgrade);
  if ('is' in change) return change;
  return change.plan === undefined ? withoutPlan(view, before, change.accepted) : scheduled(view, change, upgrade);
}

/** What is asked for, or why it is refused. No plan: it changes only what no plan is run for. */
function changeOf(view: AdmitView, values: Values, upgrade: boolean): Change | WithoutPlan | Verdict {
  const { request, deleting, restart } = view;
  const { after: version } = values.versions;
  const instance = fullName(view);
  if (request.is === 'run' && !hasPlan(version, request.plan)) {
    return refusal('UnknownPlan', { plan: request.plan, plans: plansOf(version).join(', ') });
  }
  const { names, unknown, changed, removed } = changedParameters(
    upgrade && !view.versions.before ? comparable(values) : values,
  );
  const [stranger] = unknown;
  if (stranger !== undefined) return refusal('UnknownParameter', { instance, parameter: quote(stranger) });

  const immutable = upgrade ? unsetImmutable(instance, values) : changedImmutable(instance, values);
  if (immutable) return immutable;
  const problem = problemOf(values.after, version);
  if (problem !== undefined) return refusal('InvalidParameters', { instance, problem });

  const triggered = triggeredPlan(instance, [...changed, ...removed], version);
  if (triggered && 'is' in triggered) return triggered;
  if (deleting) return whileDeleting(view, upgrade || triggered !== undefined);
  const conflict = conflictOf(view, { upgrade, triggered: triggered?.plan, names });
  if (conflict) return conflict;
  const removal = upgrade ? undefined : removedImmutable(instance, values);
  if (removal) return removal;

  const accepted = acceptedOf(view, withImmutableDefaults(values.after, version));
  const common = { changed: names, accepted };
  const demanded = isForced(names, version);
  if (upgrade) {
    const plan = firstPlan(version, specialPlans.upgrade, specialPlans.update, specialPlans.deploy);
    if (plan === undefined) return refusal('NoUpgradePlan', { instance });
    return { ...common, plan, cause: 'upgrade', forced: restart !== false || demanded };
  }
  if (triggered) return { ...common, plan: triggered.plan, cause: 'parameters', forced: demanded };
  if (request.is !== 'run') return { accepted };
  return { ...common, plan: request.plan, cause: 'trigger', forced: restart !== false || demanded };
}

/**
 * Of a version that is gone nobody knows which parameters it had: those that have a value. Others may be what the new version
 * needs, and an upgrade must be able to bring them.
 */
function comparable({ before, after, versions }: Values): Values {
  const { spec } = versions.after;
  const parameters = [...definitionsOf(versions.after).values()].filter(({ name }) => before.has(name));
  return { before, after, versions: { ...versions, before: { ...versions.after, spec: { ...spec, parameters } } } };
}

interface WithoutPlan {
  readonly plan?: undefined;
  readonly accepted: Accepted;
}

/** Neither version nor values differ from what was accepted; a cancel may still be asked for. */
function unchanged(view: AdmitView): Verdict {
  if (view.deleting) return whileDeleting(view, false);
  return view.request.is === 'cancel' && view.running ? { is: 'cancel' } : { is: 'nothing' };
}

/** Values differ in a way that no plan is run for. A cancel comes first: what it leaves is seen again. */
function withoutPlan(view: AdmitView, before: Accepted, accepted: Accepted): Verdict {
  if (view.request.is === 'cancel' && view.running) return { is: 'cancel' };
  const isNew = !areEqual(valuesOf(before.parameters), valuesOf(accepted.parameters));
  return isNew ? { is: 'nothing', accepted } : { is: 'nothing' };
}

function notFound({ after, name, versions }: AdmitView): Refused {
  const { name: version = '', namespace = name.namespace } = referenceOf(after.operatorVersion);
  return refusal(versions.isBarred ? 'OperatorVersionNotReadable' : 'OperatorVersionNotFound', { version, namespace });
}

/** The first parameter of the version whose value cannot be, in the order of the package. */
function problemOf(values: ReadonlyMap<string, string>, version: OperatorVersion): string | undefined {
  for (const parameter of definitionsOf(version).values()) {
    const problem = valueProblem(parameter, values.get(parameter.name) ?? '', () =>
      isSecretParameter(version, parameter.name),
    );
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function acceptedOf({ after }: AdmitView, values: ReadonlyMap<string, string>): Accepted {
  return { operatorVersion: referenceOf(after.operatorVersion), parameters: Object.fromEntries(values) };
}

function areEqual(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value);
}

function fullName({ name }: AdmitView): string {
  return `${name.namespace}/${name.name}`;
}
