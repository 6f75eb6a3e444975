import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../clock/random.ts';
import { Caches, type Change } from '../../control/caches.ts';
import { silent } from '../../control/log.ts';
import { createMetrics } from '../../control/metrics.ts';
import { TestServer } from '../../embedded/registry/test-server.ts';
import { Client } from '../../kube/client.ts';
import { kinds } from '../../kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { definitions } from '../family.ts';
import type { FlinkRest } from '../ports/flink-rest.ts';
import { Follower } from '../ports/follower.ts';
import { type FlinkDeployment, flinkDeployment } from '../resources/flink-deployment.ts';
import { type FlinkSessionJob, flinkSessionJob } from '../resources/flink-session-job.ts';
import { type FlinkStateSnapshot, flinkStateSnapshot } from '../resources/flink-state-snapshot.ts';
import { openFlinkCaches, type WatchScope } from './flink-caches.ts';
import type { ConfigMap, Deployment, Pod } from './kube-shapes.ts';
import type { Found } from './missed.ts';
import { MountTrouble } from './mount-trouble.ts';
import { deploymentView, sessionJobView, snapshotView } from './views.ts';

const nobody = new Proxy({} as FlinkRest, { get: () => () => new Promise(() => {}) });
const labels = { app: 'orders', type: 'flink-native-kubernetes' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'flink-main-container', image: 'flink:2.3' }] } };

/** A cluster that holds what tests put into it, and the caches of the Flink family over it. */
async function world(scope: WatchScope = { namespaces: [] }, without: readonly string[] = []) {
  const server = await TestServer.start();
  const { clock, embedded } = server;
  const client = new Client(embedded.transport(), { clock });
  for (const definition of definitions()) {
    if (!without.includes(definition.metadata.name ?? ''))
      await client.resource(kinds.customResourceDefinitions).create(definition);
  }
  for (const name of ['a', 'b']) await client.resource(kinds.namespaces).create(named(kinds.namespaces, name));
  await clock.advance(1_000);
  const options = { client, clock, random: seededRandom(1), log: silent, metrics: createMetrics({ process: false }) };
  const opened = new Caches({ ...options, freeze: true });
  const caches = openFlinkCaches(opened, scope);
  const stop = new AbortController();
  opened.start(stop.signal);
  await clock.advance(1_000);
  const follower = new Follower({ rest: nobody, clock, random: seededRandom(1) });
  const mounts = new MountTrouble({ client, clock });
  const operator = () => ({ settings: { 'rest.port': '9999' }, logFiles: {} });
  const glance = <T extends KubeObject>(object: T | undefined) => {
    if (!object) throw new Error('it is not there');
    return { object, now: clock.now(), outcomes: {}, signal: stop.signal };
  };
  const sources = { caches, operator, following: follower.of('x'), mounts };
  const put = async (type: ResourceType, name: string, more: object = {}): Promise<AnyObject> => {
    const made = await client.resource(type).create(named(type, name, more));
    await clock.advance(10);
    return made;
  };
  const end = async (): Promise<void> => {
    stop.abort();
    await opened.stopped();
    await server.close();
  };
  return { clock, client, caches, sources, glance, put, end };
}

function named(type: ResourceType, name: string, { metadata, ...rest }: { metadata?: object } = {}): AnyObject {
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  return {
    apiVersion,
    kind: type.kind,
    metadata: { name, ...(type.namespaced && { namespace: 'a' }), ...metadata },
    ...rest,
  };
}

