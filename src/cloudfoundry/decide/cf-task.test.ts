import { describe, expect, it } from 'vitest';
import { actionDigest, outcomeId } from '../../control/outcome.ts';
import { labels } from '../keys.ts';
import type { CfTask, CfTaskStatus } from '../resources/cf-task.ts';
import { now } from './build/build.fixture.ts';
import { decideCfTask } from './cf-task.ts';
import { build, said, settings, task, taskView, workload } from './task/task.fixture.ts';

const condition = (type: string, reason: string, message = '') => ({
  type,
  status: 'True' as const,
  reason,
  message,
  observedGeneration: 1,
  lastTransitionTime: '2026-06-01T12:00:00Z',
});
const stored = (view: ReturnType<typeof taskView>): CfTask =>
  task(view.resource.spec, said<CfTaskStatus>(decideCfTask(view)).status);

describe('a task', () => {
  it('gets its number, its size and its droplet, and its command is handed over', () => {
    const decision = decideCfTask(taskView());
    const { status, true: held } = said<CfTaskStatus>(decision);
    expect(status).toMatchObject({ sequenceId: 5, memoryMB: 1024, diskQuotaMB: 1024, dropletRef: { name: 'build' } });
    expect(held).toEqual(['Initialized TaskInitialized', 'Ready Ready']);
    expect(decision.actions.slice(1)).toMatchObject([
      {
        do: 'create',
        object: {
          kind: 'TaskWorkload',
          metadata: { name: 'task', labels: { [labels.taskGuid]: 'task' }, ownerReferences: [{ uid: 'uid-task' }] },
          spec: {
            command: ['/bin/sh', '-c', 'echo hello'],
            image: 'registry.example/app:1',
            env: [
              { name: 'GREETING', valueFrom: { secretKeyRef: { name: 'env', key: 'GREETING' } } },
              { name: 'VCAP_APPLICATION', valueFrom: { secretKeyRef: { name: 'app-vcap-application' } } },
              { name: 'VCAP_SERVICES', valueFrom: { secretKeyRef: { name: 'app-vcap-services' } } },
            ],
            resources: {
              limits: { memory: '1Gi', 'ephemeral-storage': '1Gi' },
              requests: { cpu: '100m', memory: '1Gi', 'ephemeral-storage': '1Gi' },
            },
          },
        },
      },
    ]);
  });

  it('is started by the launcher when buildpacks made its droplet', () => {
    const [, create] = decideCfTask(taskView({ build: build('buildpack') })).actions;
    expect(create).toMatchObject({ object: { spec: { command: ['/cnb/lifecycle/launcher', 'echo hello'] } } });
  });

  it('has the size that was asked for', () => {
    const decision = decideCfTask(taskView({ resource: task({ memoryMB: 64, diskQuotaMB: 512 }) }));
    expect(said<CfTaskStatus>(decision).status).toMatchObject({ memoryMB: 64, diskQuotaMB: 512 });
    expect(decision.actions[1]).toMatchObject({
      object: { spec: { resources: { limits: { memory: '64Mi' }, requests: { cpu: '6m' } } } },
    });
  });

  it('keeps number and droplet when it is handed over again after a crash', () => {
    const decision = decideCfTask(taskView({ resource: stored(taskView()), lastSequenceId: 9 }));
    expect(decision.actions).toMatchObject([{ do: 'create', object: { metadata: { name: 'task' } } }]);
  });

  it('shows its number in a label', () => {
    const numbered = { ...task(), status: { sequenceId: 5 } };
    expect(decideCfTask(taskView({ resource: numbered })).actions).toMatchObject([
      { do: 'patch', patch: [{ value: { [labels.taskSequenceId]: '5' } }] },
    ]);
  });

  it.each([
    ['app', 'AppNotFound'],
    ['build', 'DropletNotFound'],
    ['env', 'AppNotReady'],
  ] as const)('waits for its %s, with its number', (missing, reason) => {
    const { [missing]: _missing, ...view } = taskView();
    const { actions } = decideCfTask(view);
    expect(actions).toMatchObject([
      { do: 'status', status: { sequenceId: 5, conditions: [{ type: 'Ready', status: 'False', reason }] } },
    ]);
    expect(actions).toHaveLength(1);
  });

  it('says which droplet it was to run when that is none of its app, and else that its app has none', () => {
    const messageOf = (spec: object): string => {
      const { build: _none, ...view } = taskView({ resource: task(spec) });
      const [condition] = said<CfTaskStatus>(decideCfTask(view)).status.conditions ?? [];
      return condition?.message ?? '';
    };
    expect(messageOf({})).toBe('Its app has no droplet that could be run. Push or stage one.');
    expect(messageOf({ dropletRef: { name: '../x' } })).toMatch(
      /^spec\.dropletRef\.name: CFBuild \.\.\/x is no staged/,
    );
    expect(messageOf({ dropletRef: { name: '' } })).toMatch(/^spec\.dropletRef\.name: CFBuild "" is no staged/);
  });

  it('takes over what becomes of its workload, as published', () => {
    const first = stored(taskView());
    const started = workload({
      conditions: [condition('Initialized', 'JobCreated'), condition('Started', 'JobStarted')],
    });
    const running = taskView({ resource: first, workload: started });
    expect(said(decideCfTask(running)).true).toEqual([
      'Initialized TaskInitialized',
      'Ready Ready',
      'Started JobStarted',
    ]);
    const failed = workload({ conditions: [condition('Failed', 'Error', 'Failed with exit code: 3')] });
    const ended = decideCfTask(taskView({ resource: stored(running), workload: failed }));
    expect(said<CfTaskStatus>(ended).status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Failed', reason: 'Error', message: 'Failed with exit code: 3' }),
    );
  });

  it('costs nothing while nothing changes', () => {
    const started = workload({ conditions: [condition('Started', 'JobStarted')] });
    const running = taskView({ resource: stored(taskView()), workload: started });
    expect(decideCfTask({ ...running, resource: stored(running), now: now + 60_000 }).actions).toEqual([]);
  });

  it('says what is refused, and tries again', () => {
    const view = taskView({ resource: stored(taskView()) });
    const [create] = decideCfTask(view).actions;
    if (!create) throw new Error('nothing is handed over');
    const outcome = { result: 'refused', at: now, since: now, of: actionDigest(create), message: 'no' } as const;
    const decision = decideCfTask({ ...view, outcomes: { [outcomeId(create)]: outcome } });
    expect(said<CfTaskStatus>(decision).status).toMatchObject({ sequenceId: 5 });
    expect(said<CfTaskStatus>(decision).status.conditions).toContainEqual(
      expect.objectContaining({
        type: 'Ready',
        status: 'False',
        reason: 'WorkloadRefused',
        message: expect.stringMatching(/tried again: no/),
      }),
    );
    expect(decision.actions[1]).toEqual(create);
  });

  it('fails when the cluster goes on refusing its workload, and is not tried for ever', () => {
    const [, create] = decideCfTask(taskView()).actions;
    if (!create) throw new Error('nothing is handed over');
    const outcome = {
      result: 'refused',
      at: now,
      since: now - 30_000,
      of: actionDigest(create),
      message: 'no',
    } as const;
    const decision = decideCfTask(taskView({ outcomes: { [outcomeId(create)]: outcome } }));
    expect(said(decision).true).toContain('Failed WorkloadRefused');
    expect(decision.actions).toHaveLength(1);
  });

  it('is not run twice when what it ran was deleted', () => {
    const conditions = [condition('Initialized', 'TaskInitialized'), condition('Started', 'JobStarted')];
    const decision = decideCfTask(taskView({ resource: task({}, { sequenceId: 5, conditions }) }));
    expect(said(decision).true).toContain('Failed WorkloadGone');
    expect(decision.actions).toHaveLength(1);
  });
});

