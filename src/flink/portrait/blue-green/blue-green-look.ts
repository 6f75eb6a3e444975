import type { AnyObject } from '../../../kube/object.ts';
import type { Subject } from '../../../portrait/subject.ts';
import { type BlueGreenSettings, blueGreenSettings } from '../../config/blue-green-options.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { annotations } from '../../decide/bluegreen/annotations.ts';
import { isSuspended, other, type Status, specIn } from '../../decide/bluegreen/blue-green-case.ts';
import { stateOf } from '../../decide/bluegreen/conclude.ts';
import { isAhead } from '../../decide/bluegreen/traffic.ts';
import type { BlueGreenPhase, BlueGreenTransition, Color } from '../../resources/blue-green-transition.ts';
import {
  type BlueGreenState,
  type FlinkBlueGreenDeployment,
  flinkBlueGreenDeployment,
} from '../../resources/flink-blue-green-deployment.ts';
import { holds } from '../findings.ts';
import { resource } from '../resource.ts';
import { subjectOf } from '../subject.ts';

/**
 * Where a blue/green deployment is, finer than its state. What is told of it is a table over these.
 *
 * - `new`: nothing was begun; `unready`: the first deployment is under way
 * - `resting`, `suspended`: what is wanted is true
 * - `given-up`: the last transition was aborted, or rolled back by a person
 * - `in-place`: the side that serves is being changed where it is
 * - `pending`: an edit or trouble at the side that serves is waited upon
 * - `elsewhere`: in a transition that another operator keeps no record of
 * - the phases of a transition by their own names; `awaiting`: it waits for a person
 */
export type Moment =
  | 'deleting'
  | 'new'
  | 'unready'
  | 'resting'
  | 'suspended'
  | 'given-up'
  | 'in-place'
  | 'pending'
  | 'elsewhere'
  | 'awaiting'
  | BlueGreenPhase;

/** A FlinkBlueGreenDeployment with names for what is told of it. Made from the object alone. */
export interface BlueGreenLook {
  readonly resource: FlinkBlueGreenDeployment;
  readonly subject: Subject;
  readonly status: Status;
  readonly settings: BlueGreenSettings;
  readonly state: BlueGreenState;
  readonly moment: Moment;
  readonly transition: BlueGreenTransition | undefined;
  /** The side that has the traffic; absent before the first one has. */
  readonly serving: Color | undefined;
  /** The side that is made, or gets the traffic; without a transition the one that does not serve. */
  readonly target: Color;
  /** Whether the side that has the traffic is known not to serve. */
  readonly down: boolean;
}

export function blueGreenLook(object: AnyObject, operator: OperatorConfig): BlueGreenLook {
  const found = resource<FlinkBlueGreenDeployment & AnyObject>(flinkBlueGreenDeployment, object);
  const status: Status = found.status ?? {};
  const { transition } = status;
  // Another operator may keep no record of ours, but it says where it is.
  const state = transition || status.serving ? stateOf(status) : (status.blueGreenState ?? 'INITIALIZING_BLUE');
  const settings = blueGreenSettings(found, operator);
  const serving = servingOf(status, state);
  const available = status.conditions?.find(({ type }) => type === 'Available');
  return {
    resource: found,
    subject: subjectOf(found),
    status,
    settings,
    state,
    moment: momentOf(found, status, state, settings),
    transition,
    serving,
    target: transition?.to ?? (serving ? other(serving) : 'BLUE'),
    down: available?.status === 'False' && available.reason === 'NotServing',
  };
}

function servingOf(status: Status, state: BlueGreenState): Color | undefined {
  const { transition, serving } = status;
  if (transition) {
    const { from, to, phase } = transition;
    if (from === undefined) return undefined;
    if (isAhead(transition)) return to;
    return phase === 'returning' ? (serving?.color ?? from) : from;
  }
  if (serving) return serving.color;
  if (state === 'INITIALIZING_BLUE') return undefined;
  const color = state.endsWith('GREEN') ? 'GREEN' : 'BLUE';
  return state.startsWith('TRANSITIONING') ? other(color) : color;
}

function momentOf(
  { metadata, spec }: FlinkBlueGreenDeployment,
  status: Status,
  state: BlueGreenState,
  settings: BlueGreenSettings,
): Moment {
  if (metadata.deletionTimestamp !== undefined) return 'deleting';
  const { transition } = status;
  if (transition) {
    const awaits = holds(status, 'Reconciling')?.reason === 'AwaitsPromotion';
    return movingMoment(transition, settings, metadata.annotations ?? {}, awaits);
  }
  const suspended = spec.template?.spec?.job?.state === 'suspended';
  if (state === 'INITIALIZING_BLUE') return suspended && status.observedGeneration !== undefined ? 'suspended' : 'new';
  if (!state.startsWith('ACTIVE')) return 'elsewhere';
  if (status.inPlace) return 'in-place';
  // Until it has been looked at, what is suspended still runs.
  if (suspended && (status.lastReconciledSpec === undefined || isSuspended(specIn(status.lastReconciledSpec)))) {
    return 'suspended';
  }
  if (status.aborted) return 'given-up';
  return (holds(status, 'Reconciling') ?? holds(status, 'Stalled')) ? 'pending' : 'resting';
}

function movingMoment(
  transition: BlueGreenTransition,
  { promotion }: BlueGreenSettings,
  noted: Readonly<Record<string, string>>,
  awaits: boolean,
): Moment {
  const { phase, from, id } = transition;
  if (from === undefined) return 'unready';
  const manual = promotion === 'manual' && noted[annotations.promote] !== id;
  if (manual && phase === 'verifying') return 'awaiting';
  // Traffic that had to move without a person, because the old side was lost: its end waits for one.
  return manual && phase === 'draining' && awaits ? 'awaiting' : phase;
}
