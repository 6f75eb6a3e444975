import { type Conditions, dropCondition, type Finding, setCondition } from '../../control/conditions.ts';
import type { EventAction, VersionedRef } from '../../control/decision.ts';
import { valuesOf } from '../parameters/definitions.ts';
import type { Execution, InstanceStatus } from '../resources/instance.ts';
import { acceptance, refusalEvent, remembered, remembering } from './acceptance.ts';
import { admit } from './admit/admit.ts';
import type { AdmitView, PlanRequest, Running, Verdict } from './admit/view.ts';
import { withLeftOver } from './demand.ts';
import { begin, end } from './execution.ts';
import { foretold } from './foretold.ts';
import { readLetter } from './letter.ts';
import { overdueAt } from './overdue.ts';
import type { InstanceView } from './view.ts';

/** What an edit of the Instance led to. */
export interface Change {
  readonly status: InstanceStatus;
  readonly events: readonly EventAction[];
  /** A plan began or ended by it: nothing else is done before that has been written down. */
  readonly moved: boolean;
  readonly because: string;
  /** The execution gives way to what waits then. */
  readonly yieldsAt?: number;
}

/**
 * Compares what people wrote with what was accepted last, and with what `spec.planExecution` asks for. These are two
 * questions: parameters that cannot be accepted do not keep anybody from cancelling a plan or from running one.
 *
 * A cancel goes first, then the specification, then the letter. What has to wait stays where it was written.
 */
export function takeChange(view: InstanceView, about: VersionedRef): Change {
  const { instance, versions, now } = view;
  const letter = readLetter(instance);
  const status = remembering(instance.status ?? {}, view);
  const generation = instance.metadata.generation ?? 0;
  const note = (finding: Finding | undefined, type: string, from: InstanceStatus): InstanceStatus => {
    const conditions: Conditions = from.conditions ?? [];
    const next = finding ? setCondition(conditions, finding, generation, now) : dropCondition(conditions, type);
    return next === conditions ? from : { ...from, conditions: [...next] };
  };

  if (letter.is === 'cancel' && status.execution) {
    const { plan } = status.execution;
    const text = `Execution of plan ${plan} was cancelled`;
    const event: EventAction = { do: 'event', about, reason: 'PlanCancelled', note: text };
    return {
      status: end(status, 'CANCELED', now, 'cancelled: spec.planExecution was blanked'),
      events: [event],
      moved: true,
      because: text,
    };
  }

  const running = runningOf(status, view);
  const common = {
    name: { namespace: instance.metadata.namespace ?? '', name: instance.metadata.name ?? '' },
    deleting: false,
    ...(running && { running }),
  };
  // The opt-out belongs to the letter that it stands in; without one, to the specification.
  const optOut = instance.spec.planExecution?.restart === false ? { restart: false } : {};
  const asked: AdmitView = {
    ...common,
    ...(letter.is !== 'run' && optOut),
    ...(status.accepted && { before: status.accepted }),
    after: instance.spec,
    versions: {
      ...(versions.accepted && { before: versions.accepted }),
      ...(versions.wanted && { after: versions.wanted }),
      isBarred: versions.unreadable?.wanted !== undefined,
    },
    request: { is: 'none' },
  };
  const spec = admit(asked);
  if (spec.is === 'start') {
    // Whatever stood in the manifest of a new Instance was about another one.
    const met = spec.cause === 'install' && letter.is === 'run';
    return started(spec, met ? { ...status, letter: remembered(letter, false) } : status, view, about);
  }

  const kept = spec.is === 'nothing' && spec.accepted ? stored(status, spec.accepted, view) : status;
  const request: PlanRequest = letter.is === 'run' ? letter : { is: 'none' };
  const called =
    kept.accepted && letter.is === 'run' ? requested(request, kept, { ...common, ...optOut }, view) : undefined;
  const dealt = (declined: boolean): InstanceStatus =>
    letter.is === 'run' ? { ...kept, letter: remembered(letter, declined) } : kept;
  if (called?.is === 'start') return started(called, dealt(false), view, about);

  const verdicts = [spec, ...(called ? [called] : [])];
  const refused = verdicts.find((verdict) => verdict.is === 'refused');
  const waits = verdicts.find((verdict) => verdict.is === 'waits');
  const declined = called?.is === 'refused' ? dealt(true) : kept;
  const accepted = note(acceptance(refused, declined, view), 'Accepted', declined);
  const next = note(waits && waiting(waits), 'Waiting', accepted);
  return {
    status: next,
    events: refusalEvent(refused, instance.status, about),
    moved: false,
    because: refused?.message ?? waits?.message ?? 'nothing was asked for',
    ...(waits && running && !running.yields && yieldsAt(status.execution, view)),
  };
}

