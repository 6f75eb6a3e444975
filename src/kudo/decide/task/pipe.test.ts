import { describe, expect, it } from 'vitest';
import type { Outcomes } from '../../../control/outcome.ts';
import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import { annotations } from '../../keys.ts';
import { enhance } from '../../render/enhance.ts';
import { refOf, type Thing, thingId, type World } from '../view.ts';
import { keys, pipePlace, stored } from './pipe.fixture.ts';
import { runPipe } from './pipe.ts';
import { preparePipe } from './prepare-pipe.ts';
import type { TaskResult } from './run.ts';

const place = pipePlace();
const work = preparePipe(keys, place, 'waiter:1');
if (work.does !== 'pipe') throw new Error('the task of the fixture cannot be done');
const { pod, artifacts } = work.pipe;
const podName = pod.metadata.name ?? '';
const [certificate, variables] = artifacts.map(({ kind, name }) => ({ apiVersion: 'v1', kind, metadata: { name } }));
if (!certificate || !variables) throw new Error('the task of the fixture has two artifacts');

/** As an execution leaves it. */
function made(object: KubeObject, execution: string, uid: string, more: object = {}): AnyObject {
  const around = { namespaced: true, dependencies: () => undefined };
  return stored(enhance(object, place, { executionUid: execution }, around).object, uid, more);
}

