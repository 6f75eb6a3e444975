import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastStateOnly } from '../manifests/deploy-config.ts';
import { jobStates } from '../resources/job-status.ts';
import { terminal } from '../rest.ts';
import { availability, type Situation } from './availability.ts';

const now = 1_000_000;
const options = { lastStateFallback: true, maxCheckpointAgeMs: undefined, cancelForLastState: false };

const running: Situation = {
  is: 'application',
  desired: 'savepoint',
  job: 'RUNNING',
  reachable: true,
  jobManagerGone: false,
  neverStarted: false,
  haEnabled: true,
  haAvailable: true,
  zooKeeper: false,
  versionChanged: false,
  startedFrom: { mode: 'stateless' },
  path: undefined,
  savepointDirectory: 's3://sp',
  options,
  checkpoints: undefined,
  jobStartedAt: now - 600_000,
  now,
};

const noHa = { haEnabled: false, haAvailable: false };
const down = { reachable: false, job: 'RECONCILING', jobManagerGone: true } as const;
const lastState = { ...running, desired: 'last-state' } as const;
const checkpointed = (lastAt: number, inProgressAt?: number) => ({
  last: undefined,
  lastCompleted: { id: 1, path: 's3://cp/chk-1', triggeredAt: lastAt, sizeBytes: 1 },
  lastSavepoint: undefined,
  inProgress: inProgressAt === undefined ? undefined : { id: 2, triggeredAt: inProgressAt },
  counts: { completed: 1, failed: 0 },
});
const aged = { ...lastState, options: { ...options, maxCheckpointAgeMs: 60_000 } };

/** `stop → restore`, `wait` or `not`. */
function short(situation: Situation): string {
  const found = availability(situation);
  if (found.can !== 'stop') return found.can;
  const { mode, path } = found.restore;
  return `${found.stop} → ${mode}${path === undefined ? '' : ` ${path}`}`;
}

