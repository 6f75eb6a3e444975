import { blueGreenSpecCodec } from '../../resources/blue-green-spec.ts';
import type { BlueGreenCause, BlueGreenPhase, BlueGreenTransition } from '../../resources/blue-green-transition.ts';
import type { BlueGreenHistoryEntry } from '../../resources/flink-blue-green-deployment.ts';
import { instantText } from '../instant-text.ts';
import { without } from '../status.ts';
import { type BlueGreenCase, jobOf, type Spec, type Status } from './blue-green-case.ts';

/** Takes a new attempt: whatever derives its id from it is told from everything before. */
export function attempted(status: Status): Status & { readonly attempt: number } {
  return { ...status, attempt: (status.attempt ?? 0) + 1 };
}

/** An id of this resource under the present attempt. */
export function idOf({ uid }: BlueGreenCase, { attempt = 0 }: Status): string {
  return `${uid}-${attempt}`;
}

/** Why the other side is made, and where it is on the way. */
export interface Intent {
  readonly cause: BlueGreenCause;
  readonly because: string;
  readonly phase: BlueGreenPhase;
  readonly restore?: NonNullable<BlueGreenTransition['restore']>;
}

/** The status with a new transition in it, from the serving side to the other. What was given up before is over. */
export function begun(c: BlueGreenCase, { cause, because, phase, restore }: Intent): WithTransition {
  const status = attempted(without(c.status, 'aborted'));
  const at = instantText(c.now);
  const from = c.status.serving?.color;
  const transition: BlueGreenTransition = {
    id: idOf(c, status),
    cause,
    because,
    generation: c.view.resource.metadata.generation ?? 0,
    ...(from && { from }),
    to: from ? c.y.color : c.x.color,
    phase,
    startedAt: at,
    phaseStartedAt: at,
    ...(restore && { restore }),
    steps: [{ phase, startedAt: at }],
  };
  return { ...status, transition };
}

type WithTransition = Status & { readonly transition: BlueGreenTransition };

/** At most so many steps are kept: a target that comes and goes must not fill the status. */
const longestSteps = 30;

/** The transition in its next phase; in the one it is in already, only changed. */
export function moved(
  c: BlueGreenCase,
  status: WithTransition,
  phase: BlueGreenPhase,
  change: Partial<BlueGreenTransition> = {},
): WithTransition {
  const { transition } = status;
  if (transition.phase === phase) return { ...status, transition: { ...transition, ...change } };
  const startedAt = instantText(c.now);
  const steps = [...(transition.steps ?? []), { phase, startedAt }].slice(-longestSteps);
  return { ...status, transition: { ...transition, ...change, phase, phaseStartedAt: startedAt, steps } };
}

/**
 * The transition as it moves traffic, there or back. Each move has an id of its own, which the Ingress carries once it is
 * led there: what a cache still shows of an earlier move, or a request of it that arrives late, is told from this one.
 */
export function movingTraffic(
  c: BlueGreenCase,
  status: WithTransition,
  phase: 'switching' | 'returning',
): WithTransition {
  const { transition } = status;
  const fresh = attempted(status);
  return moved(c, { ...fresh, transition }, phase, { moveId: idOf(c, fresh) });
}

/** The transition without some of what it says. */
export function lacking(status: WithTransition, ...keys: readonly (keyof BlueGreenTransition)[]): WithTransition {
  return { ...status, transition: without(status.transition, ...keys) as BlueGreenTransition };
}

const longestHistory = 10;

/** The transition is over: it becomes history. */
export function over(c: BlueGreenCase, outcome: BlueGreenHistoryEntry['outcome'], reason?: string): Status {
  const { transition } = c.status;
  if (!transition) return c.status;
  const { id, cause, because, generation, from, to, startedAt, restore, steps } = transition;
  const entry: BlueGreenHistoryEntry = {
    id,
    cause,
    because,
    generation,
    ...(from && { from }),
    to,
    startedAt,
    endedAt: instantText(c.now),
    outcome,
    ...(reason !== undefined && { reason }),
    ...(restore?.path !== undefined && { restoredFrom: restore.path }),
    ...(steps && { steps }),
  };
  return { ...without(c.status, 'transition'), history: [entry, ...(c.status.history ?? [])].slice(0, longestHistory) };
}

/** The redeploy nonces of a spec count as acted upon; a removed one stays what it was. */
export function acted(status: Status, spec: Spec): Status {
  const { savepointRedeployNonce, statelessRedeployNonce } = jobOf(spec);
  if (savepointRedeployNonce === undefined && statelessRedeployNonce === undefined) return status;
  const nonces = {
    ...status.nonces,
    ...(savepointRedeployNonce !== undefined && { savepointRedeploy: savepointRedeployNonce }),
    ...(statelessRedeployNonce !== undefined && { statelessRedeploy: statelessRedeployNonce }),
  };
  return { ...status, nonces };
}

/** The nonces as they were before a transition that came to nothing. */
export function unacted(status: Status, before: Status['nonces']): Status {
  return before ? { ...status, nonces: before } : status;
}

/** The spec has become true of the serving side. */
export function recorded(status: Status, spec: Spec): Status {
  return { ...acted(status, spec), lastReconciledSpec: blueGreenSpecCodec.write(spec) };
}
