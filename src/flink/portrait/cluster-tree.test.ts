import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { podPortrait } from '../../portrait/of-pod.ts';
import { stateful } from '../decide/bluegreen/view.fixture.ts';
import { operator } from './blue-green/world.fixture.ts';
import { clusterNeeds, needsText } from './cluster-needs.ts';
import { clusterNodes } from './cluster-tree.ts';

function object(kind: string, name: string, component?: string, more: object = {}): AnyObject {
  const labels = { app: 'app', ...(component && { component }) };
  return { apiVersion: 'v1', kind, metadata: { name, labels, ...more } };
}

describe('the tree of a cluster', () => {
  it('puts TaskManagers under their own Deployment where they have one', () => {
    const pods = [object('Pod', 'jm', 'jobmanager'), object('Pod', 'tm', 'taskmanager')];
    const portraits = pods.map((pod) => podPortrait(pod));
    const processes = [
      { ...object('Deployment', 'app', 'jobmanager'), spec: { replicas: 1 }, status: { availableReplicas: 1 } },
      { ...object('Deployment', 'app-taskmanager', 'taskmanager'), spec: { replicas: 3 }, status: {} },
    ];
    expect(clusterNodes({ processes, pods }, portraits)).toMatchObject([
      { name: 'app', phase: 'healthy', status: '1/1 available', children: [{ name: 'jm' }] },
      { name: 'app-taskmanager', phase: 'progressing', status: '0/3 available', children: [{ name: 'tm' }] },
    ]);
    const [only] = clusterNodes({ processes: processes.slice(0, 1), pods }, portraits);
    expect(only?.children.map(({ name }) => name)).toEqual(['jm', 'tm']);
    expect(clusterNodes({ processes: [], pods }, portraits).map(({ name }) => name)).toEqual(['jm', 'tm']);
  });

  it('shows a Deployment that goes', () => {
    const going = object('Deployment', 'app', 'jobmanager', { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(clusterNodes({ processes: [going], pods: [] }, [])).toMatchObject([
      { phase: 'deleting', status: 'Terminating' },
    ]);
  });
});

describe('what a cluster needs', () => {
  it('is the sum of what its pods request', () => {
    const spec = { ...stateful.template?.spec, jobManager: { resource: { cpu: 0.5, memory: '512m' }, replicas: 2 } };
    expect(clusterNeeds(spec, 'shop', operator)).toEqual({
      cpu: 3,
      memoryBytes: 5 * 2 ** 30,
      jobManagers: 2,
      taskManagers: 2,
    });
  });

  it.each([
    [2 ** 29, '1 CPU and 512 MiB of memory (1 JobManager, 1 TaskManager)'],
    [2.5 * 2 ** 30, '1 CPU and 2.5 GiB of memory (1 JobManager, 1 TaskManager)'],
  ])('is told in units that people use: %d', (memoryBytes, text) => {
    expect(needsText({ cpu: 1, memoryBytes, jobManagers: 1, taskManagers: 1 })).toBe(text);
  });
});