describe('which upgrade is possible', () => {
  const table: readonly (readonly [string, Situation, string])[] = [
    ['stateless, running', { ...running, desired: 'stateless' }, 'stateless → stateless'],
    ['stateless, ended', { ...running, desired: 'stateless', job: 'FAILED' }, 'none → stateless'],
    ['stateless, JobManager gone', { ...running, desired: 'stateless', ...down }, 'stateless → stateless'],

    ['ended, its state known', { ...running, job: 'FAILED', path: 's3://p' }, 'none → savepoint s3://p'],
    ['ended without state', { ...running, job: 'FINISHED', haAvailable: false }, 'none → savepoint'],
    [
      'ended, unreachable, no metadata',
      { ...running, ...noHa, reachable: false, job: 'FAILED', path: 's3://p' },
      'none → savepoint s3://p',
    ],
    [
      'failed, unreachable, metadata there',
      { ...running, reachable: false, job: 'FAILED', path: 's3://p' },
      'last-state → last-state',
    ],
    [
      'cancelled, unreachable, metadata there',
      { ...running, reachable: false, job: 'CANCELED', path: 's3://p' },
      'none → savepoint s3://p',
    ],
    ['ended, only metadata knows', { ...running, job: 'FAILED', path: lastStateOnly }, 'none → last-state'],
    ['ended, only metadata knew', { ...running, ...noHa, job: 'FAILED', path: lastStateOnly }, 'not'],

    ['being cancelled', { ...running, job: 'CANCELLING' }, 'wait'],

    ['savepoint, running', running, 'savepoint → savepoint'],
    [
      'savepoint, running, JobManager silent',
      { ...running, reachable: false, options: { ...options, lastStateFallback: false } },
      'wait',
    ],
    [
      'savepoint, restarting, no fallback',
      { ...running, job: 'RESTARTING', options: { ...options, lastStateFallback: false } },
      'wait',
    ],
    ['savepoint, restarting, fallback to metadata', { ...running, job: 'RESTARTING' }, 'last-state → last-state'],
    ['savepoint, restarting, fallback without HA', { ...running, ...noHa, job: 'RESTARTING' }, 'cancel → savepoint'],
    [
      'savepoint, restarting, other version, no fallback',
      { ...running, versionChanged: true, job: 'RESTARTING', options: { ...options, lastStateFallback: false } },
      'cancel → savepoint',
    ],
    [
      'last-state, restarting, no HA, no fallback',
      { ...lastState, ...noHa, job: 'RESTARTING', options: { ...options, lastStateFallback: false } },
      'cancel → savepoint',
    ],
    ['savepoint, JobManager gone, metadata there', { ...running, ...down }, 'last-state → last-state'],
    ['savepoint, JobManager gone, no metadata', { ...running, ...noHa, ...down }, 'not'],

    ['last-state, running, HA', lastState, 'last-state → last-state'],
    [
      'last-state, running, HA, cancel preferred',
      { ...lastState, options: { ...options, cancelForLastState: true } },
      'cancel → savepoint',
    ],
    ['last-state, running, no HA', { ...lastState, ...noHa }, 'cancel → savepoint'],
    ['last-state, running, HA being switched off', { ...lastState, haEnabled: false }, 'cancel → savepoint'],
    ['last-state, restarting, HA', { ...lastState, job: 'RESTARTING' }, 'last-state → last-state'],
    ['last-state, unknown, no HA', { ...lastState, ...noHa, job: 'RECONCILING', reachable: false }, 'wait'],
    ['last-state, unknown but reachable, no HA', { ...lastState, ...noHa, job: 'RECONCILING' }, 'wait'],
    ['last-state, JobManager gone, HA', { ...lastState, ...down }, 'last-state → last-state'],
    ['last-state, JobManager gone, no metadata', { ...lastState, ...down, haAvailable: false }, 'not'],
    ['last-state, JobManager gone, HA only in what is wanted', { ...lastState, ...down, haEnabled: false }, 'wait'],
    ['last-state in ZooKeeper, running', { ...lastState, zooKeeper: true, haAvailable: false }, 'cancel → savepoint'],
    ['last-state in ZooKeeper, JobManager gone', { ...lastState, ...down, zooKeeper: true, haAvailable: false }, 'not'],

    ['checkpoint fresh', { ...aged, checkpoints: checkpointed(now - 60_000) }, 'last-state → last-state'],
    ['checkpoint old', { ...aged, checkpoints: checkpointed(now - 60_001) }, 'savepoint → savepoint'],
    ['checkpoint old, one in progress', { ...aged, checkpoints: checkpointed(now - 99_000, now - 1000) }, 'wait'],
    [
      'checkpoint old, one hanging',
      { ...aged, checkpoints: checkpointed(now - 99_000, now - 98_000) },
      'savepoint → savepoint',
    ],
    ['no checkpoint, but just started', { ...aged, jobStartedAt: now - 1000 }, 'last-state → last-state'],
    ['no checkpoint for long', aged, 'savepoint → savepoint'],

    ['other version, running', { ...lastState, versionChanged: true }, 'savepoint → savepoint'],
    [
      'other version, running, no directory',
      { ...lastState, versionChanged: true, savepointDirectory: undefined },
      'cancel → savepoint',
    ],
    ['other version, restarting', { ...running, versionChanged: true, job: 'RESTARTING' }, 'cancel → savepoint'],
    ['other version, JobManager gone, metadata there', { ...running, versionChanged: true, ...down }, 'wait'],
    [
      'other version, never started',
      { ...running, versionChanged: true, ...down, neverStarted: true },
      'none → stateless',
    ],

    [
      'never started, from a savepoint',
      { ...running, ...noHa, ...down, neverStarted: true, startedFrom: { mode: 'savepoint', path: 's3://p' } },
      'none → savepoint s3://p',
    ],
    [
      'never started, no fallback',
      { ...running, ...noHa, ...down, neverStarted: true, options: { ...options, lastStateFallback: false } },
      'none → stateless',
    ],
    [
      'never started, from lost metadata',
      { ...running, ...noHa, ...down, neverStarted: true, startedFrom: { mode: 'last-state' } },
      'not',
    ],
    [
      'never started, metadata there',
      { ...running, ...down, neverStarted: true, startedFrom: { mode: 'last-state' } },
      'last-state → last-state',
    ],

    ['session job, running', { ...running, is: 'session job', ...noHa }, 'savepoint → savepoint'],
    ['session job, last-state', { ...lastState, is: 'session job', ...noHa }, 'cancel → savepoint'],
    ['session job, restarting', { ...running, is: 'session job', ...noHa, job: 'RESTARTING' }, 'cancel → savepoint'],
    ['session job, session gone', { ...running, is: 'session job', ...noHa, ...down }, 'wait'],
  ];

  it.each(table)('%s', (_, situation, expected) => {
    expect(short(situation)).toBe(expected);
  });

  it('says until when a checkpoint in progress is waited for', () => {
    const found = availability({ ...aged, checkpoints: checkpointed(now - 99_000, now - 1000) });
    expect(found).toMatchObject({ can: 'wait', until: now - 1000 + 60_000 + 1 });
  });

  it('names the way out where only a person can go on', () => {
    const found = availability({ ...running, ...noHa, ...down });
    expect(found).toMatchObject({
      can: 'not',
      why: expect.stringMatching(/HA metadata is not available.*savepointRedeployNonce/s),
    });
    const zooKeeper = availability({ ...lastState, ...down, zooKeeper: true, haAvailable: false });
    expect(zooKeeper).toMatchObject({ why: expect.stringContaining('ZooKeeper') });
  });
});

