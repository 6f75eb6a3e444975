import type { PastChange, Step } from '../../../portrait/portrait.ts';
import type { Transition } from '../../resources/transition.ts';
import { brief } from '../wording.ts';
import type { JobLook } from './job-look.ts';
import { restoreText, thing } from './moments.ts';

/** What a change goes through, in order; a session job never touches its cluster. */
export function wayOf(is: JobLook['is'], rescaling = false): readonly Transition['phase'][] {
  if (rescaling) return ['rescaling'];
  if (is === 'session job') return ['suspending', 'starting'];
  return is === 'session' ? ['clearing', 'starting'] : ['suspending', 'clearing', 'starting'];
}

/** The steps of the change under way, until it is stable; else those of the last one. */
export function stepsOf(l: JobLook): readonly Step[] {
  const { transition } = l;
  return transition ? [...ofTransition(l, transition), stable(l, 'pending')] : ofLast(l);
}

function ofTransition(l: JobLook, transition: Transition): readonly Step[] {
  const { phase, startedAt, phaseStartedAt, stop } = transition;
  const way = wayOf(l.is, phase === 'rescaling');
  const present = way.indexOf(phase);
  return way.map((name, index): Step => {
    const title = titleOf(l, transition, name);
    if (name === 'suspending' && stop.mode === 'none') return { name, title, status: 'skipped' };
    if (index > present) return { name, title, status: 'pending' };
    if (index === present) {
      const info = stop.error ?? l.status.error;
      const told = info === undefined ? {} : { info: brief(info) };
      return { name, title, status: 'current', startedAt: phaseStartedAt, ...told };
    }
    // Only when the present phase began is recorded; the first one began with the change.
    const times = index === 0 ? { startedAt } : {};
    return { name, title, status: 'done', ...times, ...(index === present - 1 && { endedAt: phaseStartedAt }) };
  });
}

function titleOf(l: JobLook, transition: Transition, phase: Transition['phase']): string {
  switch (phase) {
    case 'suspending':
      return {
        none: 'Stop the job',
        savepoint: 'Stop the job with a savepoint',
        cancel: 'Cancel the job and keep its last checkpoint',
        'last-state': 'Take the cluster down and keep its recovery metadata',
        stateless: 'Cancel the job and leave its state behind',
      }[transition.stop.mode];
    case 'clearing':
      return 'Remove the old objects';
    case 'starting':
      return `Start ${thing(l)} ${l.is === 'session' ? 'anew' : restoreText(transition)}`;
    case 'rescaling':
      return 'Rescale the job while it runs';
  }
}

function stable(l: JobLook, status: Step['status']): Step {
  return { name: 'stable', title: `Wait until ${thing(l)} runs stably`, status };
}

function ofLast(l: JobLook): readonly Step[] {
  const [last] = l.status.history ?? [];
  if (!last) return [];
  const { cause, because, startedAt, endedAt, outcome } = last;
  const done: Step = {
    name: cause,
    title: brief(because),
    status: isGood(outcome) ? 'done' : 'failed',
    startedAt,
    endedAt,
  };
  if (l.moment === 'settling') return [done, { ...stable(l, 'current'), startedAt: endedAt }];
  return l.moment === 'stable' ? [done, stable(l, 'done')] : [done];
}

/** The last changes, the newest first. */
export function pastOf({ status }: JobLook): readonly PastChange[] {
  return (status.history ?? []).map(({ id, cause, because, outcome, startedAt, endedAt }) => ({
    id,
    what: cause,
    because: brief(because),
    outcome: brief(outcome),
    good: isGood(outcome),
    startedAt,
    endedAt,
    steps: [],
  }));
}

/** `deployed`, `suspended`, `superseded: …`; or `not rescaled in place: …`. */
function isGood(outcome: string): boolean {
  return !outcome.startsWith('not ');
}
