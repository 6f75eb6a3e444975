import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import type { VirtualClock } from '../../src/clock/virtual.ts';
import { Caches } from '../../src/control/caches.ts';
import { Events } from '../../src/control/events.ts';
import { silent } from '../../src/control/log.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import type { Embedded } from '../../src/embedded/embedded.ts';
import { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { eventClassNames } from '../../src/server/notify/event-class.ts';
import { openNotifications } from '../../src/server/notify/open-notifications.ts';
import { withServerMetrics } from '../../src/server/server-metrics.ts';
import { openCluster } from '../stage/open-cluster.ts';
import { boat, boatDefinition, boats, toys } from './boat.ts';

interface Sent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
}

/** An operator's process that only notifies. */
function run(clock: VirtualClock, embedded: Embedded, active = () => true) {
  const client = new Client(embedded.transport(), { clock });
  const shared = { client, clock, random: seededRandom(2), log: silent };
  const metrics = withServerMetrics(createMetrics({ process: false }));
  const caches = new Caches({ ...shared, metrics, freeze: true });
  const sent: Sent[] = [];
  const notifications = openNotifications({
    ...shared,
    families: [toys],
    caches,
    metrics,
    active,
    webhooks: [{ url: 'https://hooks.example', events: eventClassNames }],
    post: async (_, { body }) => {
      sent.push(JSON.parse(body));
      return { status: 204 };
    },
  });
  const stop = new AbortController();
  notifications.begin();
  caches.start(stop.signal);
  const end = async () => {
    notifications.close();
    stop.abort();
    await caches.stopped();
  };
  const pass = async (ms = 0) => {
    await clock.advance(ms);
    for (let at = 0; at < 5; at++) await clock.advance(0);
  };
  const told = async () => {
    await pass();
    return sent.splice(0).map(({ type }) => type.replace('dev.cutover.', ''));
  };
  return { client, sent, told, pass, end, metrics };
}

describe('notifications', () => {
  it('tell what happens to workloads, and after a restart how things stand, under the same ids', async () => {
    const { clock, embedded } = await openCluster({ seed: 1, nodes: { count: 0 } });
    const first = new Client(embedded.transport(), { clock });
    await first.resource<KubeObject>(kinds.customResourceDefinitions).create(boatDefinition);
    const process = run(clock, embedded);
    const resource = process.client.resource<KubeObject>(boats);
    const name = { namespace: 'default', name: 'erik' };
    const status = (body: object) => resource.status.patch(name, { type: 'merge', body: { status: body } });
    await resource.create(boat('default', 'erik'));
    expect(await process.told()).toEqual([]);
    await status({ phase: 'progressing' });
    expect(await process.told()).toEqual(['transition-started']);
    await status({ phase: 'failed', needsYou: 'bail it out' });
    await process.pass();
    const before = process.sent.map(({ type, id }) => [type, id]);
    expect(await process.told()).toEqual(['transition-ended', 'needs-you', 'failed']);
    expect((await process.metrics.page()).text).toContain(
      'cutover_notifications_total{event="failed",delivery="sent"} 1',
    );
    await process.end();

    const next = run(clock, embedded);
    await next.pass();
    expect(next.sent.map(({ type, id }) => [type, id])).toEqual(
      before.filter(([type]) => type !== 'dev.cutover.transition-ended'),
    );
    expect(await next.told()).toEqual(['needs-you', 'failed']);
    await status({ phase: 'healthy', needsYou: null });
    expect(await next.told()).toEqual(['recovered']);
    await resource.delete(name);
    expect(await next.told()).toEqual(['deleted']);
    await next.end();
    await embedded.close();
  });

  it('tell what the operator says, once, and nothing that others say', async () => {
    const { clock, embedded } = await openCluster({ seed: 1, nodes: { count: 0 } });
    const first = new Client(embedded.transport(), { clock });
    await first.resource<KubeObject>(kinds.customResourceDefinitions).create(boatDefinition);
    const process = run(clock, embedded);
    await process.pass();
    const about = { apiVersion: 'toy.cutover.dev/v1', kind: 'Boat', namespace: 'default', name: 'erik', uid: 'u1' };
    const saying = (controller: string) =>
      new Events({
        client: first,
        clock,
        random: seededRandom(3),
        log: silent,
        metrics: createMetrics({ process: false }),
        controller,
        instance: 'a',
      });
    const [ours, theirs] = [saying('cutover.dev/operator'), saying('other.dev/operator')];
    ours.record({ do: 'event', about, reason: 'RestartFailedJob', note: 'again' });
    ours.record({ do: 'event', about, reason: 'Leaking', note: 'water', warning: true });
    theirs.record({ do: 'event', about, reason: 'RestartFailedJob', note: 'not ours' });
    expect(await process.told()).toEqual(['restarted', 'warning']);
    ours.record({ do: 'event', about, reason: 'Leaking', note: 'water', warning: true });
    await process.pass(120_000);
    expect(await process.told()).toEqual([]);
    await process.end();
    await embedded.close();
  });

  it('are left to the process that leads, and taken up when it is this one', async () => {
    const { clock, embedded } = await openCluster({ seed: 1, nodes: { count: 0 } });
    const first = new Client(embedded.transport(), { clock });
    await first.resource<KubeObject>(kinds.customResourceDefinitions).create(boatDefinition);
    let leads = false;
    const process = run(clock, embedded, () => leads);
    const resource = process.client.resource<KubeObject>(boats);
    await resource.create(boat('default', 'erik'));
    const body = { status: { phase: 'failed' } };
    await resource.status.patch({ namespace: 'default', name: 'erik' }, { type: 'merge', body });
    await process.pass(10_000);
    expect(await process.told()).toEqual([]);
    leads = true;
    await process.pass(5_000);
    expect(await process.told()).toEqual(['failed']);
    await process.end();
    await embedded.close();
  });
});
