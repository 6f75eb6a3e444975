import { equal } from '../../../change/equal.ts';
import {
  type Conditions,
  dropCondition,
  type Finding,
  type Standing,
  setCondition,
  stand,
} from '../../../control/conditions.ts';
import { type Decision, refTo } from '../../../control/decision.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { BlueGreenState } from '../../resources/flink-blue-green-deployment.ts';
import type { JobState } from '../../resources/job-status.ts';
import { instantOf, instantText } from '../instant-text.ts';
import { warned } from '../reasons.ts';
import { without } from '../status.ts';
import type { Effect } from '../step.ts';
import { type BlueGreenCase, caseOf, isSuspended, type Status } from './blue-green-case.ts';
import type { BlueGreenStep } from './blue-green-step.ts';
import { changedByHand, relabelled } from './rest.ts';
import { isReady, sideOf, trouble } from './side.ts';
import { ingressTrouble, previewTrouble, trafficColor, trafficEffects } from './traffic.ts';

/** What the upstream writes for a time that is not set. */
const never = '1970-01-01T00:00:00Z';

/**
 * Makes a Decision of a step: the fields of the upstream and the conditions follow from the record, and are never read back;
 * Ingresses follow the status that is written.
 */
export function conclude(c: BlueGreenCase, step: BlueGreenStep): Decision {
  const now = caseOf(c.view, step.status, c.desired);
  const { resource } = c.view;
  const status = withConditions(now, step, written(now, step));
  const changed = !equal(resource.status ?? {}, status);
  // What is refused ends the run: what is the matter is said before.
  const own = isQuiet(now, step) ? relabelled(now) : [];
  const effects = [...warnings(now, step), ...(step.effects ?? []), ...trafficEffects(now, step.status), ...own];
  return {
    actions: [...(changed ? [{ do: 'status' as const, of: refTo(resource), status: plain(status) }] : []), ...effects],
    because: step.because,
    ...(step.wakeAt !== undefined && { wakeAt: step.wakeAt }),
  };
}

/** Nothing but words: a side may be given the labels that the template asks for meanwhile. At rest that is done anyway. */
function isQuiet({ place }: BlueGreenCase, { effects = [] }: BlueGreenStep): boolean {
  return place === 'transitioning' && effects.every((effect) => effect.do === 'event');
}

/** The status with the fields that the upstream has, written from the record. */
function written(c: BlueGreenCase, { status, error }: BlueGreenStep): Status {
  const { transition } = status;
  const before = c.view.resource.status;
  const blueGreenState = stateOf(status);
  const triggerId = transition?.savepoint?.triggerId;
  const moved = before?.blueGreenState !== blueGreenState || before.lastReconciledSpec !== status.lastReconciledSpec;
  return {
    ...without(status, 'error', 'savepointTriggerId'),
    blueGreenState,
    jobStatus: { ...status.jobStatus, state: jobStateOf(c, error) },
    lastReconciledTimestamp: moved ? instantText(c.now) : (before.lastReconciledTimestamp ?? instantText(c.now)),
    abortTimestamp: wireTime(transition?.deadline),
    deploymentReadyTimestamp: wireTime(transition?.readyAt),
    ...(triggerId !== undefined && { savepointTriggerId: triggerId }),
    ...(error !== undefined && { error }),
    observedGeneration: c.view.resource.metadata.generation ?? 0,
  };
}

function wireTime(text: string | undefined): string {
  const instant = instantOf(text);
  return instant === undefined ? never : instantText(instant);
}

/** Seed 001, "Deployment States". */
export function stateOf({ transition, serving }: Status): BlueGreenState {
  if (!transition) return serving ? `ACTIVE_${serving.color}` : 'INITIALIZING_BLUE';
  if (transition.from === undefined) return 'INITIALIZING_BLUE';
  if (transition.phase === 'savepointing') return `SAVEPOINTING_${transition.from}`;
  return `TRANSITIONING_TO_${transition.to}`;
}

function jobStateOf({ place, x, desired, status }: BlueGreenCase, error: string | undefined): JobState {
  if (error !== undefined) return 'FAILING';
  switch (place) {
    case 'initializing':
      return isSuspended(desired) && (!status.transition || x.is === 'suspended') ? 'SUSPENDED' : 'RECONCILING';
    case 'savepointing':
      return 'RUNNING';
    case 'transitioning':
      return 'RECONCILING';
    case 'active':
      if (x.is === 'ready') return 'RUNNING';
      if (x.is === 'ended' && x.seen?.status.jobStatus?.state === 'FINISHED') return 'FINISHED';
      return x.is === 'suspended' || (x.is === 'absent' && isSuspended(desired)) ? 'SUSPENDED' : 'RECONCILING';
  }
}

function withConditions(c: BlueGreenCase, step: BlueGreenStep, status: Status): Status {
  const generation = c.view.resource.metadata.generation ?? 0;
  let conditions: Conditions = stand(status.conditions ?? [], standingOf(c, step), generation, c.now);
  for (const { type, finding } of findings(c, step)) {
    conditions = finding
      ? setCondition(conditions, { type, ...finding }, generation, c.now)
      : dropCondition(conditions, type);
  }
  return { ...status, conditions: conditions.map((one) => ({ ...one })) };
}

/** Whether traffic is served, in spite of whatever is being redone. */
function isServed(c: BlueGreenCase): boolean {
  const color = trafficColor(c, c.status);
  return color !== undefined && isReady(sideOf(c, color, c.view.sides[color]));
}

