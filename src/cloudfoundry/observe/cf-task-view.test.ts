import { describe, expect, it } from 'vitest';
import { notFound } from '../../kube/not-found.fixture.ts';
import { type CfTask, cfTask } from '../resources/cf-task.ts';
import { type TaskWorkload, taskWorkload } from '../resources/task-workload.ts';
import { defaultSettings } from '../settings.ts';
import { type CfTaskSources, cfTaskView } from './cf-task-view.ts';
import { type TaskWorkloadSources, taskWorkloadView } from './task-workload-view.ts';

const metadata = { name: 'migrate', namespace: 'space', uid: 'uid' };
const said = (type: string) => ({ type, status: 'True', reason: type, message: '', lastTransitionTime: '' }) as const;
const nothing = { get: () => undefined, by: () => [] };

/** What is observed of something that caches miss the work of, when the server answers so. */
function observed(answer: Error) {
  const client = { resource: () => ({ get: () => Promise.reject(answer) }) };
  const seen = { client, settings: defaultSettings };
  const signal = new AbortController().signal;
  const glance = { now: 0, outcomes: {}, signal };
  const task = { apiVersion: cfTask.apiVersion, kind: 'CFTask', metadata, status: { conditions: [said('Started')] } };
  const workload = {
    apiVersion: taskWorkload.apiVersion,
    kind: 'TaskWorkload',
    metadata,
    status: { conditions: [said('Initialized')] },
  };
  return {
    task: () =>
      cfTaskView('space/migrate', { ...glance, object: task as unknown as CfTask }, {
        ...seen,
        caches: { apps: nothing, builds: nothing, tasks: nothing, taskWorkloads: nothing },
      } as unknown as CfTaskSources),
    workload: () =>
      taskWorkloadView('space/migrate', { ...glance, object: workload as unknown as TaskWorkload }, {
        ...seen,
        caches: { jobs: nothing, taskPods: nothing },
      } as unknown as TaskWorkloadSources),
  };
}

describe('what a task has begun, and caches do not show', () => {
  it('is gone if the server says so by its name', async () => {
    const { task, workload } = observed(notFound('migrate'));
    expect(await task()).not.toHaveProperty('workload');
    expect(await workload()).not.toHaveProperty('job');
  });

  it('is not taken for gone because the server finds nothing of its kind', async () => {
    const { task, workload } = observed(notFound());
    await expect(task()).rejects.toThrow('does not say that it is not there');
    await expect(workload()).rejects.toThrow('does not say that it is not there');
  });
});