const ready = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
const ending = (object: AnyObject): AnyObject => ({
  ...object,
  metadata: { ...object.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' },
});
const strangers = (object: AnyObject): AnyObject => ({
  ...object,
  metadata: { ...object.metadata, ownerReferences: [] },
});

const now = 1_000_000;
const id = `now/deploy.main-phase.gen_Step.make-Keys/pod-uid`;

function run(
  objects: { readonly pod?: AnyObject; readonly artifacts?: readonly AnyObject[] },
  outcomes: Outcomes = {},
  changed: World = {},
): TaskResult {
  const known = (object?: AnyObject): Thing => ({
    is: 'known',
    namespaced: true,
    watched: true,
    ...(object && { object }),
  });
  const world: Record<string, Thing> = {};
  for (const object of [pod, certificate as KubeObject, variables as KubeObject]) {
    const found = [objects.pod, ...(objects.artifacts ?? [])].find(
      (one) => one?.kind === object.kind && one.metadata.name === object.metadata.name,
    );
    world[thingId(refOf(object))] = known(found);
  }
  return runPipe(work as Extract<typeof work, { does: 'pipe' }>, {
    world: { ...world, ...changed },
    restarting: { executionUid: 'now' },
    outcomes,
    now,
  });
}

const both = (execution: string): readonly AnyObject[] => [
  made(certificate, execution, 'a'),
  made(variables, execution, 'b'),
];
const removal = {
  do: 'delete',
  of: { apiVersion: 'v1', kind: 'Pod', namespace: 'here', name: podName, uid: 'pod-uid' },
};

describe('a Pipe task', () => {
  it('runs its pod when there is none', () => {
    const { actions, is } = run({});
    expect(is).toBe('working');
    expect(actions).toEqual([
      {
        do: 'apply',
        manager: 'cutover-kudo',
        object: expect.objectContaining({
          kind: 'Pod',
          metadata: expect.objectContaining({
            name: podName,
            namespace: 'here',
            ownerReferences: [expect.objectContaining({ uid: 'instance-uid', controller: true })],
            annotations: expect.objectContaining({ [annotations.planUid]: 'now', [annotations.pipePod]: 'true' }),
          }),
        }),
      },
    ]);
  });

  it('runs it also when there are artifacts of an earlier execution, or only some of this one', () => {
    expect(run({ artifacts: both('before') }).actions[0]).toMatchObject({ do: 'apply', object: { kind: 'Pod' } });
    const some = [made(certificate, 'now', 'a'), made(variables, 'before', 'b')];
    expect(run({ artifacts: some }).actions[0]).toMatchObject({ do: 'apply', object: { kind: 'Pod' } });
  });

  it('runs it when the artifacts are from two pods: a process died when it had fetched them anew', () => {
    const [first, second] = both('now') as [AnyObject, AnyObject];
    const told = { ...first.metadata.annotations, [annotations.fromPod]: 'another' };
    const other = { ...first, metadata: { ...first.metadata, annotations: told } };
    expect(run({ artifacts: [other, second] }).actions[0]).toMatchObject({ do: 'apply', object: { kind: 'Pod' } });
  });

  it.each([
    ['nothing is known of it', {}, 'Pending'],
    ['it is pending', { status: { phase: 'Pending' } }, 'Pending'],
    ['it is not ready', { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] } }, 'Running'],
    [
      'its init container fails',
      {
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            {
              name: 'init',
              state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } },
              lastState: { terminated: { exitCode: 3 } },
            },
          ],
        },
      },
      'container init: ended with exit code 3: CrashLoopBackOff: back-off 10s',
    ],
    [
      'the image of the waiting container cannot be had',
      {
        status: {
          phase: 'Pending',
          initContainerStatuses: [{ name: 'init', state: { terminated: { exitCode: 0 } } }],
          containerStatuses: [{ name: 'waiter', state: { waiting: { reason: 'ErrImagePull' } } }],
        },
      },
      'container waiter: ErrImagePull',
    ],
    [
      'there is no node for it',
      {
        status: {
          phase: 'Pending',
          conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes' }],
          containerStatuses: [{ name: 'waiter', state: { waiting: { reason: 'PodInitializing' } } }],
        },
      },
      'Unschedulable: 0/1 nodes',
    ],
  ])('waits for its pod and says why: %s', (_, status, why) => {
    expect(run({ pod: made(pod, 'now', 'pod-uid', status) })).toMatchObject({
      is: 'working',
      actions: [],
      message: `pod ${podName} is not running yet: ${why}`,
      unwatched: false,
    });
  });

  it('has the files fetched from a pod that is ready, with everything but their content', () => {
    const { is, actions } = run({ pod: made(pod, 'now', 'pod-uid', ready) });
    expect(is).toBe('working');
    expect(actions).toMatchObject([
      {
        do: 'call',
        port: 'pipe',
        verb: 'collect',
        id,
        args: {
          pod: { namespace: 'here', name: podName, uid: 'pod-uid' },
          files: [
            {
              path: '/out/tls.crt',
              as: 'file',
              object: {
                kind: 'ConfigMap',
                metadata: { annotations: { [annotations.planUid]: 'now', [annotations.fromPod]: 'pod-uid' } },
              },
            },
            { path: '/out/vars.env', as: 'envFile', object: { kind: 'Secret', type: 'Opaque' } },
          ],
        },
      },
    ]);
  });

  it('goes on asking while the answer is not known, and says what is wrong', () => {
    const outcome = { result: 'unavailable', at: now, since: now, of: 'x', message: 'no route' } as const;
    expect(run({ pod: made(pod, 'now', 'pod-uid', ready) }, { [id]: outcome })).toMatchObject({
      is: 'failed',
      failure: { message: 'no route', fatal: false },
      actions: [{ do: 'call', id }],
    });
  });

  it('has failed when the files are refused', () => {
    const outcome = { result: 'refused', at: now, since: now, of: 'x', message: 'no such file' } as const;
    expect(run({ pod: made(pod, 'now', 'pod-uid', ready) }, { [id]: outcome })).toMatchObject({
      is: 'failed',
      actions: [],
      failure: { reason: 'PipeTaskError', message: 'no such file', fatal: true },
    });
  });

  it('waits a little for artifacts that were written and are not seen, then starts over with another pod', () => {
    const done = (at: number): Outcomes => ({ [id]: { result: 'done', at, since: at, value: {} } });
    const found = { pod: made(pod, 'now', 'pod-uid', ready) };
    expect(run(found, done(now - 9_999))).toMatchObject({ is: 'working', actions: [], retryAt: now + 1 });
    expect(run(found, done(now - 10_000))).toMatchObject({ is: 'working', actions: [removal] });
  });

  it('deletes the pod once the artifacts are there, whatever its state, and is done when its end is certain', () => {
    const artifacts = both('now');
    const found = made(pod, 'now', 'pod-uid', ready);
    expect(run({ pod: found, artifacts })).toMatchObject({ is: 'working', actions: [removal] });
    const refs = [refOf(certificate), refOf(variables)];
    expect(run({ pod: ending(found), artifacts })).toEqual({ is: 'done', actions: [], applied: refs });
    expect(run({ artifacts })).toEqual({ is: 'done', actions: [], applied: refs });
  });

  it('deletes exactly this pod, of whatever version', () => {
    const { actions } = run({ pod: made(pod, 'now', 'pod-uid'), artifacts: both('now') });
    expect(actions).toEqual([removal]);
  });

  it('deletes a pod of an earlier execution first, and waits until it is gone', () => {
    const old = made(pod, 'before', 'pod-uid', ready);
    expect(run({ pod: old, artifacts: both('before') })).toMatchObject({ is: 'working', actions: [removal] });
    expect(run({ pod: ending(old) })).toMatchObject({
      is: 'working',
      actions: [],
      message: `pod ${podName} is being deleted`,
    });
  });

  it('starts over when the template of the pod was mended', () => {
    const { spec } = pod as unknown as { spec: object };
    const broken = { ...pod, spec: { ...spec, hostNetwork: true } } as KubeObject;
    expect(run({ pod: made(broken, 'now', 'pod-uid') }).actions).toEqual([removal]);
  });

  it('starts over with a pod that was evicted', () => {
    const evicted = { status: { phase: 'Failed', reason: 'Evicted', message: 'the node was low on memory' } };
    expect(run({ pod: made(pod, 'now', 'pod-uid', evicted) })).toMatchObject({
      is: 'failed',
      actions: [removal],
      failure: {
        message: `pod ${podName} failed and is started again: the node was low on memory`,
        fatal: false,
      },
    });
  });

  it('never takes what is not its own', () => {
    expect(run({ pod: strangers(made(pod, 'now', 'pod-uid', ready)) })).toMatchObject({
      is: 'failed',
      actions: [],
      failure: { message: expect.stringContaining('does not belong to this Instance'), fatal: false },
    });
    const artifacts = [strangers(made(certificate, 'now', 'a')), made(variables, 'now', 'b')];
    expect(run({ pod: made(pod, 'now', 'pod-uid', ready), artifacts })).toMatchObject({
      is: 'failed',
      actions: [],
      failure: { message: expect.stringContaining('does not belong to this Instance'), fatal: false },
    });
    // Nor does it delete a stranger's pod when all is done.
    expect(run({ pod: strangers(made(pod, 'now', 'pod-uid')), artifacts: both('now') }).is).toBe('done');
  });

  it('fails for good when somebody else controls what it would write', () => {
    const theirs = made(certificate, 'now', 'a');
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'u', controller: true };
    const taken = { ...theirs, metadata: { ...theirs.metadata, ownerReferences: [owner] } };
    expect(run({ artifacts: [taken] })).toMatchObject({
      is: 'failed',
      failure: { reason: 'TaskEnhancementError', fatal: true },
    });
  });

  it('waits for artifacts that are being deleted', () => {
    expect(run({ artifacts: [ending(made(certificate, 'now', 'a')), made(variables, 'now', 'b')] })).toMatchObject({
      is: 'working',
      actions: [],
      message: expect.stringContaining('is being deleted'),
    });
  });

  it('takes over artifacts of KUDO before it writes them', () => {
    const theirs = made(certificate, 'before', 'a');
    const entry = { manager: 'kudo-manager', operation: 'Update', apiVersion: 'v1', fieldsV1: { 'f:binaryData': {} } };
    const kudos = { ...theirs, metadata: { ...theirs.metadata, managedFields: [entry] } } as AnyObject;
    expect(run({ artifacts: [kudos], pod: made(pod, 'now', 'pod-uid', ready) })).toMatchObject({
      is: 'working',
      actions: [{ do: 'patch', of: { kind: 'ConfigMap', uid: 'a' } }],
    });
  });

  it.each([
    ['the pod', pod],
    ['an artifact', variables],
  ])('says so when %s cannot be read', (_, object) => {
    const unreadable = { [thingId(refOf(object))]: { is: 'unreadable', message: 'forbidden' } } as const;
    expect(run({}, {}, unreadable)).toMatchObject({
      is: 'failed',
      actions: [],
      failure: { message: 'forbidden', fatal: false },
      unwatched: true,
    });
  });

  it('counts as applied what is there, and only that', () => {
    expect(run({}).applied).toEqual([]);
    const [first] = both('before');
    const one = run({ pod: made(pod, 'now', 'pod-uid', ready), artifacts: first ? [first] : [] });
    expect(one.applied).toEqual([refOf(certificate)]);
  });
});