function standingOf(c: BlueGreenCase, { because, stands, error }: BlueGreenStep): Standing {
  const serving = isServed(c);
  const deferred = c.place === 'transitioning' && isSuspended(c.desired);
  const message = deferred ? `${because} The job is suspended once the transition is complete.` : because;
  if (stands)
    return { is: stands.is === 'waiting' ? 'reconciling' : 'stalled', serving, reason: stands.reason, message };
  if (error !== undefined) return { is: 'reconciling', serving, reason: 'Failing', message };
  const { transition } = c.status;
  if (deferred) return { is: 'reconciling', serving, reason: 'SuspendDeferred', message };
  if (transition) return { is: 'reconciling', serving, reason: reasonOf(transition.phase), message };
  if (isSuspended(c.desired) && c.change.type === 'IGNORE') return { is: 'ready', reason: 'Suspended', message };
  if (c.change.type !== 'IGNORE' || !serving) return { is: 'reconciling', serving, reason: 'Changing', message };
  return { is: 'ready', reason: 'Serving', message };
}

function reasonOf(phase: string): Capitalize<string> {
  return `${phase.charAt(0).toUpperCase()}${phase.slice(1)}` as Capitalize<string>;
}

type Found = Omit<Finding, 'type'> | undefined;

/** What is told beside the conditions that every resource has. */
function findings(
  c: BlueGreenCase,
  step: BlueGreenStep,
): readonly { readonly type: string; readonly finding: Found }[] {
  return [
    { type: 'Available', finding: available(c) },
    { type: 'Promoted', finding: promoted(c, step) },
    { type: 'LeftOver', finding: leftOver(c) },
    { type: 'ChangedByHand', finding: byHand(c) },
    { type: 'IngressBlocked', finding: blocked(c) },
  ];
}

function available(c: BlueGreenCase): Found {
  const color = trafficColor(c, c.status) ?? c.x.color;
  const side = sideOf(c, color, c.view.sides[color]);
  const message = `${trouble(side)}.`;
  return isServed(c)
    ? { status: 'True', reason: 'Serving', message }
    : { status: 'False', reason: c.status.serving ? 'NotServing' : 'NeverServed', message };
}

function promoted(c: BlueGreenCase, { because, stands }: BlueGreenStep): Found {
  const { transition, aborted, serving } = c.status;
  if (aborted) return { status: 'False', reason: 'Aborted', message: aborted.reason };
  // Whatever has the traffic, it is not what is written.
  if (stands?.reason === 'ValidationError') return { status: 'False', reason: stands.reason, message: because };
  if (transition?.trafficAt !== undefined) {
    return { status: 'True', reason: 'TrafficMoved', message: `Traffic is at ${transition.to.toLowerCase()}.` };
  }
  if (transition || c.change.type !== 'IGNORE') return { status: 'False', reason: 'UnderWay', message: because };
  if (!serving) return { status: 'False', reason: 'NeverServed', message: because };
  return { status: 'True', reason: 'Complete', message: `${serving.color.toLowerCase()} has the newest template.` };
}

/** A side that an abort left runs on, and writes to its sinks. */
function leftOver({ y, status }: BlueGreenCase): Found {
  if (!status.aborted || !y.seen || y.is === 'leaving') return undefined;
  const runs = y.is === 'suspended' ? 'is suspended' : 'was left as it is: while its job runs it writes to its sinks';
  const message = `${y.name} did not become ready in time and ${runs}. The next transition, or putting the template back, deletes it.`;
  return { status: 'True', reason: y.is === 'suspended' ? 'Suspended' : 'LeftAsItIs', message };
}

/** Reported, not reverted: that would restart it. While a change is on its way it is not told from that. */
function byHand(c: BlueGreenCase): Found {
  if (c.place !== 'active' || (c.change.type !== 'IGNORE' && !c.givenUp)) return undefined;
  const text = changedByHand(c);
  if (text === '') return undefined;
  const message = `${c.x.name} differs from the template: ${text}. It is left so; the next transition starts from the template.`;
  return { status: 'True', reason: 'ChangedByHand', message };
}

function blocked(c: BlueGreenCase): Found {
  const message = ingressTrouble(c) ?? previewTrouble(c);
  return message === undefined ? undefined : { status: 'True', reason: 'NameTaken', message };
}

/** What went wrong since the last look is said once. A step that warns of it itself says it better. */
function warnings(c: BlueGreenCase, { error, effects = [], stands }: BlueGreenStep): readonly Effect[] {
  const { status } = c.view.resource;
  const warnedAlready = effects.some((effect) => effect.do === 'event' && effect.warning);
  const said = error === undefined || error === status?.error || warnedAlready;
  const ingress = ingressTrouble(c) ?? previewTrouble(c);
  const known = status?.conditions?.some(({ type, message }) => type === 'IngressBlocked' && message === ingress);
  const { resource } = c;
  return [
    ...(said ? [] : [warned(resource, stands?.reason ?? 'Error', error)]),
    ...(ingress === undefined || known ? [] : [warned(resource, 'NameTaken', ingress)]),
  ];
}

/** A status without the `undefined`s that code leaves in it: JSON has none. */
function plain(status: object): JsonObject {
  return JSON.parse(JSON.stringify(status)) as JsonObject;
}
