import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../clock/random.ts';
import { Caches } from '../../control/caches.ts';
import { silent } from '../../control/log.ts';
import { createMetrics } from '../../control/metrics.ts';
import { TestServer } from '../../embedded/registry/test-server.ts';
import { Client } from '../../kube/client.ts';
import { kinds } from '../../kube/kinds.ts';
import { notFound } from '../../kube/not-found.fixture.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { apiVersionOf, type ResourceType } from '../../kube/resource-type.ts';
import { crd } from '../../schema/crd.ts';
import type { Kind } from '../../schema/kind.ts';
import { decideBlueGreen } from '../decide/bluegreen/blue-green.ts';
import { savepointObject } from '../decide/bluegreen/savepoint-object.ts';
import { exampleBlueGreen } from '../manifests/blue-green.fixture.ts';
import { childObject } from '../manifests/blue-green-child.ts';
import { activeIngress } from '../manifests/blue-green-ingress.ts';
import {
  type FlinkBlueGreenDeployment,
  type FlinkBlueGreenDeploymentStatus,
  flinkBlueGreenDeployment,
} from '../resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../resources/flink-deployment.ts';
import { flinkStateSnapshot } from '../resources/flink-state-snapshot.ts';
import { concerned, ingressNames, openBlueGreenCaches, sideNames } from './blue-green-caches.ts';
import { blueGreenView } from './blue-green-view.ts';
import type { WatchScope } from './flink-caches.ts';
import { askForSides, missedSides } from './missed-sides.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const operator = () => ({ settings: {}, logFiles: {} });

