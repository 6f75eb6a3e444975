import { describe, expect, it } from 'vitest';
import type { AnyObject, ObjectMeta } from '../../kube/object.ts';
import { annotations } from '../keys.ts';
import type { InstanceStatus, PastExecution } from '../resources/instance.ts';
import { leftOverPods } from './left-over-pods.ts';
import type { InstanceView } from './view.ts';

const ended = (outcome: PastExecution['outcome']): InstanceStatus =>
  ({ history: [{ uid: 'e', plan: 'deploy', outcome }] }) as unknown as InstanceStatus;

const pod = (metadata: ObjectMeta = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'one.deploy.pipepod',
    namespace: 'data',
    uid: 'p',
    resourceVersion: '7',
    annotations: { [annotations.pipePod]: 'true' },
    ownerReferences: [{ apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'one', uid: 'u' }],
    ...metadata,
  },
});

function deleted(status: InstanceStatus, ...workloads: readonly AnyObject[]): readonly unknown[] {
  const instance = { metadata: { name: 'one', namespace: 'data', uid: 'u' } };
  const view = { instance, belongings: { applied: {}, workloads } } as unknown as InstanceView;
  return leftOverPods(status, view).map((action) => (action.do === 'delete' ? action.of.uid : action.do));
}

describe('the pod of a Pipe task that came when its plan was over', () => {
  it('goes', () => {
    expect(deleted(ended('COMPLETE'), pod())).toEqual(['p']);
  });

  it.each([
    ['its plan failed: somebody may want to look into it', ended('FATAL_ERROR'), pod()],
    ['its plan was called off', ended('CANCELED'), pod()],
    ['no plan has run', {}, pod()],
    ['it is going', ended('COMPLETE'), pod({ deletionTimestamp: '2026-11-01T10:00:00Z' })],
    ['it is of another Instance', ended('COMPLETE'), pod({ ownerReferences: [] })],
    ['it is no pod of a Pipe task', ended('COMPLETE'), pod({ annotations: {} })],
  ])('stays when %s', (_, status, left) => {
    expect(deleted(status, left)).toEqual([]);
  });
});
