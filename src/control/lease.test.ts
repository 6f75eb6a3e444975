import { describe, expect, it } from 'vitest';
import { SmallApi, status } from '../../test/toy/small-api.ts';
import { sleep } from '../clock/clock.ts';
import { seededRandom } from '../clock/random.ts';
import { VirtualClock } from '../clock/virtual.ts';
import { Client } from '../kube/client.ts';
import type { AnyObject } from '../kube/object.ts';
import { LeaderLease, type LeaseObject, type LeaseOptions } from './lease.ts';
import { silent } from './log.ts';
import { Sight } from './sight.ts';

function world() {
  const clock = new VirtualClock();
  const api = new SmallApi(clock);
  const candidate = (
    identity: string,
    more: Partial<LeaseOptions> = {},
  ): { lease: LeaderLease; api: SmallApi; stop: AbortController; won: Promise<boolean> } => {
    const client = new Client(api.transport(), { clock });
    const random = seededRandom(identity.length);
    const place = { namespace: 'ns', name: 'op' };
    const lease = new LeaderLease({ client, clock, random, log: silent, ...place, identity, ...more });
    const stop = new AbortController();
    return { lease, api, stop, won: lease.acquire(stop.signal) };
  };
  const stored = (): LeaseObject['spec'] => (api.list('leases')[0] as unknown as LeaseObject).spec;
  return { clock, api, candidate, stored };
}