/** A cluster that holds what tests put into it, and the caches of blue/green over it. */
async function world(scope: WatchScope = { namespaces: [] }, without?: Kind) {
  const server = await TestServer.start();
  const { clock, embedded } = server;
  const client = new Client(embedded.transport(), { clock });
  for (const kind of [flinkBlueGreenDeployment, flinkDeployment, flinkStateSnapshot]) {
    if (kind !== without) await client.resource(kinds.customResourceDefinitions).create({ ...crd(kind) });
  }
  await client.resource(kinds.namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await clock.advance(1_000);
  const options = { client, clock, random: seededRandom(1), log: silent, metrics: createMetrics({ process: false }) };
  const opened = new Caches({ ...options, freeze: true });
  const caches = openBlueGreenCaches(opened, scope);
  const stop = new AbortController();
  opened.start(stop.signal);
  await clock.advance(1_000);
  ends.push(async () => {
    stop.abort();
    await opened.stopped();
    await server.close();
  });
  const put = async (type: ResourceType, object: KubeObject | { metadata: object }): Promise<AnyObject> => {
    const whole = { apiVersion: apiVersionOf(type), kind: type.kind, spec: {}, ...object };
    const { uid: _, resourceVersion: __, generation: ___, ...metadata } = whole.metadata as KubeObject['metadata'];
    const made = await client.resource(type).create({ ...whole, metadata } as AnyObject);
    await clock.advance(10);
    return made;
  };
  const look = (resource: FlinkBlueGreenDeployment, found: Parameters<typeof blueGreenView>[3] = {}) =>
    blueGreenView(
      'shop/counter',
      { object: resource, now: clock.now(), outcomes: {}, signal: stop.signal },
      { caches, operator },
      found,
    );
  return { caches, client, clock, put, look, signal: stop.signal };
}

type Put = Awaited<ReturnType<typeof world>>['put'];

/** What belongs to a resource that is not there is soon gone. */
async function deployed(put: Put, spec: Partial<FlinkBlueGreenDeployment['spec']> = {}) {
  const made = await put(flinkBlueGreenDeployment.type, exampleBlueGreen(spec));
  return made as AnyObject & FlinkBlueGreenDeployment;
}

const other = { name: 'counter-green', namespace: 'shop' };

describe('what is seen of a blue/green deployment', () => {
  it('is nothing when there is nothing', async () => {
    const { look } = await world();
    expect(look(exampleBlueGreen())).toMatchObject({
      sides: { BLUE: undefined, GREEN: undefined },
      namesake: false,
      ingress: undefined,
      preview: undefined,
      snapshots: [],
    });
  });

  it('are its sides, whoever owns them', async () => {
    const { look, put } = await world();
    const resource = await deployed(put);
    const { spec } = resource;
    const child = childObject({ resource, color: 'BLUE', spec, restore: { path: 's3://p' }, id: 'u/1' });
    const blue = await put(flinkDeployment.type, child);
    const green = await put(flinkDeployment.type, { metadata: { ...other, finalizers: ['a/b'] } });
    const { sides, namesake } = look(resource);
    expect(sides.BLUE).toEqual({
      ref: expect.objectContaining({
        name: 'counter-blue',
        uid: blue.metadata.uid,
        resourceVersion: expect.any(String),
      }),
      owners: [resource.metadata.uid],
      id: 'u/1',
      terminating: false,
      terminatingSince: undefined,
      finalizers: [],
      generation: 1,
      labels: { 'flink/blue-green-deployment-type': 'BLUE' },
      annotations: { 'cutover.dev/id': 'u/1' },
      spec: child.spec,
      status: {},
    });
    expect(sides.GREEN).toMatchObject({
      ref: { uid: green.metadata.uid },
      owners: [],
      id: undefined,
      finalizers: ['a/b'],
      spec: {},
    });
    expect(namesake).toBe(false);
  });

  it('tells since when a side is leaving, and that there is a namesake', async () => {
    const { look, put, client, clock } = await world();
    await put(flinkDeployment.type, { metadata: { ...other, finalizers: ['a/b'] } });
    await put(flinkDeployment.type, { metadata: { name: 'counter', namespace: 'shop' } });
    await client.resource(flinkDeployment.type).delete(other);
    await clock.advance(10);
    const { sides, namesake } = look(exampleBlueGreen());
    expect(sides.GREEN).toMatchObject({ terminating: true, terminatingSince: expect.any(Number) });
    expect(Math.abs((sides.GREEN?.terminatingSince ?? 0) - clock.now())).toBeLessThan(2_000);
    expect(namesake).toBe(true);
  });

  it('are its ingresses, with where they lead', async () => {
    const { look, put } = await world();
    const resource = await deployed(put, { ingress: { template: '{{name}}.example.com' } });
    const ingress = activeIngress({ resource, color: 'GREEN', child: {}, operator: operator() });
    await put(kinds.ingresses, ingress ?? expect.fail());
    await put(kinds.ingresses, {
      metadata: { name: 'counter-preview', namespace: 'shop', labels: { component: 'ingress' } },
      spec: {
        defaultBackend: { service: { name: 'a', port: { number: 1 } } },
        rules: [
          {
            http: {
              paths: ['a', 'b'].map((name) => ({
                path: `/${name}`,
                pathType: 'Prefix',
                backend: { service: { name, port: { number: 1 } } },
              })),
            },
          },
          { host: 'c.example.com' },
        ],
      },
    } as unknown as KubeObject);
    const view = look(resource);
    expect(view.ingress).toMatchObject({
      owners: [resource.metadata.uid],
      terminating: false,
      backends: ['counter-green-rest'],
    });
    expect(view.preview).toMatchObject({ owners: [], backends: ['a', 'b'] });
  });

  it('are the savepoints that were taken for this very resource, the oldest first', async () => {
    const { look, put, clock } = await world();
    const resource = exampleBlueGreen();
    const wanted = { child: 'counter-blue', format: 'CANONICAL' } as const;
    const names: string[] = [];
    for (const attempt of [3, 1, 2]) {
      const object = savepointObject({ ...wanted, resource, attempt });
      names.push(object.metadata.name ?? '');
      await put(flinkStateSnapshot.type, object);
      await clock.advance(2_000);
    }
    const before = { ...resource, metadata: { ...resource.metadata, uid: 'uid-0' } };
    await put(flinkStateSnapshot.type, savepointObject({ ...wanted, resource: before, attempt: 1 }));
    const strange = {
      metadata: { name: 'by-hand', namespace: 'shop', labels: { 'cutover.dev/blue-green': 'counter' } },
    };
    await put(flinkStateSnapshot.type, { ...strange, spec: { checkpoint: {} } } as unknown as KubeObject);
    expect(look(resource).snapshots.map(({ metadata }) => metadata.name)).toEqual(names);
  });

  it('has no savepoints where their kind is not installed', async () => {
    const { look } = await world({ namespaces: ['shop'] }, flinkStateSnapshot);
    expect(look(exampleBlueGreen()).snapshots).toEqual([]);
  });

  it('of a resource without a spec is as of an empty one', async () => {
    const { look } = await world();
    const { spec: _, ...bare } = exampleBlueGreen();
    expect(look(bare as FlinkBlueGreenDeployment).resource.spec).toEqual({});
  });
});

describe('a side that the caches do not show', () => {
  const status: FlinkBlueGreenDeploymentStatus = {
    serving: { color: 'BLUE', name: 'counter-blue', uid: 'b', since: 't' },
  };

  it('is missed if it serves, served before, or was seen as a target', async () => {
    const { caches, put } = await world();
    const missed = (status: FlinkBlueGreenDeploymentStatus, metadata = {}) =>
      missedSides({ ...exampleBlueGreen(), metadata: { ...exampleBlueGreen().metadata, ...metadata }, status }, caches);
    const transition = { to: 'GREEN', targetUid: 'g' } as NonNullable<FlinkBlueGreenDeploymentStatus['transition']>;
    expect(missed({})).toEqual([]);
    expect(missed(status)).toEqual(['BLUE']);
    expect(missed({ ...status, transition })).toEqual(['BLUE', 'GREEN']);
    const { targetUid: _, ...unseen } = transition;
    expect(missed({ ...status, transition: unseen })).toEqual(['BLUE']);
    const ahead = { color: 'GREEN', name: 'counter-green', uid: 'g', since: 't' } as const;
    expect(missed({ serving: ahead, transition: { ...transition, from: 'BLUE' } })).toEqual(['BLUE', 'GREEN']);
    expect(missed(status, { deletionTimestamp: 't' })).toEqual([]);
    await put(flinkDeployment.type, { metadata: { name: 'counter-blue', namespace: 'shop' } });
    expect(missed({ ...status, transition })).toEqual(['GREEN']);
  });

  it('is asked for', async () => {
    const { client, put, signal } = await world({ namespaces: [], labelSelector: 'never=there' });
    await put(flinkDeployment.type, { metadata: { name: 'counter-blue', namespace: 'shop' } });
    const found = await askForSides(client, exampleBlueGreen(), ['BLUE', 'GREEN'], signal);
    expect(found).toEqual({ BLUE: expect.objectContaining({ kind: 'FlinkDeployment' }) });
  });

  it.each<[string, WatchScope, boolean | undefined]>([
    ['is unheard of, and looked at again soon', { namespaces: [], labelSelector: 'never=there' }, true],
    ['is heard of once they do', { namespaces: [] }, undefined],
  ])('%s', async (_what, scope, unheard) => {
    const { client, look, put, signal } = await world(scope);
    await put(flinkDeployment.type, { metadata: { name: 'counter-blue', namespace: 'shop' } });
    const resource = exampleBlueGreen();
    const view = look(resource, await askForSides(client, resource, ['BLUE'], signal));
    expect(view.sides.BLUE).toBeDefined();
    expect(view.unheard).toBe(unheard);
    expect(decideBlueGreen(view).wakeAt === view.now + 10_000).toBe(unheard === true);
  });

  it('is not gone because the server does not find its kind', async () => {
    const { signal } = new AbortController();
    const answers = [notFound('counter-blue'), notFound()];
    const get = async () => {
      throw answers.shift();
    };
    const client = { resource: () => ({ get }) } as unknown as Client;
    expect(await askForSides(client, exampleBlueGreen(), ['BLUE'], signal)).toEqual({});
    await expect(askForSides(client, exampleBlueGreen(), ['BLUE'], signal)).rejects.toThrow('does not say');
  });
});

describe('whom an object concerns', () => {
  it('are the resources that there are, by the names that matter to them', async () => {
    const { caches, put } = await world();
    await put(flinkBlueGreenDeployment.type, exampleBlueGreen());
    const of = (name: string, names: typeof sideNames) =>
      concerned(caches, { apiVersion: 'v1', kind: 'X', metadata: { name, namespace: 'shop' } }, names);
    for (const name of ['counter', 'counter-blue', 'counter-green'])
      expect(of(name, sideNames)).toEqual(['shop/counter']);
    for (const name of ['counter', 'counter-preview']) expect(of(name, ingressNames)).toEqual(['shop/counter']);
    for (const name of ['counter-red', 'other-blue', 'counter-blue-blue', 'counter-preview']) {
      expect(of(name, sideNames)).toEqual([]);
    }
    expect(of('counter-blue', ingressNames)).toEqual([]);
  });
});
