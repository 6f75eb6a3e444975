import type { Cause, Transition } from '../../resources/transition.ts';
import { instantText } from '../instant-text.ts';
import { ended, type Status, without, withRecord, withTransition } from '../status.ts';
import type { Effect, Step } from '../step.ts';
import { clearing } from './clearing.ts';
import type { MovingSession, SessionCase } from './session-case.ts';
import { starting } from './starting.ts';

/**
 * Writes down that the cluster is to be made anew, or removed, and takes the first step. Nothing is stopped first: jobs
 * in a session come back from the HA metadata, which stays unless the cluster is deleted.
 */
export function begin(c: SessionCase, cause: Cause, because: string, events: readonly Effect[]): Step<Status> {
  const at = instantText(c.view.now);
  const superseded = ended(c.status, `superseded: ${because}`, at);
  const attempt = (c.status.attempt ?? 0) + 1;
  const transition: Transition = {
    id: `${c.uid}-${attempt}`,
    cause,
    because,
    generation: c.generation,
    phase: 'clearing',
    startedAt: at,
    phaseStartedAt: at,
    stop: { mode: 'none' },
    restore: { mode: cause === 'deletion' ? 'stateless' : 'last-state' },
  };
  const begun = { ...without(superseded, 'error'), attempt, observedGeneration: c.generation, transition };
  const step = advance({ ...c, status: withRecord(begun, cause === 'deletion' ? {} : { state: 'UPGRADING' }) });
  return { ...step, effects: [...events, ...step.effects] };
}

/** The next step of the change under way. */
export function advance(c: SessionCase): Step<Status> {
  const { transition } = c.status;
  if (!transition) return { status: c.status, effects: [], because: 'no change is under way' };
  const moving: MovingSession = { ...c, status: { ...c.status, transition } };
  if (transition.phase === 'starting') return starting(moving, again);
  const cleared = clearing(moving);
  return cleared === 'done' ? starting(entered(moving), again) : cleared;
}

function entered(c: MovingSession): MovingSession {
  const transition = { ...c.status.transition, phase: 'starting', phaseStartedAt: instantText(c.view.now) } as const;
  return { ...c, status: { ...withTransition(c.status, transition), transition } };
}

/** What was being made is not wanted any more, or in the way: cleared away, and made anew under another id. */
function again(c: MovingSession): Step<Status> {
  const attempt = (c.status.attempt ?? 0) + 1;
  const { jobId: _, ...kept } = c.status.transition;
  const phaseStartedAt = instantText(c.view.now);
  const transition: Transition = {
    ...kept,
    id: `${c.uid}-${attempt}`,
    generation: c.generation,
    phase: 'clearing',
    phaseStartedAt,
  };
  return advance({ ...c, status: { ...c.status, attempt, transition } });
}
