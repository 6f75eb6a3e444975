import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/random.ts';
import type { VirtualClock } from '../../../src/clock/virtual.ts';
import { createCredentials } from '../../../src/cloudfoundry/api/credentials.ts';
import { openPlatform } from '../../../src/cloudfoundry/api/open-platform.ts';
import { podUsage } from '../../../src/cloudfoundry/api/pod-usage.ts';
import { definitions } from '../../../src/cloudfoundry/family.ts';
import { defaultSettings } from '../../../src/cloudfoundry/settings.ts';
import type { Grant } from '../../../src/control/access.ts';
import { Caches } from '../../../src/control/caches.ts';
import { silent } from '../../../src/control/log.ts';
import { createMetrics } from '../../../src/control/metrics.ts';
import { Client } from '../../../src/kube/client.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import type { Response, Transport } from '../../../src/kube/transport.ts';
import { accessParts } from '../../../src/main/access.ts';
import { familySources } from '../../../src/main/family-sources.ts';
import { eventClassNames } from '../../../src/server/notify/event-class.ts';
import { openNotifications } from '../../../src/server/notify/open-notifications.ts';
import { withServerMetrics } from '../../../src/server/server-metrics.ts';
import { boat, boatDefinition, toys } from '../../server/boat.ts';
import { DashboardStage } from '../../server/dashboard-stage.ts';
import { openCluster } from '../../stage/open-cluster.ts';
import { type Asked, askedOf } from './asked.ts';
import { isGranted, right, rightsIn, withCompanions } from './granted.ts';

const { core, dashboard, notify, cloudfoundry, cloudfoundryApi } = accessParts;

/** What the toy family's controllers would be allowed: dashboard and notifications look at what the families look at anyway. */
const ofToys: readonly Grant[] = [
  { group: 'toy.cutover.dev', resources: ['boats'], verbs: ['list', 'watch'], where: 'watched', why: '' },
  { group: '', resources: ['pods'], verbs: ['list', 'watch'], where: 'watched', why: '' },
];

const byFamily: Readonly<Record<string, readonly Grant[]>> = {
  flink: accessParts.flink,
  cloudfoundry,
  kudo: [...accessParts.kudo, ...accessParts.kudoPackages],
};

const nothing = (): Response => ({
  status: 200,
  headers: {},
  body: (async function* () {
    yield Buffer.from('{"items":[]}');
  })(),
});

/** All that was asked is granted by one of the two, and all that `part` grants was asked. */
function expectBoth(asked: readonly Asked[], part: readonly Grant[], others: readonly Grant[]): void {
  const lacking = asked.filter((one) => !isGranted([...part, ...others], one));
  expect([...new Set(lacking.map((one) => `${right(one)} in ${one.namespace || 'the cluster'}`))]).toEqual([]);
  const used = withCompanions(new Set(asked.map(right)));
  expect(rightsIn(part).filter((one) => !used.has(one))).toEqual([]);
}

/** A process on a cluster with these kinds; what its client asks for is written down. */
async function openProcess(defined: readonly AnyObject[]) {
  const { clock, embedded } = await openCluster({ seed: 1, nodes: { count: 0 } });
  const person = new Client(embedded.transport(), { clock });
  for (const definition of defined) await person.resource(kinds.customResourceDefinitions).create(definition);
  const asked: Asked[] = [];
  const transport = embedded.transport();
  const client = new Client(overheard(transport, asked), { clock });
  const random = seededRandom(2);
  const metrics = withServerMetrics(createMetrics({ process: false }));
  const caches = new Caches({ client, clock, random, log: silent, metrics, freeze: true });
  const stop = new AbortController();
  return {
    ...{ transport, clock, client, random, metrics, caches, asked },
    async start(): Promise<void> {
      caches.start(stop.signal);
      await synced(clock, caches);
    },
    async [Symbol.asyncDispose](): Promise<void> {
      stop.abort();
      await caches.stopped();
      await embedded.close();
    },
  };
}

function overheard(transport: Transport, asked: Asked[]): Transport {
  return {
    ...transport,
    request: (request) => {
      asked.push(...askedOf(request));
      return transport.request(request);
    },
  };
}

async function synced(clock: VirtualClock, caches: Caches): Promise<void> {
  expect(await clock.runUntil(() => caches.unsynced().length === 0, 60_000)).toBe(true);
}

describe('with the identity of the operator', () => {
  it('the dashboard asks for all that is granted to it, and for nothing else', async () => {
    await using stage = await DashboardStage.open();
    await stage.launch(boat('north', 'erik'));
    await stage.grant('ann', 'north', ['get', 'list', 'watch', 'patch'], 'boats.toy.cutover.dev');
    const ann = await stage.login('ann');
    await expect.poll(async () => (await stage.get('/api/page?id=Boat/north/erik', ann)).status).toBe(200);
    expectBoth(stage.requests.flatMap(askedOf), dashboard, [...core, ...ofToys]);
  });

  it('notifications ask for all that is granted to them, and for nothing else', async () => {
    await using process = await openProcess([boatDefinition as AnyObject]);
    const notifications = openNotifications({
      ...process,
      log: silent,
      families: [toys],
      active: () => true,
      webhooks: [{ url: 'https://hooks.example', events: eventClassNames }],
      post: async () => ({ status: 204 }),
    });
    notifications.begin();
    await process.start();
    notifications.close();
    expectBoth(process.asked, notify, ofToys);
  });

  it('the CF API asks for all that is granted to it, and for nothing that its controllers may not have either', async () => {
    await using process = await openProcess(definitions() as readonly AnyObject[]);
    const { client, clock, random } = process;
    openPlatform(process.caches, { client, clock, random, settings: defaultSettings, log: silent });
    await process.start();
    const credentials = createCredentials({ client, clock, clientFor: () => client });
    await expect(credentials.identify('Bearer nobody', true)).rejects.toThrow();
    await credentials.close();
    // Only a cluster with a metrics server is asked for more than whether it has one.
    const measured = { ...process.transport, request: async () => nothing() };
    const usage = podUsage({ client: new Client(overheard(measured, process.asked), { clock }), clock });
    await usage({ namespace: 'a', process: 'b', appRev: '0' });
    expectBoth(process.asked, cloudfoundryApi, [...core, ...cloudfoundry]);
  });

  it.each(familySources)('what pages of $name look at is granted to its controllers', async ({ name, load }) => {
    const grants = [...core, ...(byFamily[name] ?? [])];
    const looked = (await load()).workloads.flatMap(({ type, beside }) => [type, ...beside]);
    expect(looked.length).toBeGreaterThan(2);
    const asked = looked.map(({ group, plural }) => ({ verb: 'watch', group, resource: plural }));
    const lacking = asked.filter((one) => !isGranted(grants, { ...one, namespace: 'a', name: '' }));
    expect(lacking.map(right)).toEqual([]);
  });
});