describe('the leader lease', () => {
  it('goes to one of several, who renews it every two seconds with one request', async () => {
    const { clock, api, candidate, stored } = world();
    const all = [candidate('a'), candidate('bb'), candidate('ccc')];
    await clock.advance(100);
    expect(all.filter(({ lease }) => lease.held())).toHaveLength(1);
    for (const { stop, lease } of all) if (!lease.held()) stop.abort();
    api.requests.length = 0;
    await clock.advance(20_000);
    expect(all.filter(({ lease }) => lease.held())).toHaveLength(1);
    expect(stored()).toMatchObject({ leaseDurationSeconds: 15, leaseTransitions: 0 });
    expect(api.requests.filter((request) => request.startsWith('PUT'))).toHaveLength(10);
    expect(api.requests).toHaveLength(10);
  });

  it('is given back on release, and the next one has it within seconds', async () => {
    const { clock, candidate, stored } = world();
    const first = candidate('a');
    expect(await first.won).toBe(true);
    const second = candidate('bb');
    await clock.advance(1000);
    await first.lease.release();
    expect(first.lease.held()).toBe(false);
    expect(stored()?.holderIdentity).toBe('');
    await clock.advance(2500);
    expect(second.lease.held()).toBe(true);
    expect(stored()).toMatchObject({ holderIdentity: 'bb', leaseTransitions: 1 });
  });

  it('is no longer held before anybody else may hold it, whatever the server does', async () => {
    const { clock, api, candidate } = world();
    const first = candidate('a');
    await first.won;
    const second = candidate('bb');
    await clock.advance(2100);
    let writer = '';
    // The first one is cut off; the second is not.
    api.fault = (request) => {
      writer = String(request.body ?? '');
      return writer.includes('"holderIdentity":"a"') ? status(503, 'ServiceUnavailable', 'down') : undefined;
    };
    for (let ms = 0; ms < 30_000; ms += 250) {
      await clock.advance(250);
      expect(first.lease.held() && second.lease.held()).toBe(false);
    }
    expect(second.lease.held()).toBe(true);
    expect(first.lease.lost.aborted).toBe(true);
  });

  it('survives trouble that is shorter than the renew deadline', async () => {
    const { clock, api, candidate } = world();
    const { lease, won } = candidate('a');
    await won;
    api.fault = () => Promise.reject(new Error('connection refused'));
    await clock.advance(7900);
    api.fault = undefined;
    await clock.advance(30_000);
    expect(lease.held()).toBe(true);
    expect(lease.lost.aborted).toBe(false);
  });

  it('survives an answer that was lost: what it finds written is its own', async () => {
    const { clock, api, candidate } = world();
    const { lease, won } = candidate('a');
    await won;
    let lost = false;
    api.fault = (request) => {
      if (lost || request.method !== 'PUT') return undefined;
      lost = true;
      // As stored by the request whose answer nobody heard.
      const [path, stored] = [...api.objects].find(([at]) => at.includes('/leases/')) as [string, LeaseObject];
      const metadata = { ...stored.metadata, resourceVersion: '999' };
      api.objects.set(path, { ...stored, metadata } as unknown as AnyObject);
      return Promise.reject(new Error('connection reset'));
    };
    await clock.advance(30_000);
    expect(lost).toBe(true);
    expect(lease.lost.aborted).toBe(false);
    expect(lease.held()).toBe(true);
  });

  it('counts from when it asked, not from when it was answered', async () => {
    const { clock, api, candidate } = world();
    const { lease, won } = candidate('a');
    await won;
    await clock.advance(1_900);
    // The renewal at 2 s is answered after 5 s; then nothing is.
    let slow = true;
    api.fault = async (request) => {
      if (request.method === 'PUT' && slow) {
        slow = false;
        await sleep(clock, 5_000);
        return undefined;
      }
      return new Promise(() => {});
    };
    await clock.advance(10_000);
    expect(slow).toBe(false);
    expect(lease.held()).toBe(true);
    await clock.advance(200);
    expect(lease.held()).toBe(false);
  });

  it('is not taken from a holder whose clock is wrong but who shows signs of life', async () => {
    const { clock, candidate, stored } = world();
    const first = candidate('a');
    await first.won;
    clock.jump(3_600_000);
    const second = candidate('bb');
    await clock.advance(60_000);
    expect(second.lease.held()).toBe(false);
    expect(stored()?.holderIdentity).toBe('a');
  });

  it('is lost by a process that slept too long, although its timers have not fired yet', async () => {
    const clock = new VirtualClock();
    let asleep = 0;
    const sleeping = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic() + asleep,
      after: clock.after.bind(clock),
    };
    const api = new SmallApi(clock);
    const client = new Client(api.transport(), { clock });
    const random = seededRandom(1);
    const lease = new LeaderLease({
      client,
      clock: sleeping,
      random,
      log: silent,
      namespace: 'n',
      name: 'l',
      identity: 'a',
    });
    await lease.acquire(new AbortController().signal);
    expect(lease.held()).toBe(true);
    asleep = 10_001;
    expect(lease.held()).toBe(false);
  });

  it('is taken within 17 s of the last sign of life, whenever that was, and not within 15', async () => {
    for (let killedAt = 0; killedAt < 2_000; killedAt += 130) {
      const { clock, api, candidate, stored } = world();
      const first = candidate('a');
      await first.won;
      const second = candidate('bb');
      await clock.advance(4_000 + killedAt);
      // It dies: nothing of it is heard any more.
      api.fault = ({ body }) =>
        String(body ?? '').includes('"holderIdentity":"a"') ? new Promise(() => {}) : undefined;
      const lastSign = clock.now() - Date.parse(stored()?.renewTime ?? '');
      await clock.runUntil(() => second.lease.held(), 30_000);
      expect(second.lease.held()).toBe(true);
      const tookMs = clock.monotonic() - 4_000 - killedAt;
      expect(tookMs + lastSign).toBeGreaterThanOrEqual(15_000);
      expect(tookMs).toBeLessThan(17_000);
    }
  });

  it('is asked for: its holder hears of it, and nobody else comes first', async () => {
    const { clock, candidate, stored } = world();
    const holder = candidate('a');
    await holder.won;
    const bystander = candidate('ccc');
    const asker = candidate('bb');
    asker.stop.abort();
    const asking = new AbortController();
    void asker.lease.acquire(asking.signal, { ask: true });
    await clock.runUntil(() => holder.lease.asked.aborted, 10_000);
    expect(holder.lease.asked.reason).toBe('bb');
    await clock.advance(10_000);
    expect(holder.lease.held()).toBe(true);
    await holder.lease.release();
    await clock.advance(1_500);
    expect([asker.lease.held(), bystander.lease.held()]).toEqual([true, false]);
    await asker.lease.release();
    await clock.advance(1_500);
    expect(stored()?.holderIdentity).toBe('ccc');
  });

  it('is not kept alive by those who ask for it', async () => {
    const { clock, api, candidate } = world();
    await candidate('a').won;
    await clock.advance(100);
    const isOfDead = (body: string): boolean => body.includes('"holderIdentity":"a"') && !body.includes('asked-by');
    api.fault = ({ body }) => (isOfDead(String(body ?? '')) ? new Promise(() => {}) : undefined);
    const others = [candidate('bb'), candidate('ccc')];
    await clock.advance(10_000);
    for (const { lease, stop } of others) await lease.ask(stop.signal);
    await clock.advance(7_000);
    expect(others.filter(({ lease }) => lease.held())).toHaveLength(1);
  });

  it('is held by several of one identity together, each as long as it renews it itself', async () => {
    const { clock, candidate, stored } = world();
    const [one, two] = [candidate('group'), candidate('group')];
    await clock.advance(60_000);
    expect([one.lease.held(), two.lease.held()]).toEqual([true, true]);
    await one.lease.leave();
    await clock.advance(30_000);
    expect([one.lease.held(), two.lease.held()]).toEqual([false, true]);
    expect(stored()).toMatchObject({ holderIdentity: 'group', leaseTransitions: 0 });
  });

  it('is left to who asked for it, once it has run out, also by a group of which all were to leave', async () => {
    const { clock, candidate, stored } = world();
    const member = candidate('group');
    await member.won;
    // It looks once a second, as an uninstall does, and not at the moment in which the lease runs out.
    const asker = candidate('bb');
    asker.stop.abort();
    const asking = new AbortController().signal;
    await clock.advance(100);
    await asker.lease.look(asking);
    await asker.lease.ask(asking);
    await member.lease.leave();
    const restarted = candidate('group');
    for (let looks = 0; looks < 60 && !restarted.lease.held(); looks++) {
      if (await asker.lease.attempt(asking)) break;
      await clock.advance(1_000);
    }
    expect([asker.lease.held(), restarted.lease.held()]).toEqual([true, false]);
    expect(stored()?.holderIdentity).toBe('bb');
  });

  it('is given back although a renewal that was called off has arrived', async () => {
    const { clock, api, candidate, stored } = world();
    const holder = candidate('a');
    await holder.won;
    let arrived = false;
    api.fault = (request) => {
      if (arrived || request.method !== 'PUT') return undefined;
      arrived = true;
      const [path, before] = [...api.objects].find(([at]) => at.includes('/leases/')) as [string, LeaseObject];
      const metadata = { ...before.metadata, resourceVersion: '999' };
      api.objects.set(path, { ...before, metadata } as unknown as AnyObject);
      return new Promise(() => {});
    };
    await clock.runUntil(() => arrived, 10_000);
    const released = holder.lease.release();
    await clock.advance(1_000);
    await released;
    expect(stored()?.holderIdentity).toBe('');
  });

  it('is given back although the end comes while its holder reads what somebody else wrote', async () => {
    const { clock, api, candidate, stored } = world();
    const holder = candidate('a');
    await holder.won;
    const [path, before] = [...api.objects].find(([at]) => at.includes('/leases/')) as [string, LeaseObject];
    const metadata = { ...before.metadata, resourceVersion: '999' };
    api.objects.set(path, { ...before, metadata } as unknown as AnyObject);
    let isReading = false;
    api.fault = (request) => {
      if (isReading || request.method !== 'GET') return undefined;
      isReading = true;
      return new Promise(() => {});
    };
    await clock.runUntil(() => isReading, 10_000);
    const released = holder.lease.release();
    await clock.advance(1_000);
    await released;
    expect(stored()?.holderIdentity).toBe('');
  });

  it('that somebody deletes is made anew by its holder, and taken by nobody who saw it held', async () => {
    const { clock, api, candidate, stored } = world();
    const holder = candidate('a');
    await holder.won;
    const other = candidate('bb');
    await clock.advance(5_000);
    api.objects.clear();
    for (let ms = 0; ms < 30_000; ms += 100) {
      await clock.advance(100);
      expect(other.lease.held()).toBe(false);
    }
    expect(holder.lease.held()).toBe(true);
    expect(stored()?.holderIdentity).toBe('a');
    // One whose holder is gone, too, is taken when the holder could not believe in it any more.
    await holder.lease.leave();
    api.objects.clear();
    await clock.advance(20_000);
    expect(other.lease.held()).toBe(true);
  });

  it('is taken by who cannot see everything only after others had the time to, and kept as long as nobody asks', async () => {
    const { clock, candidate } = world();
    const blind = candidate('a', { sight: new Sight(clock, new Promise(() => {})) });
    await clock.advance(29_000);
    expect(blind.lease.held()).toBe(false);
    await clock.advance(6_000);
    expect(blind.lease.held()).toBe(true);
    await clock.advance(2 * 3_600_000);
    expect(blind.lease.held()).toBe(true);
    expect(blind.lease.asked.aborted).toBe(false);
  });

  it('goes to who sees everything when it is given back, although one who does not waits for it, too', async () => {
    const { clock, candidate } = world();
    const first = candidate('a');
    await first.won;
    const blind = candidate('bb', { sight: new Sight(clock, new Promise(() => {})) });
    await clock.advance(60_000);
    // The one who looks last of all.
    const second = candidate('ccc', { lookMs: 2_000 });
    await clock.advance(2_300);
    await first.lease.release();
    await clock.advance(3_000);
    expect(blind.lease.held()).toBe(false);
    expect(second.lease.held()).toBe(true);
  });

  it('is asked for by who sees everything when its holder does not, and no longer once its holder does', async () => {
    const { clock, api, candidate } = world();
    const { promise: seen, resolve: see } = Promise.withResolvers<void>();
    const blind = candidate('a', { sight: new Sight(clock, seen) });
    await clock.advance(60_000);
    const alsoBlind = candidate('bb', { sight: new Sight(clock, new Promise(() => {})) });
    await clock.advance(60_000);
    expect(blind.lease.asked.aborted).toBe(false);
    alsoBlind.stop.abort();
    const marked = (): unknown => api.list('leases')[0]?.metadata.annotations?.['cutover.dev/blind'];
    expect(marked()).toBe('a');
    see();
    await clock.advance(3_000);
    expect(marked()).toBeUndefined();
    const late = candidate('ccc', { sight: new Sight(clock, Promise.resolve()) });
    await clock.advance(60_000);
    expect(blind.lease.asked.aborted).toBe(false);
    late.stop.abort();
  });

  it('is heard to be asked for by a holder who does not see everything, and goes to who asked', async () => {
    const { clock, candidate, stored } = world();
    const blind = candidate('a', { sight: new Sight(clock, new Promise(() => {})) });
    await clock.advance(60_000);
    blind.lease.asked.addEventListener('abort', () => void blind.lease.release());
    const sees = candidate('bb', { sight: new Sight(clock, Promise.resolve()) });
    await clock.advance(6_000);
    expect(sees.lease.held()).toBe(true);
    expect(stored()?.holderIdentity).toBe('bb');
    await clock.advance(60_000);
    expect(sees.lease.asked.aborted).toBe(false);
  });

  it('is waited for no longer when the candidate is told to stop', async () => {
    const { clock, candidate } = world();
    await candidate('a').won;
    const second = candidate('bb');
    await clock.advance(5000);
    second.stop.abort();
    expect(await second.won).toBe(false);
  });
});
