import { flinkCall } from '../../calls.ts';
import { atLeast } from '../../config/flink-version.ts';
import { flinkId } from '../../ids.ts';
import type { FlinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import { warned } from '../reasons.ts';
import type { Status } from '../status.ts';
import type { Effect, Step } from '../step.ts';
import { type Due, nonceNames, snapshotsOf } from './due.ts';
import { sessionAddress } from './settings.ts';
import { type Asked, type SnapshotCase, withAsked, withLastPeriodic } from './snapshot-case.ts';
import { type SnapshotKind, snapshotObject } from './snapshot-object.ts';

/** Asks for a snapshot that is due; what is asked for, and that its nonce was acted upon, is written first. */
export function ask(
  c: SnapshotCase,
  of: SnapshotKind,
  due: Extract<Due, { type: 'MANUAL' | 'PERIODIC' }>,
): Step<Status> {
  const { view, settings } = c;
  const status = due.type === 'MANUAL' ? actedUpon(c.status, of, due.nonce) : withLastPeriodic(c.status, of, view.now);
  if (of === 'checkpoint' && !atLeast(settings.flinkVersion, 'v1_17')) {
    const because = 'Checkpoints can be triggered from Flink 1.17 on; write savepointTriggerNonce instead, or upgrade.';
    return { status, effects: [warned(c.job, 'CheckpointError', because)], because };
  }
  const why = due.type === 'MANUAL' ? `its nonce became ${due.nonce}` : 'it is time';
  const asked: Asked = { at: view.now, type: due.type };
  if (c.asResources) {
    return { ...made(c, of, withAsked(status, of, asked), asked), because: `a ${of} is asked for: ${why}` };
  }
  return { ...triggered(c, of, status, asked), because: `a ${of} is being taken: ${why}` };
}

function actedUpon(status: Status, of: SnapshotKind, nonce: number): Status {
  return { ...status, nonces: { ...status.nonces, [nonceNames[of][1]]: nonce } };
}

/** Makes the FlinkStateSnapshot that status speaks of. */
export function made(
  { job, settings }: SnapshotCase,
  of: SnapshotKind,
  status: Status,
  { at, type }: Asked,
): Step<Status> {
  const object = snapshotObject({ job, of, trigger: type, at, settings });
  return { status, effects: [{ do: 'create', object }], because: `${object.metadata.name} is being made` };
}

/** Asks Flink itself, under a new id. */
export function triggered(c: SnapshotCase, of: SnapshotKind, status: Status, asked: Asked): Step<Status> {
  const attempt = (status.attempt ?? 0) + 1;
  const id = flinkId(c.job.metadata.uid ?? '', attempt, of);
  const next = withAsked({ ...status, attempt }, of, { ...asked, id });
  return { status: next, effects: requested(c, of, id), because: `a ${of} is being taken` };
}

/** The request. The same id gives the same request. */
export function requested(
  { view, session, status, settings }: SnapshotCase,
  of: SnapshotKind,
  id: string,
): readonly Effect[] {
  const cluster = sessionAddress(session, view.operator);
  const { savepointDirectory: directory, savepointFormat: format, checkpointType: type } = settings;
  const jobId = status.jobStatus?.jobId ?? '';
  return of === 'savepoint'
    ? [flinkCall('savepoint', id, { cluster, jobId, format, ...(directory !== undefined && { directory }) })]
    : [flinkCall('checkpoint', id, { cluster, jobId, type })];
}

/** Whether one is being taken already, whoever asked for it. */
export function isTaking(c: SnapshotCase, of: SnapshotKind, due: Due): boolean {
  return c.asResources && snapshotsOf(c, of).some((snapshot) => isBusy(snapshot, due));
}

function isBusy({ metadata, spec, status }: FlinkStateSnapshot, due: Due): boolean {
  if (metadata.deletionTimestamp || spec.savepoint?.alreadyExists) return false;
  switch (status?.state) {
    case 'COMPLETED':
    case 'ABANDONED':
      return false;
    case 'FAILED': {
      // The clock does not ask for another one while the last one is being tried again; a person may.
      const limit = spec.backoffLimit ?? -1;
      return due.type === 'PERIODIC' && (limit < 0 || (status.failures ?? 0) <= limit);
    }
    default:
      return true;
  }
}
