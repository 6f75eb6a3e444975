import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../control/outcome.ts';
import { flinkId } from '../../ids.ts';
import type { Transition } from '../../resources/transition.ts';
import { decideSnapshot } from '../snapshot.ts';
import {
  calls,
  complete,
  decide,
  inProgress,
  jobId,
  notes,
  now,
  outcome,
  releases,
  runningJob,
  type Scene,
  snapshotView,
  statusOf,
  told,
} from './snapshot-view.fixture.ts';

describe('a snapshot that is deleted', () => {
  const gone = { deletedAt: now };

  it.each<[string, Scene]>([
    ['is abandoned', { status: { state: 'ABANDONED' } }],
    ['was never triggered', {}],
    ['should leave its savepoint alone', { status: complete, spec: { savepoint: { disposeOnDelete: false } } }],
    ['has no path', { status: { ...complete, path: '' } }],
  ])('goes at once when it %s', (_, scene) => {
    const decision = decide({ ...gone, ...scene });
    expect(releases(decision)).toBe(true);
    expect(notes(decision)).toEqual([]);
  });

  it('removes its savepoint under an id that is written first', () => {
    const decision = decide({ ...gone, status: complete });
    const id = flinkId('uid-nightly', 2, 'dispose');
    expect(statusOf(decision)).toMatchObject({ attempt: 2, disposal: { id, path: 's3://sp/1' } });
    expect(calls(decision)).toMatchObject([{ verb: 'dispose', id, args: { path: 's3://sp/1' } }]);
  });

  const disposal = { id: 'd'.repeat(32), path: 's3://sp/1', startedAt: new Date(now).toISOString() };

  it('goes when the savepoint is removed', () => {
    const done: Outcome = { result: 'done', at: now, since: now, value: null };
    expect(releases(decide({ ...gone, status: { ...complete, disposal }, outcomes: { [disposal.id]: done } }))).toBe(
      true,
    );
  });

  it('tries again, later and under another id, when the removal fails', () => {
    const decision = decide({
      ...gone,
      status: { ...complete, attempt: 2, disposal },
      outcomes: { [disposal.id]: outcome('refused', 'denied') },
    });
    expect(statusOf(decision)).toMatchObject({
      attempt: 3,
      disposal: { id: flinkId('uid-nightly', 3, 'dispose'), failures: 1, error: 'denied' },
    });
    expect(calls(decision)).toEqual([]);
    expect(decision.wakeAt).toBe(now + 10_000);
  });

  it('tries again when its time has come', () => {
    const retryAt = new Date(now + 10_000).toISOString();
    const status = { ...complete, attempt: 3, disposal: { ...disposal, failures: 1, retryAt, error: 'denied' } };
    expect(calls(decide({ ...gone, status, now: now + 9_999 }))).toEqual([]);
    expect(calls(decide({ ...gone, status, now: now + 10_000 }))).toMatchObject([{ verb: 'dispose', id: disposal.id }]);
  });

  it('goes after ten minutes of failures, and names what it leaves behind', () => {
    const decision = decide({
      ...gone,
      status: { ...complete, disposal: { ...disposal, failures: 6, error: 'denied' } },
      now: now + 600_000,
    });
    expect(releases(decision)).toBe(true);
    expect(notes(decision)).toEqual([expect.stringMatching(/CleanupFailed: .*s3:\/\/sp\/1 is left behind: denied/)]);
  });

  it('goes when the job is gone, and names what it leaves behind', () => {
    const decision = decide({ ...gone, status: complete, job: undefined, session: undefined });
    expect(releases(decision)).toBe(true);
    expect(notes(decision)).toEqual([expect.stringMatching(/CleanupFailed: .*s3:\/\/sp\/1 is left behind/)]);
  });

  it('keeps a savepoint that the job will be restored from', () => {
    const job = runningJob('FINISHED');
    const suspended = {
      ...job,
      status: { jobStatus: { state: 'FINISHED', upgradeSavepointPath: 's3://sp/1' } },
    } as const;
    const decision = decide({ ...gone, status: complete, job: suspended, session: suspended });
    expect(calls(decision)).toEqual([]);
    expect(releases(decision)).toBe(true);
    expect(notes(decision)).toEqual([expect.stringMatching(/restored from it/)]);
  });

  it('keeps a savepoint from which the job is being restored', () => {
    const transition = { restore: { mode: 'savepoint', path: 's3://sp/1' } } as Transition;
    const job = { ...runningJob(), status: { jobStatus: { state: 'RUNNING', jobId }, transition } } as const;
    const decision = decide({ ...gone, status: complete, job, session: job });
    expect(calls(decision)).toEqual([]);
    expect(notes(decision)).toEqual([expect.stringMatching(/restored from it/)]);
  });

  it('removes a savepoint from which a job was once restored that runs now', () => {
    const job = runningJob();
    const jobStatus = { ...job.status?.jobStatus, upgradeSavepointPath: 's3://sp/1' };
    expect(calls(decide({ ...gone, status: complete, job: { ...job, status: { jobStatus } } }))).toHaveLength(1);
  });

  it('of no job goes at once', () => {
    const view = snapshotView({ ...gone, status: complete, job: undefined, session: undefined });
    const { jobReference: _, ...spec } = view.resource.spec;
    const decision = decideSnapshot({ ...view, resource: { ...view.resource, spec } });
    expect(releases(decision)).toBe(true);
    expect(notes(decision)).toEqual([]);
  });

  it('waits for a savepoint that is being taken, to remove it', () => {
    const waiting = decide({ ...gone, status: inProgress, rest: told({ is: 'in progress' }) });
    expect(releases(waiting)).toBe(false);
    expect(waiting.wakeAt).toBe(now + 600_000);
    const done = decide({ ...gone, status: inProgress, rest: told({ is: 'done', location: 's3://sp/7' }) });
    expect(calls(done)).toMatchObject([{ verb: 'dispose', args: { path: 's3://sp/7' } }]);
  });
});
