import { afterEach, describe, expect, it } from 'vitest';
import type { Deployment, ReplicaSet } from '../../kinds/objects/workload.ts';
import { deployments, replicaSets } from '../../kinds/resource-types.ts';
import { forbidden } from '../../status-error.ts';
import { conditionOf } from '../condition.ts';
import { isAvailable } from '../pods.ts';
import { aDeployment, TestCluster } from '../test-cluster.ts';

let cluster: TestCluster;

afterEach(() => cluster.stop());

async function rolledOut(spec: Partial<Deployment['spec']> = {}, seed = 1): Promise<Deployment> {
  cluster = new TestCluster(seed);
  await cluster.world.create(deployments, aDeployment('web', spec));
  await cluster.until('the first rollout is complete', () => isDone());
  await cluster.run(5000);
  return web();
}

const web = (): Deployment => cluster.get<Deployment>(deployments, 'web');

function isDone(): boolean {
  const { metadata, spec, status = {} } = web();
  const wanted = spec.replicas ?? 1;
  return (
    status.observedGeneration === metadata.generation &&
    (status.updatedReplicas ?? 0) === wanted &&
    (status.availableReplicas ?? 0) === wanted &&
    (status.replicas ?? 0) === wanted
  );
}

async function edit(change: (spec: Deployment['spec']) => Partial<Deployment['spec']>): Promise<void> {
  const now = web();
  await cluster.world.update(deployments, { ...now, spec: { ...now.spec, ...change(now.spec) } });
}

const withImage = (image: string) => (spec: Deployment['spec']) => ({
  template: { ...spec.template, spec: { ...spec.template.spec, containers: [{ name: 'web', image }] } },
});

const sets = (): readonly ReplicaSet[] => cluster.world.list<ReplicaSet>(replicaSets, { namespace: 'default' });
const revisions = (): Record<string, number> =>
  Object.fromEntries(
    sets().map((set) => [
      set.metadata.annotations?.['deployment.kubernetes.io/revision'] ?? '',
      set.spec.replicas ?? 0,
    ]),
  );
const available = (): number =>
  cluster.pods().filter((pod) => !pod.metadata.deletionTimestamp && isAvailable(pod, 0, cluster.world.clock.now()))
    .length;