describe('a task that is canceled', () => {
  const running = task({ canceled: true }, { sequenceId: 5, conditions: [condition('Started', 'JobStarted')] });

  it('has failed, and what it runs is deleted', () => {
    const decision = decideCfTask(taskView({ resource: running, workload: workload() }));
    expect(said(decision).true).toEqual([
      'Canceled TaskCanceled',
      'Failed TaskCanceled',
      'Ready Ready',
      'Started JobStarted',
    ]);
    expect(decision.actions[1]).toMatchObject({ do: 'delete', of: { kind: 'TaskWorkload', uid: 'uid-workload' } });
  });

  it('is ended also when we died in between', () => {
    const status = said<CfTaskStatus>(decideCfTask(taskView({ resource: running, workload: workload() }))).status;
    const again = taskView({ resource: task({ canceled: true }, status), workload: workload() });
    expect(decideCfTask(again).actions).toMatchObject([{ do: 'delete', of: { kind: 'TaskWorkload' } }]);
    const { workload: _gone, ...done } = again;
    expect(decideCfTask(done).actions).toEqual([]);
  });

  it('is never begun when it was canceled before', () => {
    const decision = decideCfTask(taskView({ resource: task({ canceled: true }) }));
    expect(said(decision).true).toContain('Canceled TaskCanceled');
    expect(decision.actions).toHaveLength(1);
  });

  it('stays succeeded when it had succeeded before', () => {
    const resource = task({ canceled: true }, { sequenceId: 5, conditions: [condition('Succeeded', 'JobSucceeded')] });
    expect(decideCfTask(taskView({ resource, workload: workload() })).actions).toEqual([]);
  });
});

describe('a task that has ended', () => {
  it('is kept for its time, then deleted', () => {
    const resource = task({}, { sequenceId: 5, conditions: [condition('Succeeded', 'JobSucceeded')] });
    const until = Date.parse('2026-06-01T12:00:00Z') + settings.taskTtlMs;
    expect(decideCfTask(taskView({ resource, now: until - 1 }))).toMatchObject({ actions: [], wakeAt: until });
    expect(decideCfTask(taskView({ resource, now: until })).actions).toMatchObject([
      { do: 'delete', of: { kind: 'CFTask', uid: 'uid-task' } },
    ]);
  });
});
