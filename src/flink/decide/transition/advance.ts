import type { Transition } from '../../resources/transition.ts';
import { instantText } from '../instant-text.ts';
import type { JobCase } from '../job-case.ts';
import { type Status, withTransition } from '../status.ts';
import type { Step } from '../step.ts';
import { clearing } from './clearing.ts';
import { rescaling } from './rescaling.ts';
import { starting } from './starting.ts';
import { suspending } from './suspending.ts';

/** A case in the middle of a change. */
export type Moving = JobCase & { readonly status: Status & { readonly transition: Transition } };

/**
 * Takes the next step of the change under way. Phases follow each other within one decision as long as there is nothing
 * to wait for: what is written first is then the whole of it.
 */
export function advance(c: JobCase): Step<Status> {
  const { transition } = c.status;
  if (!transition) return { status: c.status, effects: [], because: 'no change is under way' };
  const moving: Moving = { ...c, status: { ...c.status, transition } };
  switch (transition.phase) {
    case 'suspending':
      return suspending(moving);
    case 'rescaling':
      return rescaling(moving);
    case 'clearing':
      // A session job has no objects of its own.
      return c.is === 'application' ? clearing(moving) : enter(moving, 'starting');
    case 'starting':
      return starting(moving);
  }
}

/** Goes on to a phase, with whatever is known better by now. */
export function enter(
  c: Moving,
  phase: Transition['phase'],
  better: Partial<Transition> = {},
  status: Status = c.status,
): Step<Status> {
  const transition = { ...c.status.transition, ...better, phase, phaseStartedAt: instantText(c.now) };
  return advance({ ...c, status: withTransition(status, transition) });
}
