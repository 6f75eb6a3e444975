import { setTimeout as delay } from 'node:timers/promises';
import { labels } from '../../src/cloudfoundry/keys.ts';
import type { StatefulSet } from '../../src/cloudfoundry/observe/kube-shapes.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { type BenchmarkOptions, median, type Row, ratioRow } from '../benchmark.ts';
import type { Wire } from './wire.ts';
import type { World } from './world.ts';

const app = 'rolling';
const copies = 'copies';
const lookEveryMs = 20;

interface RollingSizes extends Pick<BenchmarkOptions, 'progress'> {
  readonly instances: number;
  readonly rounds: number;
}

/**
 * A rolling restart from the request until the deployment says DEPLOYED, against what `kubectl rollout restart` does to a copy
 * of the same StatefulSet: the same template (so the same sleep before the end, and the same grace), the same policy, one
 * instance at a time. The copy is where the operator does not look. It loses an instance while it rolls, and ours does not:
 * ours starts one more and ends it again, which is part of what it takes.
 */
export async function measureRolling(
  { world, cf, space }: { readonly world: World; readonly cf: Wire; readonly space: string },
  { instances, rounds, progress }: RollingSizes,
): Promise<Row> {
  await world.push(space, [app]);
  await world.scale(space, app, instances);
  await world.until('all instances', async () => (await setOf(world, space))?.status?.readyReplicas === instances);
  await deploy(world, cf);
  const copy = await makeCopy(world, space, instances);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    await delay(1_000);
    ours.push(await deploy(world, cf));
    await delay(1_000);
    theirs.push(await restart(world, copy, instances));
    progress(`round ${round}: ours ${ours.at(-1)?.toFixed(2)} s, kubectl's way ${theirs.at(-1)?.toFixed(2)} s`);
  }
  const ratio = median(ours.map((seconds, at) => seconds / (theirs[at] ?? Number.NaN)));
  const figure = { metric: `rolling restart of ${instances} instances`, unit: 's', ours: median(ours) };
  return ratioRow(figure, { name: 'kubectl rollout restart', value: median(theirs), ratio }, { most: 1.2 });
}

interface Deployment {
  readonly guid: string;
  readonly status: { readonly value: string; readonly reason: string };
}

/** Seconds until the deployment is through. */
async function deploy(world: World, cf: Wire): Promise<number> {
  const began = performance.now();
  const relationships = { app: { data: { guid: app } } };
  const { guid } = await cf.send<Deployment>('POST', '/v3/deployments', { strategy: 'rolling', relationships });
  await world.until('the deployment', async () => {
    const { status } = await cf.get<Deployment>(`/v3/deployments/${guid}`);
    if (status.value === 'FINALIZED' && status.reason !== 'DEPLOYED') throw new Error(`it ended as ${status.reason}`);
    return status.reason === 'DEPLOYED';
  });
  return (performance.now() - began) / 1000;
}

async function setOf(world: World, space: string): Promise<StatefulSet | undefined> {
  const labelSelector = { matchLabels: { [labels.appGuid]: app } };
  const { items } = await world.client
    .resource<StatefulSet>(kinds.statefulSets)
    .list({ namespace: space, labelSelector });
  return items[0];
}

/** The StatefulSet as the runner leaves it after a roll, under another name. Resolves with that when all its pods are ready. */
async function makeCopy(world: World, space: string, instances: number): Promise<string> {
  const { client } = world;
  const create = { apiVersion: 'v1', metadata: { name: copies } };
  await client.resource(kinds.namespaces).create({ ...create, kind: 'Namespace' });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'korifi-app', namespace: copies } };
  await client.resource(kinds.serviceAccounts).create(account);
  const set = await setOf(world, space);
  if (!set) throw new Error('the app has no StatefulSet');
  const { name = '', labels: own = {}, annotations = {} } = set.metadata;
  await client.resource<AnyObject>(kinds.statefulSets).create({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, namespace: copies, labels: own, annotations },
    spec: set.spec,
  } as AnyObject);
  await world.until('the copy', async () => (await read(world, name)).status?.readyReplicas === instances);
  return name;
}

type WholeSet = AnyObject & {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
  };
};

function read(world: World, name: string): Promise<WholeSet> {
  return world.client.resource<WholeSet>(kinds.statefulSets).get({ namespace: copies, name });
}

/** Writes what `kubectl rollout restart` writes, and waits for what `kubectl rollout status` waits for. Seconds. */
async function restart(world: World, name: string, instances: number): Promise<number> {
  const began = performance.now();
  const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date().toISOString() };
  const body = { spec: { template: { metadata: { annotations } } } };
  const { metadata } = await world.client
    .resource<AnyObject>(kinds.statefulSets)
    .patch({ namespace: copies, name }, { type: 'strategic', body });
  for (;;) {
    const { status = {} } = await read(world, name);
    const seen = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
    const all = status.updatedReplicas === instances && status.readyReplicas === instances;
    if (seen && all && status.currentRevision === status.updateRevision) break;
    await delay(lookEveryMs);
  }
  return (performance.now() - began) / 1000;
}
