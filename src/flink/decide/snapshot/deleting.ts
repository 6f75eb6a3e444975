import { type Decision, idle } from '../../../control/decision.ts';
import { removeFinalizer } from '../../../control/finalizers.ts';
import type { SnapshotView } from '../../view.ts';
import { warned } from '../reasons.ts';
import { disposalLimitMs, dispose } from '../snapshots/dispose.ts';
import { follow } from '../snapshots/follow.ts';
import { restoresFrom } from '../snapshots/restores-from.ts';
import { sessionAddress } from '../snapshots/settings.ts';
import { snapshotFinalizer } from './metadata.ts';
import { concludeSnapshot, reconciling } from './snapshot-step.ts';
import { targetOf } from './target.ts';
import { instant, kindOf } from './trigger.ts';

/**
 * The resource is being deleted, and its savepoint with it if it says so. Ends for certain: when nobody can remove the
 * savepoint, or ten minutes of trying did not, the resource goes and a warning names what is left behind.
 */
export function deleting(view: SnapshotView): Decision {
  const { resource } = view;
  if (!resource.metadata.finalizers?.includes(snapshotFinalizer)) return idle('it is being deleted');
  const { savepoint, jobReference } = resource.spec;
  if (!savepoint || savepoint.disposeOnDelete === false || !jobReference) return released(view);
  switch (resource.status?.state) {
    case 'COMPLETED':
      return disposing(view, resource.status.path);
    case 'IN_PROGRESS':
      return finishing(view);
    default:
      return released(view);
  }
}

/** A savepoint that is being taken is waited for, so that it can be removed. */
function finishing(view: SnapshotView): Decision {
  const { resource, now } = view;
  const { status = {}, metadata } = resource;
  const { triggerId: id = '', triggerTimestamp } = status;
  const followed = follow({ id, of: kindOf(resource), at: instant(triggerTimestamp, now) }, view);
  if (followed.is === 'done') return disposing(view, followed.path);
  if (followed.is === 'failed' || followed.is === 'lost') return released(view);
  const limit = instant(metadata.deletionTimestamp, now) + disposalLimitMs;
  const target = targetOf(view);
  if (target.is === 'not running' || now >= limit) {
    const why = target.is === 'running' ? 'Flink has been taking it for too long' : target.because;
    return released(view, `A savepoint that was being taken may be left behind in its directory: ${why}.`);
  }
  const because = 'the savepoint is being taken; it will be removed when it is complete';
  return concludeSnapshot(view, {
    status,
    effects: [],
    because,
    wakeAt: limit,
    standing: reconciling('Deleting', because),
  });
}

function disposing(view: SnapshotView, path: string | undefined): Decision {
  const { resource, job, session, operator, now, outcomes } = view;
  const { status = {}, metadata } = resource;
  if (!path) return released(view);
  const left = (why: string): Decision =>
    released(view, `The savepoint ${path} is left behind: ${why}. Remove it by hand if nobody needs it.`);
  if (!job)
    return left(
      `there is no ${resource.spec.jobReference?.kind ?? 'job'} ${resource.spec.jobReference?.name ?? ''} whose cluster could remove it`,
    );
  if (restoresFrom(job, path)) return left('the job will be restored from it');

  if (!session || !view.rest.asked) {
    const target = targetOf(view);
    const limit = instant(metadata.deletionTimestamp, now) + disposalLimitMs;
    if (target.is === 'not running' || now >= limit)
      return left(target.is === 'running' ? 'nobody answers' : target.because);
    const because = `waiting for a JobManager that can remove ${path}`;
    return concludeSnapshot(view, {
      status,
      effects: [],
      because,
      wakeAt: limit,
      standing: reconciling('Deleting', because),
    });
  }

  const { uid = '' } = metadata;
  const step = dispose(path, status.disposal, {
    now,
    outcomes,
    uid,
    attempt: status.attempt ?? 0,
    cluster: sessionAddress(session, operator),
  });
  if (step.is === 'gone') return released(view);
  if (step.is === 'given up') return left(step.error);
  const { record, attempt, effects, wakeAt } = step;
  const because = record.error ? `removing ${path} failed: ${record.error}` : `${path} is being removed`;
  return concludeSnapshot(view, {
    status: { ...status, state: 'COMPLETED', path, attempt, disposal: record },
    effects,
    because,
    ...(wakeAt !== undefined && { wakeAt }),
    standing: reconciling('Deleting', because),
  });
}

/** Lets the resource go; `warning` says what is left behind. */
function released({ resource }: SnapshotView, warning?: string): Decision {
  const release = removeFinalizer(resource, snapshotFinalizer);
  if (!release) return idle('it is being deleted');
  const said = warning === undefined ? [] : [warned(resource, 'CleanupFailed', warning)];
  return { actions: [release, ...said], because: warning ?? 'nothing is left to be cleaned up' };
}
