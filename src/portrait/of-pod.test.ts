import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../kube/object.ts';
import { podNode, podPortrait } from './of-pod.ts';

const pod = (status: unknown, metadata: object = {}): AnyObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', ...metadata },
    spec: { containers: [{ name: 'c' }] },
    status,
  }) as AnyObject;
const ready = { type: 'Ready', status: 'True' };

describe('what a pod says of itself', () => {
  it.each<[what: string, status: unknown, metadata: object, phase: string, told: string]>([
    ['is ready', { phase: 'Running', conditions: [ready] }, {}, 'healthy', 'Running'],
    ['runs and is not ready', { phase: 'Running', conditions: [] }, {}, 'progressing', 'Running'],
    ['waits to be scheduled', { phase: 'Pending' }, {}, 'progressing', 'Pending'],
    [
      'is being made',
      { phase: 'Pending', containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }] },
      {},
      'progressing',
      'ContainerCreating',
    ],
    [
      'has no image',
      { phase: 'Pending', containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff' } } }] },
      {},
      'failed',
      'ImagePullBackOff',
    ],
    [
      'ended badly',
      { phase: 'Failed', containerStatuses: [{ state: { terminated: { reason: 'OOMKilled' } } }] },
      {},
      'failed',
      'OOMKilled',
    ],
    ['was evicted', { phase: 'Failed', reason: 'Evicted' }, {}, 'failed', 'Evicted'],
    ['has done its work', { phase: 'Succeeded' }, {}, 'healthy', 'Succeeded'],
    ['is going', { phase: 'Running', conditions: [ready] }, { deletionTimestamp: 'x' }, 'deleting', 'Terminating'],
    ['says nothing', undefined, {}, 'progressing', 'Unknown'],
    ['says nonsense', { conditions: 'x', containerStatuses: [null, 4], phase: 7 }, {}, 'progressing', 'Unknown'],
  ])('%s', (_, status, metadata, phase, told) => {
    expect(podPortrait(pod(status, metadata))).toMatchObject({ phase, status: told, containers: ['c'] });
  });

  it('counts what its containers restarted, and keeps why it was made', () => {
    const statuses = [{ restartCount: 2 }, { restartCount: 1 }];
    const seen = podPortrait(pod({ phase: 'Running', containerStatuses: statuses }), {
      side: 'blue',
      reasons: [{ when: 'did', sentence: 'HEAP changed' }],
    });
    expect(seen).toMatchObject({ restarts: 3, side: 'blue', reasons: [{ sentence: 'HEAP changed' }] });
    expect(podNode(seen)).toMatchObject({ kind: 'Pod', name: 'a', info: '3 restarts' });
  });
});
