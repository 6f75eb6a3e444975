import { describe, expect, it } from 'vitest';
import type { ContainerStatus, Pod } from './kube-shapes.ts';
import { incarnationOf, isStuck, podSeen } from './pod-seen.ts';

type Conditions = Readonly<Record<string, 'True' | 'False'>>;

function pod(
  status: Partial<NonNullable<Pod['status']>> & { is?: Conditions } = {},
  metadata: Pod['metadata'] = {},
): Pod {
  const { is = {}, ...rest } = status;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'p',
      namespace: 'a',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '2030-01-01T00:00:00Z',
      ...metadata,
    },
    status: { phase: 'Pending', conditions: Object.entries(is).map(([type, status]) => ({ type, status })), ...rest },
  };
}

const waiting = (reason: string, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name: 'flink-main-container',
  state: { waiting: { reason, message: 'why' } },
  ...more,
});

describe('a pod of the JobManager', () => {
  it.each([
    'CrashLoopBackOff',
    'ImagePullBackOff',
    'ErrImagePull',
    'ErrImageNeverPull',
    'InvalidImageName',
    'RunContainerError',
    'CreateContainerConfigError',
    'CreateContainerError',
    'StartError',
  ])('cannot run when its container waits with %s', (reason) => {
    expect(podSeen(pod({ containerStatuses: [waiting(reason)] })).failure).toEqual({
      reason,
      container: 'flink-main-container',
      message: 'why',
    });
  });

  it.each(['ContainerCreating', 'PodInitializing', ''])('may yet run when its container waits with %s', (reason) => {
    expect(podSeen(pod({ containerStatuses: [waiting(reason)] })).failure).toBeUndefined();
  });

  it('says of what a container dies again and again', () => {
    const lastState = { terminated: { reason: 'OOMKilled', exitCode: 137 } };
    expect(podSeen(pod({ containerStatuses: [waiting('CrashLoopBackOff', { lastState })] })).failure?.message).toBe(
      'why; it ended with OOMKilled, exit code 137',
    );
    const killed = { name: 'flink-main-container', state: { terminated: { reason: 'OOMKilled', exitCode: 137 } } };
    expect(podSeen(pod({ containerStatuses: [killed] })).failure).toMatchObject({ reason: 'OOMKilled' });
  });

  it('cannot run when a container fails that must run before, or beside, Flink', () => {
    const seen = podSeen(
      pod({
        initContainerStatuses: [waiting('ErrImagePull', { name: 'fetch' })],
        containerStatuses: [waiting('PodInitializing')],
      }),
    );
    expect(seen.failure).toMatchObject({ reason: 'ErrImagePull', container: 'fetch' });
    const beside = podSeen(
      pod({
        containerStatuses: [{ name: 'flink-main-container', state: {} }, waiting('ErrImagePull', { name: 'sidecar' })],
      }),
    );
    expect(beside.failure).toMatchObject({ container: 'sidecar' });
  });

  it('shows what its volumes wait for, unless a container says more', () => {
    const mounting = { reason: 'FailedMount', container: undefined, message: 'no such secret' };
    expect(podSeen(pod(), mounting).failure).toEqual(mounting);
    expect(podSeen(pod({ containerStatuses: [waiting('ErrImagePull')] }), mounting).failure?.reason).toBe(
      'ErrImagePull',
    );
  });

  it('is another process after each restart of Flink, not of what runs beside it', () => {
    const at = (main: number, sidecar: number): string =>
      podSeen(
        pod({
          containerStatuses: [
            { name: 'sidecar', restartCount: sidecar },
            { name: 'flink-main-container', restartCount: main },
          ],
        }),
      ).incarnation;
    expect(at(0, 0)).toBe(at(0, 5));
    expect(at(0, 0)).not.toBe(at(1, 0));
  });

  it('is seen with its state', () => {
    const seen = podSeen(pod({ phase: 'Running', is: { Ready: 'True' } }, { deletionTimestamp: 't' }));
    expect(seen).toMatchObject({ ready: true, phase: 'Running', terminating: true, createdAt: Date.UTC(2030, 0, 1) });
    expect(seen.ref).toEqual({ apiVersion: 'v1', kind: 'Pod', namespace: 'a', name: 'p', uid: 'u' });
    expect(
      podSeen({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', uid: 'u', resourceVersion: '1' } }),
    ).toMatchObject({
      ready: false,
      phase: 'Unknown',
    });
  });
});

describe('the processes to ask', () => {
  it('are those that are ready and stay, in any order', () => {
    const ready = (uid: string, more: object = {}) => podSeen(pod({ is: { Ready: 'True' } }, { uid, ...more }));
    expect(incarnationOf([])).toBeUndefined();
    expect(incarnationOf([podSeen(pod()), ready('x', { deletionTimestamp: 't' })])).toBeUndefined();
    expect(incarnationOf([ready('x'), ready('y')])).toBe(incarnationOf([ready('y'), ready('x')]));
    expect(incarnationOf([ready('x'), ready('y')])).not.toBe(incarnationOf([ready('x')]));
  });
});

describe('a pod that may be waiting for a volume', () => {
  const before = {
    PodScheduled: 'True',
    PodReadyToStartContainers: 'False',
    Initialized: 'True',
    Ready: 'False',
  } as const;
  it.each<[string, boolean, Conditions]>([
    ['has a node and no sandbox', true, before],
    [
      'is of an older Kubernetes and not initialized',
      true,
      { PodScheduled: 'True', Initialized: 'False', Ready: 'False' },
    ],
    ['has no node', false, { ...before, PodScheduled: 'False' }],
    ['has begun to start containers', false, { ...before, PodReadyToStartContainers: 'True' }],
    ['is ready', false, { ...before, Ready: 'True' }],
    ['says nothing yet', false, {}],
  ])('%s: %s', (_what, stuck, is) => {
    expect(isStuck(pod({ is }))).toBe(stuck);
    expect(isStuck(pod({ is }, { deletionTimestamp: 't' }))).toBe(false);
  });
});
