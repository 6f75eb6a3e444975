import type { Instant } from '../../../clock/clock.ts';
import { validateSnapshot } from '../../validate/snapshot.ts';
import type { SnapshotView } from '../../view.ts';
import { warned } from '../reasons.ts';
import { abandoned, completed } from './ended.ts';
import { reconciling, type SnapshotStep, stalled } from './snapshot-step.ts';
import { targetOf } from './target.ts';
import { trigger } from './trigger.ts';

/** How long a job that is starting or not heard of yet is waited for, before its snapshot is abandoned. */
const patienceMs = 60_000;

/** TRIGGER_PENDING, and FAILED when its time has come: the snapshot is to be asked for, since then. */
export function pending(view: SnapshotView, since: Instant): SnapshotStep {
  const { resource, now } = view;
  const { spec } = resource;
  const [problem] = validateSnapshot(resource, { job: view.job ?? 'unknown' });
  if (problem) return invalid(view, problem.message);
  if (spec.savepoint?.alreadyExists) return completed(view, spec.savepoint.path);

  const target = targetOf(view);
  switch (target.is) {
    case 'running':
      return trigger(view, target.jobId);
    case 'not running':
      return abandoned(view, target.because);
    case 'unsettled': {
      const wakeAt = since + patienceMs;
      return now >= wakeAt ? abandoned(view, target.because) : waiting(view, target.because, wakeAt);
    }
  }
}

function waiting({ resource }: SnapshotView, because: string, wakeAt: number): SnapshotStep {
  const { state = 'TRIGGER_PENDING', failures = 0 } = resource.status ?? {};
  const status = { ...resource.status, state, failures };
  return { status, effects: [], because, wakeAt, standing: reconciling('WaitingForJob', because) };
}

/** Stays as it is until somebody edits it. */
function invalid({ resource }: SnapshotView, message: string): SnapshotStep {
  const { status = {} } = resource;
  const said = status.error === message;
  return {
    status: { ...status, state: 'TRIGGER_PENDING', failures: status.failures ?? 0, error: message },
    effects: said ? [] : [warned(resource, 'ValidationError', message)],
    because: message,
    standing: stalled('ValidationError', message),
  };
}