describe('what is seen of a cluster', () => {
  it('is all that belongs to it, by name and label', async () => {
    const { caches, sources, glance, put, end } = await world();
    const resource = await put(flinkDeployment.type, 'orders', { spec: {} });
    const owner = {
      apiVersion: 'flink.apache.org/v1beta1',
      kind: 'FlinkDeployment',
      name: 'orders',
      uid: resource.metadata.uid,
    };
    const spec = { replicas: 0, selector: { matchLabels: labels }, template };
    const annotations = { 'flinkdeployment.flink.apache.org/generation': '7', 'cutover.dev/id': 'u-1' };
    const made = await put(kinds.deployments, 'orders', {
      metadata: { labels, annotations, ownerReferences: [owner] },
      spec,
    });
    await put(kinds.deployments, 'orders-taskmanager', { metadata: { labels }, spec });
    await put(kinds.deployments, 'other', { spec: { ...spec, selector: { matchLabels: labels } } });
    const pod = { metadata: { labels: { ...labels, component: 'jobmanager' } }, spec: template.spec };
    await put(kinds.pods, 'orders-1', pod);
    await put(kinds.pods, 'orders-taskmanager-1-1', {
      ...pod,
      metadata: { labels: { ...labels, component: 'taskmanager' } },
    });
    await put(kinds.services, 'orders-rest', { metadata: { labels }, spec: { ports: [{ port: 8081 }] } });
    await put(kinds.configMaps, 'flink-config-orders', { metadata: { labels } });
    await put(kinds.configMaps, 'orders-cluster-config-map', { metadata: { labels } });
    await put(kinds.configMaps, 'pod-template-orders');
    const view = deploymentView('a/orders', glance(caches.deployments.get('a/orders')), sources);
    expect(view.cluster.jobManager).toMatchObject({
      ref: { name: 'orders', uid: made.metadata.uid, resourceVersion: expect.any(String) },
      owners: [resource.metadata.uid],
      id: 'u-1',
      generation: 7,
      terminating: false,
      replicas: 0,
      available: 0,
    });
    expect(view.cluster.taskManager).toMatchObject({ generation: undefined, owners: [] });
    expect(view.cluster.pods.map(({ ref }) => ref.name)).toEqual(['orders-1']);
    expect(Object.keys(view.cluster.dependents).sort()).toEqual([
      'ConfigMap/flink-config-orders',
      'Service/orders-rest',
    ]);
    expect(view.cluster.ha.configMaps.map(({ name }) => name)).toEqual(['orders-cluster-config-map']);
    expect(view.rest).toMatchObject({ asked: false, jobs: undefined });
    expect(view.snapshots).toEqual({ installed: true, items: [] });
    await end();
  });

  it('is unheard of where only the server showed it', async () => {
    const { caches, sources, glance, put, end } = await world();
    await put(flinkDeployment.type, 'orders', { spec: {} });
    const spec = { replicas: 0, selector: { matchLabels: labels }, template };
    const unlabelled = (await put(kinds.deployments, 'orders', { spec })) as Deployment;
    const shown: ConfigMap = await put(kinds.configMaps, 'orders-x-config-map', { metadata: { labels } });
    const hidden = { ...shown, metadata: { ...shown.metadata, uid: 'hidden' } };
    const unheard = (found?: Found) =>
      deploymentView('a/orders', glance(caches.deployments.get('a/orders')), sources, found).cluster.unheard;
    expect(unheard()).toBeUndefined();
    expect(unheard({ configMaps: [shown] })).toBeUndefined();
    expect(unheard({ configMaps: [] })).toBeUndefined();
    expect(unheard({ configMaps: [{ ...shown, data: { 'jobGraph-a': '' } }] })).toBe(true);
    expect(unheard({ configMaps: [shown, hidden] })).toBe(true);
    expect(unheard({ jobManager: unlabelled })).toBe(true);
    const pod = (await put(kinds.pods, 'orders-1', {
      metadata: { labels: { ...labels, component: 'jobmanager' } },
      spec: template.spec,
    })) as Pod;
    const other = { ...pod, metadata: { ...pod.metadata, name: 'orders-2', uid: 'other' } };
    expect(unheard({ pods: [] })).toBeUndefined();
    expect(unheard({ pods: [pod] })).toBeUndefined();
    expect(unheard({ pods: [pod, other] })).toBe(true);
    const view = deploymentView('a/orders', glance(caches.deployments.get('a/orders')), sources, { pods: [other] });
    expect(view.cluster.pods.map(({ ref }) => ref.name)).toEqual(['orders-1', 'orders-2']);
    const ready = { ...other, status: { conditions: [{ type: 'Ready', status: 'True' }] } } as Pod;
    const found = { pods: [ready] };
    const asking = deploymentView('a/orders', glance(caches.deployments.get('a/orders')), sources, found);
    expect(asking.cluster.pods.some((one) => one.ready)).toBe(true);
    expect(asking.rest.asked).toBe(false);
    await end();
  });

  it('knows the jobs of a session, and of a job its session and its snapshots', async () => {
    const { clock, client, caches, sources, glance, put, end } = await world();
    await put(flinkDeployment.type, 'orders', { spec: {} });
    const made = await put(flinkSessionJob.type, 'job', { spec: { deploymentName: 'orders', job: {} } });
    const jobId = 'a'.repeat(32);
    await client.resource(flinkSessionJob.type).status.update({ ...made, status: { jobStatus: { jobId } } });
    await clock.advance(10);
    await put(flinkSessionJob.type, 'elsewhere', { spec: { deploymentName: 'others', job: {} } });
    const savepoint = { alreadyExists: true, path: 's3://s' };
    const of = (kind: string, name: string) => ({ spec: { jobReference: { kind, name }, savepoint } });
    await put(flinkStateSnapshot.type, 'mine', of('FlinkSessionJob', 'job'));
    await put(flinkStateSnapshot.type, 'theirs', of('FlinkDeployment', 'job'));
    await put(flinkStateSnapshot.type, 'whole', of('FlinkDeployment', 'orders'));
    await put(flinkStateSnapshot.type, 'nobodys', { spec: { savepoint } });

    const session = deploymentView('a/orders', glance(caches.deployments.get('a/orders')), sources);
    expect(session.sessionJobs).toEqual([{ name: 'job', deleting: false, jobId }]);
    expect(session.snapshots.items.map(({ metadata }) => metadata.name)).toEqual(['whole']);
    const job = sessionJobView('a/job', glance(caches.sessionJobs.get('a/job')), sources);
    expect(job.session?.metadata.name).toBe('orders');
    expect(job.snapshots.items.map(({ metadata }) => metadata.name)).toEqual(['mine']);
    const lost = sessionJobView('a/elsewhere', glance(caches.sessionJobs.get('a/elsewhere')), sources);
    expect(lost).toMatchObject({ session: undefined, rest: { asked: false } });

    const seen = (name: string) => snapshotView(`a/${name}`, glance(caches.snapshots.get(`a/${name}`)), sources);
    expect(seen('mine')).toMatchObject({ job: { kind: 'FlinkSessionJob' }, session: { metadata: { name: 'orders' } } });
    expect(seen('whole').job).toBe(seen('whole').session);
    expect(seen('theirs')).toMatchObject({ job: undefined, session: undefined });
    expect(seen('nobodys')).toMatchObject({ job: undefined, session: undefined });
    await end();
  });

  it('takes a resource without a spec, which another definition allowed, for one with an empty spec', async () => {
    const { sources, glance, end } = await world();
    const metadata = { namespace: 'a', uid: 'u', resourceVersion: '1' };
    const bare = <T extends KubeObject>(type: ResourceType) => glance(named(type, 'x', { metadata }) as unknown as T);
    expect(deploymentView('a/x', bare<FlinkDeployment>(flinkDeployment.type), sources).resource.spec).toEqual({});
    expect(sessionJobView('a/x', bare<FlinkSessionJob>(flinkSessionJob.type), sources).session).toBeUndefined();
    expect(snapshotView('a/x', bare<FlinkStateSnapshot>(flinkStateSnapshot.type), sources).job).toBeUndefined();
    await end();
  });

  it('says that snapshots are not installed where they are not', async () => {
    const { caches, sources, glance, put, end } = await world({ namespaces: [] }, [
      'flinkstatesnapshots.flink.apache.org',
    ]);
    await put(flinkDeployment.type, 'orders', { spec: {} });
    const view = deploymentView('a/orders', glance(caches.deployments.get('a/orders')), sources);
    expect(view.snapshots).toEqual({ installed: false, items: [] });
    await end();
  });

  it('is of the watched namespaces only, as if they were one', async () => {
    const { clock, client, caches, put, end } = await world({ namespaces: ['a', 'b'], labelSelector: 'team=x' });
    const [metadata, spec] = [{ labels: { team: 'x' } }, {}];
    const told: string[] = [];
    const stop = caches.deployments.changes(({ key }) => told.push(key));
    await put(flinkDeployment.type, 'one', { metadata, spec });
    await put(flinkDeployment.type, 'two', { metadata: { ...metadata, namespace: 'b' }, spec });
    await put(flinkDeployment.type, 'three', { metadata: { ...metadata, namespace: 'default' }, spec });
    await put(flinkDeployment.type, 'four', { spec });
    expect(told).toEqual(['a/one', 'b/two']);
    expect([...caches.deployments.all()].map(({ metadata }) => metadata.name)).toEqual(['one', 'two']);
    expect(caches.deployments.get('b/two')).toBeDefined();
    expect(caches.deployments.get('default/three')).toBeUndefined();
    stop();
    await client.resource(flinkDeployment.type).delete({ namespace: 'a', name: 'one' });
    await clock.advance(10);
    expect(told).toHaveLength(2);
    expect(caches.deployments.get('a/one')).toBeUndefined();
    expect(caches.deployments.trouble).toBeUndefined();
    await end();
  });

  it('changes when metadata for recovery comes, gets its first checkpoint, names other jobs or goes, not when Flink renews it', async () => {
    const { clock, client, caches, put, end } = await world();
    const told: Change<KubeObject>[] = [];
    caches.configMaps.changes((change) => told.push(change));
    const map = client.resource(kinds.configMaps);
    const at = { namespace: 'a', name: 'orders-x-config-map' };
    const patch = async (body: object): Promise<void> => {
      await map.patch(at, { type: 'merge', body });
      await clock.advance(10);
    };
    await put(kinds.configMaps, at.name, { metadata: { labels }, data: { counter: '1' } });
    expect(told).toHaveLength(1);
    for (let renewal = 0; renewal < 5; renewal++) {
      await patch({ metadata: { annotations: { 'control-plane.alpha.kubernetes.io/leader': `${renewal}` } } });
      await patch({ data: { counter: `${renewal + 2}` } });
    }
    expect(told).toHaveLength(1);
    await patch({ data: { 'checkpointID-1': 'x' } });
    expect(told).toHaveLength(2);
    await patch({ data: { 'checkpointID-2': 'x' } });
    expect(told).toHaveLength(2);
    await patch({ data: { 'jobGraph-y': 'x' } });
    await patch({ data: { 'jobGraph-y': null } });
    expect(told).toHaveLength(4);
    await map.delete(at);
    await clock.advance(10);
    expect(told).toHaveLength(5);
    await end();
  });
});