describe('a deployment whose pods are refused', () => {
  it('tries with growing pauses, although each refusal names another pod, and goes on when they are taken', async () => {
    cluster = new TestCluster();
    let attempts = 0;
    cluster.world.beforeWrite = (write) => {
      const name = /^create pods default\/(.*)$/.exec(write)?.[1];
      if (name === undefined) return;
      attempts++;
      throw forbidden({ group: '', plural: 'pods', name }, 'exceeded quota');
    };
    await cluster.world.create(deployments, aDeployment('web', { replicas: 2 }));
    await cluster.run(600_000);
    expect(attempts).toBeGreaterThan(5);
    expect(attempts).toBeLessThan(50);
    expect(conditionOf(web().status?.conditions, 'ReplicaFailure')?.message).toMatch(/^pods "web-.*exceeded quota$/);
    cluster.world.beforeWrite = () => {};
    await cluster.until('it is complete', isDone);
    expect(conditionOf(web().status?.conditions, 'ReplicaFailure')).toBeUndefined();
  });
});

describe('a Deployment', () => {
  it('runs its pods through one ReplicaSet and says so', async () => {
    const done = await rolledOut({ replicas: 3 });
    expect(cluster.pods()).toHaveLength(3);
    expect(new Set(cluster.pods().map((pod) => pod.spec.nodeName)).size).toBe(3);
    expect(done.metadata.annotations).toEqual({ 'deployment.kubernetes.io/revision': '1' });
    expect(done.status).toMatchObject({ replicas: 3, readyReplicas: 3, availableReplicas: 3, updatedReplicas: 3 });
    expect(done.status?.unavailableReplicas).toBeUndefined();
    expect(conditionOf(done.status?.conditions, 'Available')).toMatchObject({
      status: 'True',
      reason: 'MinimumReplicasAvailable',
    });
    expect(conditionOf(done.status?.conditions, 'Progressing')).toMatchObject({
      status: 'True',
      reason: 'NewReplicaSetAvailable',
      message: `ReplicaSet "${sets()[0]?.metadata.name}" has successfully progressed.`,
    });
  });

  it('writes nothing when nothing changed', async () => {
    await rolledOut({ replicas: 2 });
    const before = cluster.world.writes.length;
    await cluster.run(24 * 3_600_000);
    expect(cluster.world.writes.slice(before)).toEqual([]);
    expect(cluster.world.clock.untilNext).toBeUndefined();
  });

  it.each([
    ['25%', '25%', 4],
    [1, 0, 3],
    [0, 1, 3],
    ['50%', '50%', 5],
    ['100%', '100%', 4],
  ] as const)(
    'rolls with maxSurge %s and maxUnavailable %s without leaving its bounds',
    async (maxSurge, maxUnavailable, replicas) => {
      await rolledOut({ replicas, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } });
      await edit(withImage('web:2'));
      const share = (value: string | number, up: boolean): number =>
        typeof value === 'number'
          ? value
          : (up ? Math.ceil : Math.floor)((Number.parseInt(value, 10) * replicas) / 100);
      const [least, most] = [replicas - share(maxUnavailable, false), replicas + share(maxSurge, true)];
      let steps = 0;
      await cluster.until('the second rollout is complete', () => {
        steps += 1;
        expect(available()).toBeGreaterThanOrEqual(least);
        expect(cluster.pods().filter((pod) => !pod.metadata.deletionTimestamp).length).toBeLessThanOrEqual(most);
        return isDone() && cluster.pods().length === replicas;
      });
      expect(steps).toBeGreaterThan(5);
      expect(revisions()).toEqual({ 1: 0, 2: replicas });
      expect(cluster.pods().every((pod) => pod.spec.containers[0]?.image === 'web:2')).toBe(true);
    },
  );

  it('goes back to an old ReplicaSet when the template becomes the old one again, under a new revision', async () => {
    await rolledOut({ replicas: 2 });
    const first = sets()[0]?.metadata.name;
    await edit(withImage('web:2'));
    await cluster.until('rolled forward', isDone);
    await edit(withImage('web:1'));
    await cluster.until('rolled back', isDone);
    expect(sets()).toHaveLength(2);
    expect(revisions()).toEqual({ 2: 0, 3: 2 });
    expect(sets().find((set) => set.metadata.name === first)?.metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '3',
      'deployment.kubernetes.io/revision-history': '1',
    });
    expect(web().metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('3');
  });

  it('recreates: the last old pod is gone before the first new one comes', async () => {
    await rolledOut({ replicas: 3, strategy: { type: 'Recreate' } });
    await edit(withImage('web:2'));
    await cluster.until('recreated', () => {
      expect(new Set(cluster.pods().map((pod) => pod.spec.containers[0]?.image)).size).toBeLessThanOrEqual(1);
      return isDone();
    });
    expect(revisions()).toEqual({ 1: 0, 2: 3 });
  });

  it('keeps the old pods serving while the new ones never become ready, and says it is stuck', async () => {
    await rolledOut({ replicas: 4, progressDeadlineSeconds: 60 });
    await edit((spec) => ({
      template: {
        ...spec.template,
        metadata: { ...spec.template.metadata, annotations: { 'embedded.cutover.dev/fail': 'never-ready' } },
      },
    }));
    await cluster.until('it says so', () => conditionOf(web().status?.conditions, 'Progressing')?.status === 'False');
    expect(conditionOf(web().status?.conditions, 'Progressing')).toMatchObject({ reason: 'ProgressDeadlineExceeded' });
    expect(available()).toBe(3);
    await edit((spec) => ({ template: { ...spec.template, metadata: { labels: { app: 'web' } } } }));
    await cluster.until('repaired', isDone);
    expect(conditionOf(web().status?.conditions, 'Progressing')?.status).toBe('True');
  });

  it('does not roll while it is paused, and does when it is resumed', async () => {
    await rolledOut({ replicas: 2 });
    await edit(() => ({ paused: true }));
    await edit(withImage('web:2'));
    await cluster.run(60_000);
    expect(revisions()).toEqual({ 1: 2 });
    expect(conditionOf(web().status?.conditions, 'Progressing')?.reason).toBe('DeploymentPaused');
    await edit(() => ({ replicas: 3 }));
    await cluster.run(60_000);
    expect(revisions()).toEqual({ 1: 3 });
    await edit(() => ({ paused: false }));
    await cluster.until('rolled out', isDone);
    expect(revisions()).toEqual({ 1: 0, 2: 3 });
  });

  it('forgets revisions beyond its history limit', async () => {
    await rolledOut({ replicas: 1, revisionHistoryLimit: 2 });
    for (const image of ['web:2', 'web:3', 'web:4', 'web:5']) {
      await edit(withImage(image));
      await cluster.until(image, isDone);
    }
    await cluster.run(5000);
    expect(Object.keys(revisions())).toEqual(['3', '4', '5']);
  });

  it('waits for minReadySeconds before it counts a pod as available', async () => {
    cluster = new TestCluster();
    await cluster.world.create(deployments, aDeployment('web', { replicas: 1, minReadySeconds: 30 }));
    await cluster.until('ready', () => web().status?.readyReplicas === 1);
    expect(web().status?.availableReplicas).toBeUndefined();
    const ready = cluster.world.clock.now();
    await cluster.until('available', () => web().status?.availableReplicas === 1);
    expect(cluster.world.clock.now() - ready).toBeGreaterThanOrEqual(29_000);
  });

  it('adopts a ReplicaSet that its selector matches', async () => {
    await rolledOut({ replicas: 1 });
    const [set] = sets();
    if (!set) throw new Error('no ReplicaSet');
    const { ownerReferences, ...metadata } = set.metadata;
    await cluster.world.update(replicaSets, { ...set, metadata });
    await cluster.run(1000);
    expect(sets()[0]?.metadata.ownerReferences?.[0]).toMatchObject({
      kind: 'Deployment',
      name: 'web',
      controller: true,
    });
  });
});
