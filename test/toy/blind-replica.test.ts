import { describe, expect, it } from 'vitest';
import type { Caches } from '../../src/control/caches.ts';
import type { LeaseObject } from '../../src/control/lease.ts';
import { KubeError } from '../../src/kube/error.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { Transport } from '../../src/kube/transport.ts';
import { kudoFamily } from '../../src/kudo/family.ts';
import { openWorkloads } from '../../src/server/fleet/shelves.ts';
import { type Running, Stage } from './stage.ts';

const lease = { namespace: 'default', name: 'cutover' };

/** May not read pods, as a new version that has the Role of the old one. */
function withoutPods(isForbidden: () => boolean) {
  return (transport: Transport): Transport => ({
    ...transport,
    request: async (request) => {
      if (isForbidden() && request.path.includes('/pods')) throw new KubeError('forbidden', 'pods is forbidden');
      return transport.request(request);
    },
  });
}

class Replicas {
  readonly stage: Stage;

  constructor(stage: Stage) {
    this.stage = stage;
  }

  /** `signal`: asks it to end. */
  sighted(instance: string, signal = new AbortController().signal): Running {
    return this.stage.start({ options: { lease, instance, signal } });
  }

  blind(instance: string, isForbidden = () => true): Running {
    return this.stage.start({ options: { lease, instance }, wire: withoutPods(isForbidden) });
  }

  /** The pod that holds the lease. */
  async leader(): Promise<string | undefined> {
    const { items } = await this.stage.person.resource<LeaseObject>(kinds.leases).list({ namespace: 'default' });
    return items[0]?.spec?.holderIdentity?.split('_')[0] || undefined;
  }

  /** How long it takes until a pod leads. */
  async untilLeads(instance: string, limitMs: number): Promise<number> {
    for (let passed = 0; passed <= limitMs; passed += 100) {
      if ((await this.leader()) === instance) return passed;
      await this.stage.clock.advance(100);
    }
    return expect.fail(`${await this.leader()} leads after ${limitMs} ms, not ${instance}`);
  }
}

describe('a replica that cannot see everything', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('leaves the lease to one that can when the leader stops (%d)', async (seed) => {
    const stage = await Stage.embedded(seed);
    const replicas = new Replicas(stage);
    const drained = new AbortController();
    const old = replicas.sighted('old-1', drained.signal);
    await stage.clock.advance(3_000);
    replicas.sighted('old-2');
    replicas.blind('new-1');
    await stage.clock.advance(60_000);
    drained.abort();
    await replicas.untilLeads('old-2', 3_000);
    expect(await old.ended).toBe('stopped');
    await stage.createLamp('l');
    await stage.clock.advance(60_000);
    expect((await stage.lamp('l'))?.status?.phase).toBe('Shining');
    expect(await replicas.leader()).toBe('old-2');
  });

  it('leads when there is nobody else, keeps the lease, and works as soon as it sees', async () => {
    const stage = await Stage.embedded();
    const replicas = new Replicas(stage);
    let isForbidden = true;
    replicas.blind('only', () => isForbidden);
    expect(await replicas.untilLeads('only', 40_000)).toBeGreaterThan(25_000);
    await stage.createLamp('l');
    for (let minute = 0; minute < 30; minute++) {
      await stage.clock.advance(60_000);
      expect(await replicas.leader()).toBe('only');
    }
    expect((await stage.lamp('l'))?.status?.phase).toBeUndefined();
    isForbidden = false;
    await stage.clock.advance(120_000);
    expect((await stage.lamp('l'))?.status?.phase).toBe('Shining');
  });

  it('gives the lease, once, to one that comes and can', async () => {
    const stage = await Stage.embedded();
    const replicas = new Replicas(stage);
    const blind = replicas.blind('new-1');
    await replicas.untilLeads('new-1', 40_000);
    replicas.sighted('old-1');
    await replicas.untilLeads('old-1', 10_000);
    expect(await blind.ended).toBe('yielded');
    replicas.blind('new-1');
    await stage.clock.advance(10 * 60_000);
    expect(await replicas.leader()).toBe('old-1');
  });

  it('delays nobody who sees everything at once', async () => {
    const stage = await Stage.embedded();
    const replicas = new Replicas(stage);
    replicas.sighted('only');
    await stage.clock.advance(0);
    expect(await replicas.leader()).toBe('only');
  });

  it('delays nobody for what is only counted and shown, and not installed', async () => {
    const stage = await Stage.embedded();
    const replicas = new Replicas(stage);
    const onCaches = (caches: Caches): void => void openWorkloads(caches, kudoFamily.workloads, []);
    stage.start({ options: { lease, instance: 'only', onCaches } });
    await stage.clock.advance(0);
    expect(await replicas.leader()).toBe('only');
  });
});
