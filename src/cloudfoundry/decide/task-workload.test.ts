import { describe, expect, it } from 'vitest';
import { actionDigest, outcomeId } from '../../control/outcome.ts';
import { labels } from '../keys.ts';
import type { TaskWorkloadStatus } from '../resources/task-workload.ts';
import { now } from './build/build.fixture.ts';
import { job, said, workload, workloadView } from './task/task.fixture.ts';
import { decideTaskWorkload } from './task-workload.ts';

const startTime = '2026-06-01T12:00:01Z';
const ended = (type: 'Complete' | 'Failed', reason = 'BackoffLimitExceeded') =>
  job({
    startTime,
    conditions: [{ type, status: 'True', reason, message: 'Job has reached the specified backoff limit' }],
  });
const stored = (view: ReturnType<typeof workloadView>) =>
  workload(said<TaskWorkloadStatus>(decideTaskWorkload(view)).status);

describe('the runner of tasks', () => {
  it('makes a Job that runs once, without rights and without root', () => {
    const { actions } = decideTaskWorkload(workloadView());
    expect(actions).toMatchObject([
      {
        do: 'create',
        object: {
          kind: 'Job',
          metadata: {
            name: 'task',
            namespace: 'space',
            ownerReferences: [{ kind: 'TaskWorkload', uid: 'uid-workload' }],
          },
          spec: {
            backoffLimit: 0,
            completions: 1,
            parallelism: 1,
            ttlSecondsAfterFinished: 86_400,
            template: {
              metadata: { labels: { [labels.taskGuid]: 'task', [labels.appGuid]: 'app' } },
              spec: {
                automountServiceAccountToken: false,
                restartPolicy: 'Never',
                serviceAccountName: 'korifi-task',
                securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
                containers: [
                  {
                    name: 'workload',
                    image: 'registry.example/app:1',
                    imagePullPolicy: 'IfNotPresent',
                    command: ['/bin/sh', '-c', 'echo hello'],
                    resources: { limits: { memory: '1Gi' } },
                    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
                  },
                ],
              },
            },
          },
        },
      },
    ]);
  });

  it.each([
    ['waits for its pod', job(), ['Initialized JobCreated', 'Ready Ready']],
    ['has begun', job({ startTime }), ['Initialized JobCreated', 'Ready Ready', 'Started JobStarted']],
    [
      'is complete',
      ended('Complete'),
      ['Initialized JobCreated', 'Ready Ready', 'Started JobStarted', 'Succeeded JobSucceeded'],
    ],
  ])('says that a Job %s', (_how, found, conditions) => {
    const view = workloadView({ job: found });
    expect(said(decideTaskWorkload(view)).true).toEqual(conditions);
    expect(decideTaskWorkload({ ...view, resource: stored(view) }).actions).toEqual([]);
  });

  it('says how the container ended', () => {
    const view = workloadView({ job: ended('Failed'), end: { reason: 'StartError', exitCode: 128 } });
    expect(said<TaskWorkloadStatus>(decideTaskWorkload(view)).status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Failed', reason: 'StartError', message: 'Failed with exit code: 128' }),
    );
    expect(decideTaskWorkload({ ...view, resource: stored(view) }).actions).toEqual([]);
  });

  it('repeats what the Job says when its pod is gone', () => {
    const { status } = said<TaskWorkloadStatus>(decideTaskWorkload(workloadView({ job: ended('Failed') })));
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Failed', reason: 'BackoffLimitExceeded' }),
    );
  });

  it('does not run a task twice when its Job was deleted', () => {
    const { job: _gone, ...without } = workloadView({ job: job() });
    const decision = decideTaskWorkload({ ...without, resource: stored(workloadView({ job: job() })) });
    expect(said(decision).true).toContain('Failed JobGone');
    expect(decision.actions).toHaveLength(1);
  });

  it('lets the Job of an ended task go', () => {
    const view = workloadView({ job: ended('Complete') });
    const { job: _gone, ...without } = view;
    expect(decideTaskWorkload({ ...without, resource: stored(view) }).actions).toEqual([]);
  });

  it('says what is refused, and tries again', () => {
    const [create] = decideTaskWorkload(workloadView()).actions;
    if (!create) throw new Error('no Job is made');
    const outcome = {
      result: 'refused',
      at: now,
      since: now,
      of: actionDigest(create),
      message: 'over quota',
    } as const;
    const outcomes = { [outcomeId(create)]: outcome };
    const decision = decideTaskWorkload(workloadView({ outcomes }));
    const { status, true: held } = said<TaskWorkloadStatus>(decision);
    expect(held).toEqual([]);
    expect(status.conditions).toMatchObject([
      {
        type: 'Ready',
        status: 'False',
        reason: 'JobRefused',
        message: expect.stringMatching(/tried again: over quota/),
      },
    ]);
    expect(decision.actions[1]).toEqual(create);
    expect(decideTaskWorkload(workloadView({ resource: workload(status), outcomes })).actions).toEqual([create]);
  });

  it('fails what the cluster goes on refusing', () => {
    const [create] = decideTaskWorkload(workloadView()).actions;
    if (!create) throw new Error('no Job is made');
    const outcome = {
      result: 'refused',
      at: now,
      since: now - 30_000,
      of: actionDigest(create),
      message: 'over quota',
    } as const;
    const { status } = said<TaskWorkloadStatus>(
      decideTaskWorkload(workloadView({ outcomes: { [outcomeId(create)]: outcome } })),
    );
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Failed', reason: 'JobRefused', message: 'over quota' }),
    );
  });
});
