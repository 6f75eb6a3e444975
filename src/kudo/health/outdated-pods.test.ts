import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { annotations } from '../keys.ts';
import { outdatedPods } from './outdated-pods.ts';

const mark = (uid: string) => ({ [annotations.planUid]: uid });

const pod = (uid: string, owner = 'rs-uid'): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'p',
    annotations: { own: 'x', ...mark(uid) },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: owner, controller: true }],
  },
});

const workload = (kind: string, spec: object, status: object = {}): AnyObject => ({
  apiVersion: kind === 'ReplicationController' ? 'v1' : 'apps/v1',
  kind,
  metadata: { name: 'rs', uid: 'rs-uid' },
  spec: { template: { metadata: { annotations: mark('e2') }, spec: {} }, ...spec },
  status,
});

const onDelete = { updateStrategy: { type: 'OnDelete' } };

describe('pods of an old template', () => {
  it.each(['ReplicaSet', 'ReplicationController'])('are counted by their marks for a %s', (kind) => {
    expect(outdatedPods(workload(kind, {}), [pod('e1'), pod('e2'), pod('e1', 'other')])).toBe(1);
  });

  it('are counted by the status of what waits for their deletion', () => {
    expect(outdatedPods(workload('StatefulSet', onDelete, { replicas: 3, updatedReplicas: 1 }), [])).toBe(2);
    const daemons = { currentNumberScheduled: 2, updatedNumberScheduled: 2 };
    expect(outdatedPods(workload('DaemonSet', onDelete, daemons), [])).toBe(0);
  });

  it('do not count where Kubernetes replaces them itself', () => {
    expect(outdatedPods(workload('StatefulSet', {}, { replicas: 3, updatedReplicas: 1 }), [])).toBe(0);
    expect(outdatedPods(workload('Deployment', {}), [pod('e1')])).toBe(0);
  });
});
