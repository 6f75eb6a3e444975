import { describe, expect, it } from 'vitest';
import type { ContainerStatus, Pod, StatefulSet } from '../../observe/kube-shapes.ts';
import { instancesOf } from './instance.ts';

const set: StatefulSet = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'web', uid: 'set' } };
const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'set', controller: true };

function pod(name: string, status: Pod['status'], metadata: Pod['metadata'] = {}): Pod {
  const all = { name, uid: name, resourceVersion: '1', ownerReferences: [owner], ...metadata };
  return { apiVersion: 'v1', kind: 'Pod', metadata: all, spec: { nodeName: 'node' }, ...(status && { status }) };
}

const container = (state: ContainerStatus['state'], lastState: ContainerStatus['lastState'] = {}): Pod['status'] => ({
  containerStatuses: [{ name: 'application', ready: false, ...(state && { state }), lastState }],
});

const pulling = 'failed to resolve reference "x": not found';
const exited = { exitCode: 3, reason: 'Error' };

describe('an instance', () => {
  it.each<[string, Pod['status'], { state: string; trouble?: string }]>([
    ['of which nothing is known', undefined, { state: 'STARTING' }],
    ['whose container is made', container({ waiting: { reason: 'ContainerCreating' } }), { state: 'STARTING' }],
    [
      'whose image cannot be pulled',
      container({ waiting: { reason: 'ErrImagePull', message: pulling } }),
      { state: 'STARTING', trouble: `ErrImagePull: ${pulling}` },
    ],
    [
      'that waits to pull again',
      container({
        waiting: { reason: 'ImagePullBackOff', message: `Back-off pulling image "x": ErrImagePull: ${pulling}` },
      }),
      { state: 'STARTING', trouble: `ErrImagePull: ${pulling}` },
    ],
    [
      'that waits to pull again, on an older node',
      container({ waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "x"' } }),
      { state: 'STARTING', trouble: 'ImagePullBackOff: Back-off pulling image "x"' },
    ],
    [
      'that lacks a Secret',
      container({ waiting: { reason: 'CreateContainerConfigError', message: 'secret "a" not found' } }),
      { state: 'STARTING', trouble: 'CreateContainerConfigError: secret "a" not found' },
    ],
    [
      'that exited once',
      container({ terminated: exited }),
      { state: 'STARTING', trouble: 'Exited: exited with code 3 (Error)' },
    ],
    [
      'that waits after exits',
      container({ waiting: { reason: 'CrashLoopBackOff', message: 'back-off 20s' } }, { terminated: exited }),
      { state: 'CRASHED', trouble: 'CrashLoopBackOff: exited with code 3 (Error)' },
    ],
    [
      'that tries again after exits',
      container({ running: {} }, { terminated: exited }),
      { state: 'STARTING', trouble: 'CrashLoopBackOff: exited with code 3 (Error)' },
    ],
    [
      'that is ready after exits',
      { ...container({ running: {} }, { terminated: exited }), conditions: [{ type: 'Ready', status: 'True' }] },
      { state: 'RUNNING' },
    ],
  ])('%s', (_, status, expected) => {
    const [found] = instancesOf(set, [pod('web-0', status)]);
    expect({ state: found?.state, ...(found?.trouble && { trouble: found.trouble }) }).toEqual(expected);
  });

  it('is DOWN while no node takes it, and says why', () => {
    const message = '0/3 nodes are available: 3 Insufficient memory.';
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }];
    const waiting: Pod = { ...pod('web-0', { conditions }), spec: {} };
    expect(instancesOf(set, [waiting])).toMatchObject([{ state: 'DOWN', trouble: `Unschedulable: ${message}` }]);
  });

  it('that ends serves nobody any more', () => {
    const conditions = [{ type: 'Ready', status: 'True' }];
    const ending = pod('web-0', { conditions }, { deletionTimestamp: '2030-01-01T00:00:00Z' });
    expect(instancesOf(set, [ending])).toMatchObject([{ ready: false, ending: true }]);
  });

  it('belongs to this StatefulSet, by uid and number', () => {
    const strangers = [
      pod('web-1', undefined, { ownerReferences: [{ ...owner, uid: 'the set before' }] }),
      pod('web-x', undefined),
      pod('web-01', undefined),
      pod('other-2', undefined),
      pod('web-3', undefined, { ownerReferences: [] }),
    ];
    const found = instancesOf(set, [pod('web-10', undefined), ...strangers, pod('web-2', undefined)]);
    expect(found.map(({ ordinal }) => ordinal)).toEqual([2, 10]);
  });
});