const situations: fc.Arbitrary<Situation> = fc.record({
  is: fc.constantFrom('application' as const, 'session job' as const),
  desired: fc.constantFrom('stateless' as const, 'savepoint' as const, 'last-state' as const),
  job: fc.option(fc.constantFrom(...jobStates), { nil: undefined }),
  reachable: fc.boolean(),
  jobManagerGone: fc.boolean(),
  neverStarted: fc.boolean(),
  haEnabled: fc.boolean(),
  haAvailable: fc.boolean(),
  zooKeeper: fc.boolean(),
  versionChanged: fc.boolean(),
  startedFrom: fc.constantFrom(
    { mode: 'stateless' as const },
    { mode: 'savepoint' as const, path: 's3://p' },
    { mode: 'last-state' as const },
  ),
  path: fc.constantFrom(undefined, 's3://p', lastStateOnly),
  savepointDirectory: fc.constantFrom(undefined, 's3://sp'),
  options: fc.record({
    lastStateFallback: fc.boolean(),
    maxCheckpointAgeMs: fc.constantFrom(undefined, 60_000),
    cancelForLastState: fc.boolean(),
  }),
  checkpoints: fc.constantFrom(undefined, checkpointed(now), checkpointed(0), checkpointed(0, now)),
  jobStartedAt: fc.constantFrom(undefined, 0, now),
  now: fc.constant(now),
});

describe('whatever the situation', () => {
  it('no stateful job is started empty, unless it never had a state', () => {
    fc.assert(
      fc.property(situations, (s) => {
        const found = availability(s);
        if (s.desired === 'stateless' || found.can !== 'stop') return;
        if (found.restore.mode === 'stateless') expect(s.neverStarted && s.startedFrom.mode === 'stateless').toBe(true);
      }),
    );
  });

  it('recovery metadata is relied upon only where it is', () => {
    fc.assert(
      fc.property(situations, (s) => {
        const found = availability(s);
        if (found.can === 'stop' && found.restore.mode === 'last-state') expect(s.haAvailable).toBe(true);
      }),
    );
  });

  it('only a job that runs and answers is stopped with a savepoint, and only one that can be told is cancelled', () => {
    fc.assert(
      fc.property(situations, (s) => {
        const found = availability(s);
        if (found.can !== 'stop') return;
        if (found.stop === 'savepoint') expect([s.job, s.reachable]).toEqual(['RUNNING', true]);
        if (found.stop === 'cancel')
          expect([terminal(s.job), s.reachable, s.job === 'RECONCILING']).toEqual([false, true, false]);
      }),
    );
  });

  it('a session never loses its cluster', () => {
    fc.assert(
      fc.property(situations, (s) => {
        const found = availability({ ...s, is: 'session job', haAvailable: false });
        if (found.can === 'stop') expect(found.stop).not.toBe('last-state');
      }),
    );
  });
});