/** Values change that no plan is run for; the next one applies them, and owes them the restart that they demand. */
function stored(
  status: InstanceStatus,
  accepted: NonNullable<InstanceStatus['accepted']>,
  { instance, versions }: InstanceView,
): InstanceStatus {
  const version = versions.wanted ?? versions.accepted;
  const [before, after] = [valuesOf(status.accepted?.parameters), valuesOf(accepted.parameters)];
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  const { uid = '', generation = 0 } = instance.metadata;
  const demand = { uid: `${uid}/${generation}/stored`, plan: '', changed: changed.sort() };
  const restart = version ? withLeftOver(status.restart, demand, version) : status.restart;
  return { ...status, accepted, ...(restart && { restart }) };
}

/** Whether a plan is asked for that can run with what was accepted. */
function requested(
  request: PlanRequest,
  { accepted }: InstanceStatus,
  common: Pick<AdmitView, 'name' | 'deleting' | 'running' | 'restart'>,
  { instance, versions }: InstanceView,
): Verdict {
  const version = versions.accepted ?? versions.wanted;
  return admit({
    ...common,
    ...(accepted && { before: accepted }),
    after: { ...instance.spec, ...accepted },
    versions: version ? { before: version, after: version } : {},
    request,
  });
}

function started(
  verdict: Extract<Verdict, { is: 'start' }>,
  status: InstanceStatus,
  view: InstanceView,
  about: VersionedRef,
): Change {
  const { instance, versions, now } = view;
  const version = verdict.cause === 'trigger' ? (versions.accepted ?? versions.wanted) : versions.wanted;
  if (!version) return { status, events: [], moved: false, because: 'there is no OperatorVersion' };
  const { plan } = verdict;
  const generation = instance.metadata.generation ?? 0;
  const reasons = foretold(verdict, status, version, view);
  const begun = begin(
    status,
    { ...verdict, reasons },
    { instanceUid: instance.metadata.uid ?? '', generation, version, now },
  );
  const accepted: Finding = { type: 'Accepted', status: 'True', reason: 'Accepted', message: '' };
  const conditions = dropCondition(setCondition(begun.conditions ?? [], accepted, generation, now), 'Waiting');
  const event: EventAction = { do: 'event', about, reason: 'PlanStarted', note: `Execution of plan ${plan} started` };
  const why = verdict.changed.length > 0 ? `${verdict.changed.join(', ')} changed` : verdict.cause;
  return {
    status: { ...begun, conditions: [...conditions] },
    events: [event],
    moved: true,
    because: `plan ${plan} begins: ${why}${verdict.forced ? '; pods restart' : '; pods do not restart for it'}`,
  };
}

/**
 * So often a plan may fail before it gives way to another: a request that was lost, or a server that was busy for a moment, must not
 * cost anybody the change that it carries out. What is wrong for good has failed this often within seconds.
 */
const borneFailures = 3;

function runningOf({ execution, planStatus = {} }: InstanceStatus, view: InstanceView): Running | undefined {
  if (!execution) return undefined;
  const { plan, uid } = execution;
  const steps = (planStatus[plan]?.phases ?? []).flatMap((phase) => phase.steps ?? []);
  const fails = steps.some((step) => step.status === 'ERROR') && (execution.failures ?? 0) > borneFailures;
  const { yieldsAt: at } = yieldsAt(execution, view);
  return { plan, uid, yields: fails || (at !== undefined && view.now >= at) };
}

function yieldsAt(execution: Execution | undefined, { instance }: InstanceView): { readonly yieldsAt?: number } {
  const at = execution && overdueAt(execution, instance);
  return at === undefined ? {} : { yieldsAt: at };
}

function waiting({ message }: Extract<Verdict, { is: 'waits' }>): Finding {
  return { type: 'Waiting', status: 'True', reason: 'PlanInProgress', message };
}
