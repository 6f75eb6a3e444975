import { describe, expect, it } from 'vitest';
import type { InstanceStatus } from '../resources/instance.ts';
import { anInstance, atRest, began, condition, planStatus } from './around.fixture.ts';
import { summarize } from './summarize.ts';

const execution: NonNullable<InstanceStatus['execution']> = {
  uid: 'run-2',
  plan: 'deploy',
  cause: 'parameters',
  changed: ['LEVEL'],
  forced: true,
  restartUID: 'run-2',
  startedAt: '2026-11-01T10:09:00Z',
};

const ended = (outcome: 'COMPLETE' | 'FATAL_ERROR' | 'CANCELED', more: object = {}) => ({
  uid: 'run-2',
  plan: 'deploy',
  cause: 'parameters' as const,
  forced: true,
  startedAt: began,
  endedAt: '2026-11-01T10:02:00Z',
  outcome,
  ...more,
});

const installed = atRest().history ?? [];

describe('an Instance in one line', () => {
  it('at rest says what serves', () => {
    expect(summarize(anInstance(atRest()))).toEqual({
      subject: {
        family: 'kudo',
        apiVersion: 'kudo.dev/v1beta1',
        kind: 'Instance',
        namespace: 'shop',
        name: 'db',
        uid: 'uid-db',
      },
      phase: 'healthy',
      state: 'deploy COMPLETE',
      headline: 'Plan deploy is complete; all resources are healthy.',
      serving: 'db-1',
      inTransition: false,
      since: '2026-11-01T10:05:00Z',
      createdAt: began,
    });
  });

  it('that nobody has looked at is unknown', () => {
    expect(summarize(anInstance())).toMatchObject({ phase: 'unknown', serving: 'nothing', inTransition: false });
  });

  it('whose plan runs says where it is, why it runs and whether pods restart', () => {
    const status = atRest({
      execution,
      planStatus: { deploy: planStatus('COMPLETE', 'IN_PROGRESS', 'waits for pods') },
    });
    expect(summarize(anInstance(status))).toMatchObject({
      phase: 'progressing',
      state: 'deploy IN_PROGRESS',
      headline:
        'Plan deploy runs because LEVEL changed, at main/nodes (1 of 2 steps done): waits for pods; pods restart.',
      inTransition: true,
      since: execution.startedAt,
    });
    expect(summarize(anInstance(status)).needsYou).toBeUndefined();
  });

  it('whose step fails again and again needs somebody', () => {
    const failing = { ...execution, failures: 4 };
    const status = atRest({
      execution: failing,
      planStatus: { deploy: planStatus('COMPLETE', 'ERROR', 'not allowed') },
    });
    expect(summarize(anInstance(status))).toMatchObject({
      phase: 'progressing',
      needsYou:
        'Step main/nodes of plan deploy has failed 4 times: not allowed; mend it, or end the plan with `cutover abort Instance/db -n shop`.',
    });
  });

  it('whose plan failed is degraded while it serves, else failed', () => {
    const history = [ended('FATAL_ERROR', { message: 'the image is not there' }), ...installed];
    expect(summarize(anInstance(atRest({ history })))).toMatchObject({
      phase: 'degraded',
      headline: 'Plan deploy failed: the image is not there.',
      needsYou: 'Plan deploy failed: the image is not there; mend it, then run `cutover retry Instance/db -n shop`.',
      since: '2026-11-01T10:02:00Z',
    });
    const conditions = [condition('Ready', 'Unknown', 'PlanInFatalError', 'plan deploy did not complete')];
    const never = atRest({ history: history.slice(0, 1), planStatus: {}, conditions });
    expect(summarize(anInstance(never))).toMatchObject({ phase: 'failed', serving: 'nothing' });
  });

  it('whose change is refused says why, and goes on with what was accepted', () => {
    const conditions = [
      ...(atRest().conditions ?? []).slice(0, 1),
      condition('Accepted', 'False', 'InvalidParameters', 'COUNT is no number'),
    ];
    expect(summarize(anInstance(atRest({ conditions })))).toMatchObject({
      phase: 'degraded',
      serving: 'db-1',
      headline: 'What stands in the spec is refused: COUNT is no number.',
      needsYou:
        'The change is refused: COUNT is no number; correct the spec, or take it back with `cutover rollback Instance/db -n shop`.',
    });
    const nothing: InstanceStatus = { observedGeneration: 1, conditions: conditions.slice(1) };
    expect(summarize(anInstance(nothing))).toMatchObject({
      phase: 'failed',
      needsYou: expect.not.stringContaining('rollback'),
    });
  });

  it.each([
    ['was stopped', { history: [ended('CANCELED'), ...installed] }, 'degraded', /stopped half way; finish it with/],
    [
      'has drifted',
      {
        conditions: [
          condition('Ready', 'True', 'R', ''),
          condition('Drifted', 'True', 'ObjectsChanged', 'ConfigMap x is gone: run it'),
        ],
      },
      'degraded',
      /ConfigMap x is gone/,
    ],
    [
      'owes a restart',
      { restart: { uid: 'run-2', plan: 'deploy', changed: ['LEVEL'] } },
      'waiting',
      /A restart is pending because LEVEL changed/,
    ],
    [
      'has old pods',
      {
        conditions: [
          condition('Ready', 'True', 'R', ''),
          condition('RestartPending', 'True', 'PodsOutdated', 'pods of an old template: delete them'),
        ],
      },
      'waiting',
      /delete them/,
    ],
  ] as const)('that %s needs somebody', (_what, more, phase, needed) => {
    const summary = summarize(anInstance(atRest(more as InstanceStatus)));
    expect(summary.phase).toBe(phase);
    expect(summary.needsYou).toMatch(needed);
  });

  it('whose drift is being repaired, or whose pods are not ready, needs nobody yet', () => {
    const conditions = [
      condition('Ready', 'True', 'R', ''),
      condition('Drifted', 'True', 'ObjectsChanged', 'x was changed'),
    ];
    const repaired = summarize(anInstance(atRest({ conditions }), { spec: { drift: 'repair' } }));
    expect([repaired.phase, repaired.needsYou]).toEqual(['degraded', undefined]);
    const unready = [condition('Ready', 'False', 'ResourceNotReady', 'pod shop/db-0 is not running yet: Pending')];
    expect(summarize(anInstance(atRest({ conditions: unready })))).toMatchObject({
      phase: 'degraded',
      serving: 'db-1, not all of it healthy',
      headline: 'Pod shop/db-0 is not running yet: Pending.',
    });
  });

  it('that was just changed is progressing until that was looked at', () => {
    expect(summarize(anInstance(atRest(), { metadata: { generation: 2 } }))).toMatchObject({ phase: 'progressing' });
  });

  it('that is paused, or another operator looks after, says so whatever else is', () => {
    const metadata = { annotations: { 'cutover.dev/paused': '' } };
    expect(summarize(anInstance(atRest({ execution }), { metadata }))).toMatchObject({
      phase: 'paused',
      inTransition: false,
    });
    const conditions = [condition('ManagedElsewhere', 'True', 'LeaseAlive', 'Another controller is alive.')];
    expect(summarize(anInstance(atRest({ conditions })))).toMatchObject({
      phase: 'unknown',
      needsYou: 'Another controller is alive.',
    });
    const barred = [condition('NotReadable', 'True', 'Forbidden', 'The operator may not watch pods.')];
    expect(summarize(anInstance(atRest({ conditions: barred })))).toMatchObject({
      phase: 'unknown',
      needsYou: 'The operator may not watch pods.',
    });
  });

  it('that is deleted says how far that is, and when it is stuck', () => {
    const metadata = { deletionTimestamp: '2026-11-01T10:08:00Z' };
    const cleanup = { ...execution, plan: 'cleanup', cause: 'cleanup' as const };
    expect(summarize(anInstance(atRest({ execution: cleanup }), { metadata }))).toMatchObject({
      phase: 'deleting',
      since: metadata.deletionTimestamp,
      inTransition: true,
    });
    const history = [ended('FATAL_ERROR', { plan: 'cleanup', cause: 'cleanup', message: 'no' })];
    expect(summarize(anInstance(atRest({ history }), { metadata }))).toMatchObject({
      phase: 'failed',
      needsYou: expect.stringContaining('kudo.dev.instance.cleanup'),
    });
  });

  it('of a KudoOperator task is part of its parent', () => {
    const ownerReferences = [{ apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'top', uid: 'uid-top' }];
    expect(summarize(anInstance(atRest(), { metadata: { ownerReferences } })).partOf).toEqual({
      kind: 'Instance',
      name: 'top',
    });
  });

  it('that KUDO left without history is told of by its plans', () => {
    const status: InstanceStatus = {
      planStatus: {
        deploy: { ...planStatus('COMPLETE', 'COMPLETE'), lastUpdatedTimestamp: '2020-01-01T00:00:00Z' },
        backup: { status: 'FATAL_ERROR', message: 'disk full', lastUpdatedTimestamp: '2020-01-02T00:00:00Z' },
      },
      observedGeneration: 1,
    };
    expect(summarize(anInstance(status))).toMatchObject({
      state: 'backup FATAL_ERROR',
      headline: 'Plan backup failed: disk full.',
    });
  });

  it('leaves out of a status what is none, and tells of the rest', () => {
    const status = {
      ...atRest(),
      history: 'lost',
      planStatus: { deploy: planStatus('COMPLETE', 'COMPLETE'), other: 7 },
    };
    expect(summarize(anInstance(status as unknown as InstanceStatus))).toMatchObject({
      phase: 'healthy',
      state: 'deploy COMPLETE',
    });
  });
});
