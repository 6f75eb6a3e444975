import { describe, expect, it } from 'vitest';
import type { AnyObject, ObjectMeta } from '../../kube/object.ts';
import { readiness } from './readiness.ts';

const pod = (name: string, phase: string, metadata: ObjectMeta = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'here', ...metadata },
  status: { phase, conditions: [{ type: 'Ready', status: phase === 'Running' ? 'True' : 'False' }] },
});

const controlledBy = (kind: string): ObjectMeta => ({
  ownerReferences: [{ apiVersion: 'x/v1', kind, name: 'o', uid: 'u', controller: true }],
});

const set = (readyReplicas: number): AnyObject => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'st-node', namespace: 'here', generation: 1 },
  spec: { replicas: 1 },
  status: { observedGeneration: 1, readyReplicas, updatedReplicas: 1 },
});

const ready = { type: 'Ready', status: 'True', reason: 'ResourcesReady', message: '' };

describe('the readiness of an Instance', () => {
  it('is given when all its workloads and pods are healthy, or when it has none', () => {
    expect(readiness([])).toEqual(ready);
    expect(readiness([pod('a', 'Running'), set(1)])).toEqual(ready);
  });

  it('lacks what is not healthy, workloads first', () => {
    expect(readiness([pod('st-node-1', 'Pending'), pod('st-node-0', 'Failed'), set(0)])).toEqual({
      type: 'Ready',
      status: 'False',
      reason: 'ResourceNotReady',
      message:
        'statefulset "st-node" is not healthy: Waiting for 1 pods to be ready..., ' +
        'pod here/st-node-0 is not running yet: Failed, pod here/st-node-1 is not running yet: Pending',
    });
  });

  it.each([
    ['of a Job that is done', pod('a', 'Succeeded')],
    ['of a Job that failed', pod('a', 'Failed', controlledBy('Job'))],
    ['that was evicted and is replaced', pod('a', 'Failed', controlledBy('ReplicaSet'))],
    ['that is being deleted', pod('a', 'Pending', { deletionTimestamp: '2026-01-01T00:00:00Z' })],
    ['of a pipe', pod('a', 'Pending', { annotations: { 'kudo.dev/pipepod': 'true' } })],
  ])('does not depend on a pod %s', (_, found) => {
    expect(readiness([found])).toEqual(ready);
  });

  it.each([
    ['that failed and that a plan made itself', pod('a', 'Failed', controlledBy('Instance'))],
    ['that has not started yet, whoever made it', pod('a', 'Pending', controlledBy('ReplicaSet'))],
  ])('depends on a pod %s', (_, found) => {
    expect(readiness([found])).toMatchObject({ status: 'False' });
  });

  it('does not depend on kinds that run no pods', () => {
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' } };
    expect(readiness([job])).toEqual(ready);
  });
});
