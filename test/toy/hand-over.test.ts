import { describe, expect, it } from 'vitest';
import { sleep } from '../../src/clock/clock.ts';
import type { LeaseObject } from '../../src/control/lease.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { Transport } from '../../src/kube/transport.ts';
import { type Cast, Stage } from './stage.ts';

const lease = { namespace: 'default', name: 'cutover' };
const never = (): Promise<never> => new Promise(() => {});

/** Keeps what is written, in order. */
function recorded(writes: string[], wire: NonNullable<Cast['wire']> = (transport) => transport) {
  return (transport: Transport): Transport => {
    const { request, ...rest } = wire(transport);
    return {
      ...rest,
      request: (sent) => {
        if (sent.method !== 'GET') writes.push(`${sent.method} ${sent.path}`);
        return request(sent);
      },
    };
  };
}

/** An API server that is slow to take events. */
function slowEvents(stage: Stage) {
  return (transport: Transport): Transport => ({
    ...transport,
    request: async (request) => {
      const isEvent = request.method === 'POST' && request.path.includes('/events');
      if (isEvent) await sleep(stage.clock, 200, request.signal);
      return transport.request(request);
    },
  });
}

describe('an operator that is stopped', () => {
  it.each<[string, (stage: Stage) => Cast]>([
    ['nothing in its way', () => ({})],
    ['a call that never ends', () => ({ lamps: { ports: { factory: { order: never, measure: never } } } })],
    ['an observation that never ends', () => ({ lamps: { look: never } })],
    ['many events to tell', (stage) => ({ wire: slowEvents(stage) })],
  ])('is followed by another within 3 s, with %s', async (_what, cast) => {
    const stage = await Stage.embedded();
    const stop = new AbortController();
    const writes: string[] = [];
    const { wire, ...more } = cast(stage);
    const options = { lease, instance: 'first', signal: stop.signal };
    const first = stage.start({ ...more, options, wire: recorded(writes, wire) });
    await stage.clock.advance(3_000);
    stage.start({ options: { lease, instance: 'second' } });
    await stage.clock.advance(3_000);
    const leader = async (): Promise<string | undefined> => {
      const { spec } = await stage.person.resource<LeaseObject>(kinds.leases).get(lease);
      return spec?.holderIdentity?.split('_')[0];
    };
    for (let lamp = 0; lamp < 20; lamp++) await stage.createLamp(`l${lamp}`);
    await stage.clock.advance(500);
    expect(await leader()).toBe('first');

    stop.abort();
    const began = stage.clock.monotonic();
    while ((await leader()) !== 'second') {
      await stage.clock.advance(100);
      expect(stage.clock.monotonic() - began).toBeLessThanOrEqual(3_000);
    }
    await stage.clock.advance(10_000);
    expect(await first.ended).toBe('stopped');
    expect((await stage.lamp('l0'))?.status?.phase).toBe('Shining');
    const released = writes.findLastIndex((write) => write.includes('/leases/'));
    expect(writes.slice(released + 1).filter((write) => !write.includes('/events'))).toEqual([]);
  });
});
