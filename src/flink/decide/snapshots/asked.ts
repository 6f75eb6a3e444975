import type { Instant } from '../../../clock/clock.ts';
import { outcomeId } from '../../../control/outcome.ts';
import type { JobStatus } from '../../resources/job-status.ts';
import { warned } from '../reasons.ts';
import { happened } from '../set-back.ts';
import type { Status } from '../status.ts';
import type { Step } from '../step.ts';
import { made, requested, triggered } from './ask.ts';
import { follow } from './follow.ts';
import { type Asked, askedOf, type SnapshotCase, withAsked } from './snapshot-case.ts';
import { type SnapshotKind, snapshotName, snapshotObject } from './snapshot-object.ts';

/** Between two tries of a trigger that fails. */
const pauseMs = 10_000;

/** What became of the one that was asked for. */
export type AskedFor =
  /** There is something to do about it. */
  | { readonly is: 'step'; readonly step: Step<Status> }
  | { readonly is: 'waiting'; readonly wakeAt?: Instant }
  /** Nothing is being asked for. `status` no longer speaks of what was. */
  | { readonly is: 'over'; readonly status: Status };

export function askedFor(c: SnapshotCase, of: SnapshotKind): AskedFor {
  const asked = askedOf(c.status, of);
  if (!asked) return { is: 'over', status: c.status };
  const { id } = asked;
  return id === undefined ? asResource(c, of, asked) : inStatus(c, of, { ...asked, id });
}

/** A FlinkStateSnapshot is being made: once it is seen it goes its own way. */
function asResource(c: SnapshotCase, of: SnapshotKind, asked: Asked): AskedFor {
  const { view, job, status, settings } = c;
  const over = withAsked(status, of, undefined);
  const name = snapshotName(job.metadata.name ?? '', of, asked.type, asked.at);
  if (view.snapshots.items.some(({ metadata }) => metadata.name === name)) return { is: 'over', status: over };
  const object = snapshotObject({ job, of, trigger: asked.type, at: asked.at, settings });
  const outcome = view.outcomes[outcomeId({ do: 'create', object })];
  const late = view.now >= happened(asked.at, view.now) + settings.graceMs[of];
  if (!view.snapshots.installed || (outcome?.result === 'refused' && late)) {
    const why = outcome?.result === 'refused' ? outcome.message : 'the kind FlinkStateSnapshot is not installed';
    return { is: 'step', step: givenUp(c, of, over, `${name} could not be made: ${why}`) };
  }
  return { is: 'step', step: made(c, of, status, asked) };
}

/** Flink was asked for it on behalf of the job's own status. */
function inStatus(c: SnapshotCase, of: SnapshotKind, asked: Asked & { readonly id: string }): AskedFor {
  const { view, status, settings } = c;
  const running = status.jobStatus?.state === 'RUNNING';
  const followed = follow({ id: asked.id, of, at: asked.at }, view);
  switch (followed.is) {
    case 'done': {
      const because = `the ${of} is complete${followed.path ? `: ${followed.path}` : ''}`;
      return { is: 'step', step: { status: taken(c, of, asked, followed.path), effects: [], because } };
    }
    case 'failed': {
      const outcome = view.outcomes[asked.id];
      const retryAt = outcome ? happened(outcome.at, view.now) + pauseMs : view.now;
      if (!running || retryAt >= asked.at + settings.graceMs[of]) {
        const step = givenUp(c, of, withAsked(status, of, undefined), `The ${of} failed: ${followed.message}`);
        return { is: 'step', step };
      }
      if (view.now < retryAt) return { is: 'waiting', wakeAt: retryAt };
      return { is: 'step', step: triggered(c, of, status, asked) };
    }
    default:
      if (!running) {
        const note = `The ${of} was given up: the job is ${status.jobStatus?.state ?? 'not running'}`;
        return { is: 'step', step: givenUp(c, of, withAsked(status, of, undefined), note) };
      }
      if (followed.is === 'waiting') return followed;
      if (followed.is === 'lost' && followed.had)
        return { is: 'step', step: triggered(c, of, status, { ...asked, at: view.now }) };
      return {
        is: 'step',
        step: { status, effects: requested(c, of, asked.id), because: `Flink is asked again for the ${of}` },
      };
  }
}

/** The nonce stays acted upon: a person who wants it tried again writes another one. */
function givenUp({ job }: SnapshotCase, of: SnapshotKind, status: Status, note: string): Step<Status> {
  const reason = of === 'savepoint' ? 'SavepointError' : 'CheckpointError';
  return { status, effects: [warned(job, reason, note)], because: note };
}

/** The status with the snapshot in it: the last one, and of savepoints also their history. */
function taken(c: SnapshotCase, of: SnapshotKind, { type }: Asked, location: string | undefined): Status {
  const status = withAsked(c.status, of, undefined);
  const { jobStatus, nonces } = status;
  const timeStamp = c.view.now;
  if (of === 'checkpoint') {
    const triggerNonce = type === 'MANUAL' ? nonces?.checkpointTrigger : undefined;
    const formatType = c.settings.checkpointType === 'INCREMENTAL' ? 'INCREMENTAL' : 'FULL';
    const lastCheckpoint = {
      timeStamp,
      triggerType: type,
      formatType,
      ...(triggerNonce !== undefined && { triggerNonce }),
    } as const;
    return { ...status, jobStatus: { ...jobStatus, checkpointInfo: { ...jobStatus?.checkpointInfo, lastCheckpoint } } };
  }
  const triggerNonce = type === 'MANUAL' ? nonces?.savepointTrigger : undefined;
  const lastSavepoint = {
    timeStamp,
    ...(location !== undefined && { location }),
    triggerType: type,
    formatType: c.settings.savepointFormat,
    ...(triggerNonce !== undefined && { triggerNonce }),
  };
  return { ...status, jobStatus: withSavepoint(jobStatus, lastSavepoint) };
}

function withSavepoint(
  jobStatus: JobStatus | undefined,
  lastSavepoint: NonNullable<NonNullable<JobStatus['savepointInfo']>['lastSavepoint']>,
): JobStatus {
  const { savepointInfo } = jobStatus ?? {};
  const savepointHistory = [...(savepointInfo?.savepointHistory ?? []), lastSavepoint];
  return { ...jobStatus, savepointInfo: { ...savepointInfo, lastSavepoint, savepointHistory } };
}
