import { describe, expect, it } from 'vitest';
import { SmallApi, status } from '../../../test/toy/small-api.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import { Client } from '../../kube/client.ts';
import { kinds } from '../../kube/kinds.ts';
import type { Pod } from './kube-shapes.ts';
import { MountTrouble } from './mount-trouble.ts';

const pod = (uid: string, stuck = true): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'a', uid },
  status: {
    conditions: [
      { type: 'PodScheduled', status: 'True' },
      { type: 'PodReadyToStartContainers', status: stuck ? 'False' : 'True' },
      { type: 'Ready', status: 'False' },
    ],
  },
});

function world() {
  const clock = new VirtualClock();
  const api = new SmallApi(clock);
  const client = new Client(api.transport(), { clock });
  const mounts = new MountTrouble({ client, clock });
  const woken: string[] = [];
  const stop = mounts.listen((key) => woken.push(key));
  const say = (name: string, note: string): Promise<unknown> =>
    client.resource(kinds.events).create({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { namespace: 'a', name },
      reason: 'FailedMount',
      note,
      deprecatedLastTimestamp: new Date(clock.now()).toISOString(),
    });
  const asked = (): number => api.requests.filter((one) => one.startsWith('GET')).length;
  return { clock, api, mounts, woken, stop, say, asked };
}

describe('trouble with volumes', () => {
  it('is asked about only while a pod is stuck, and told once', async () => {
    const { clock, api, mounts, woken, say, asked } = world();
    expect(mounts.look('a/x', [pod('u')])).toEqual(new Map());
    await clock.advance(4_000);
    expect(asked()).toBe(0);
    await clock.advance(2_000);
    expect(asked()).toBe(1);
    expect(api.requests.at(-1)).toContain('fieldSelector=regarding.uid%3Du%2Creason%3DFailedMount');
    expect(woken).toEqual([]);
    await say('one', 'secret "s" not found');
    await clock.advance(10_000);
    expect(woken).toEqual(['a/x']);
    const failure = { reason: 'FailedMount', container: undefined, message: 'secret "s" not found' };
    expect(mounts.look('a/x', [pod('u')])).toEqual(new Map([['u', failure]]));
    await clock.advance(60_000);
    expect(woken).toEqual(['a/x']);
    await say('two', 'configmap "c" not found');
    await clock.advance(10_000);
    expect(woken).toEqual(['a/x', 'a/x']);
    expect(mounts.look('a/x', [pod('u')]).get('u')?.message).toBe('configmap "c" not found');

    expect(mounts.look('a/x', [pod('u', false)])).toEqual(new Map());
    await clock.advance(10);
    expect(clock.untilNext).toBeUndefined();
  });

  it('is forgotten with its pod, its key and its listener', async () => {
    const { clock, mounts, stop, asked } = world();
    mounts.look('a/x', [pod('u'), pod('v')]);
    mounts.look('a/x', [pod('v')]);
    mounts.look('a/y', [pod('w')]);
    await clock.advance(6_000);
    expect(asked()).toBe(2);
    mounts.forget('a/x');
    await clock.advance(10_000);
    expect(asked()).toBe(3);
    stop();
    await clock.advance(60_000);
    expect(asked()).toBe(3);
    expect(clock.untilNext).toBeUndefined();
  });

  it('stays as it was known while it cannot be asked about', async () => {
    const { clock, api, mounts, woken, say } = world();
    mounts.look('a/x', [pod('u')]);
    await say('one', 'n');
    await clock.advance(6_000);
    api.fault = () => status(403, 'Forbidden', 'no');
    await clock.advance(60_000);
    expect(mounts.look('a/x', [pod('u')]).get('u')?.message).toBe('n');
    expect(woken).toEqual(['a/x']);
  });
});
