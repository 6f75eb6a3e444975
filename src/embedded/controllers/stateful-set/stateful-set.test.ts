import { afterEach, describe, expect, it } from 'vitest';
import type { Pod } from '../../kinds/objects/pod.ts';
import type { ControllerRevision, StatefulSet } from '../../kinds/objects/workload.ts';
import { claims, controllerRevisions, pods, statefulSets } from '../../kinds/resource-types.ts';
import { isReady } from '../pods.ts';
import { TestCluster } from '../test-cluster.ts';

let cluster: TestCluster;

afterEach(() => cluster.stop());

const db = (): StatefulSet => cluster.get<StatefulSet>(statefulSets, 'db');
const names = (): readonly string[] => cluster.pods().map((pod) => pod.metadata.name ?? '');
const images = (): Record<string, string> =>
  Object.fromEntries(cluster.pods().map((pod) => [pod.metadata.name, pod.spec.containers[0]?.image ?? '']));
const ready = (): readonly Pod[] => cluster.pods().filter((pod) => isReady(pod) && !pod.metadata.deletionTimestamp);

async function start(spec: Partial<StatefulSet['spec']> = {}): Promise<void> {
  cluster = new TestCluster();
  const set: StatefulSet = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'default' },
    spec: {
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'db', image: 'db:1' }] } },
      ...spec,
    },
  };
  await cluster.world.create(statefulSets, set);
  await cluster.until('all ready', isDone);
}

function isDone(): boolean {
  const { metadata, spec, status } = db();
  return (
    status?.observedGeneration === metadata.generation &&
    (status?.readyReplicas ?? 0) === spec.replicas &&
    status?.replicas === spec.replicas &&
    status?.currentRevision === status?.updateRevision
  );
}

async function edit(change: (spec: StatefulSet['spec']) => Partial<StatefulSet['spec']>): Promise<void> {
  const now = db();
  await cluster.world.update(statefulSets, { ...now, spec: { ...now.spec, ...change(now.spec) } });
}

const withImage = (image: string) => (spec: StatefulSet['spec']) => ({
  template: { ...spec.template, spec: { ...spec.template.spec, containers: [{ name: 'db', image }] } },
});

describe('a StatefulSet', () => {
  it('starts its pods one after the other, each when the one before is ready', async () => {
    await start({ replicas: 3 });
    expect(names()).toEqual(['db-0', 'db-1', 'db-2']);
    const pod = cluster.get<Pod>(pods, 'db-1');
    expect(pod.spec).toMatchObject({ hostname: 'db-1', subdomain: 'db' });
    expect(pod.metadata.labels).toMatchObject({
      'apps.kubernetes.io/pod-index': '1',
      'controller-revision-hash': db().status?.updateRevision,
      'statefulset.kubernetes.io/pod-name': 'db-1',
    });
    const starts = cluster.pods().map((one) => Date.parse(one.status?.startTime ?? ''));
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(cluster.world.writes.filter((write) => write.startsWith('create pods'))).toEqual([
      'create pods default/db-0',
      'create pods default/db-1',
      'create pods default/db-2',
    ]);
  });

  it('starts all at once in parallel', async () => {
    await start({ replicas: 4, podManagementPolicy: 'Parallel' });
    const made = new Set(cluster.pods().map((pod) => pod.metadata.creationTimestamp));
    const begun = cluster.pods().map((pod) => pod.status?.startTime ?? '');
    expect(made.size).toBe(1);
    expect(new Set(begun).size).toBe(1);
  });

  it('rolls from the highest number down, one at a time', async () => {
    await start({ replicas: 3 });
    await edit(withImage('db:2'));
    const order: string[] = [];
    await cluster.until('rolled', () => {
      expect(ready().length).toBeGreaterThanOrEqual(2);
      for (const [name, image] of Object.entries(images())) {
        if (image === 'db:2' && !order.includes(name)) order.push(name);
      }
      return isDone();
    });
    expect(order).toEqual(['db-2', 'db-1', 'db-0']);
    expect(db().status).toMatchObject({ currentReplicas: 3, updatedReplicas: 3 });
  });

  it('leaves pods below the partition at the old revision, also when they are made anew', async () => {
    await start({ replicas: 3 });
    await edit((spec) => ({
      ...withImage('db:2')(spec),
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
    }));
    await cluster.run(60_000);
    expect(images()).toEqual({ 'db-0': 'db:1', 'db-1': 'db:1', 'db-2': 'db:2' });
    expect(db().status).toMatchObject({ currentReplicas: 2, updatedReplicas: 1 });
    expect(db().status?.currentRevision).not.toBe(db().status?.updateRevision);
    await cluster.world.remove(pods, cluster.get<Pod>(pods, 'db-0'));
    await cluster.run(60_000);
    expect(images()['db-0']).toBe('db:1');
    await edit(() => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } }));
    await cluster.until('rolled', isDone);
    expect(new Set(Object.values(images()))).toEqual(new Set(['db:2']));
  });

  it('replaces as many at once as may be unavailable', async () => {
    await start({
      replicas: 5,
      podManagementPolicy: 'Parallel',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } },
    });
    await edit(withImage('db:2'));
    let fewest = 5;
    await cluster.until('rolled', () => {
      fewest = Math.min(fewest, ready().length);
      return isDone();
    });
    expect(fewest).toBe(3);
  });

  it('touches nothing with OnDelete until someone deletes a pod', async () => {
    await start({ replicas: 2, updateStrategy: { type: 'OnDelete' } });
    await edit(withImage('db:2'));
    await cluster.run(60_000);
    expect(images()).toEqual({ 'db-0': 'db:1', 'db-1': 'db:1' });
    await cluster.world.remove(pods, cluster.get<Pod>(pods, 'db-0'));
    await cluster.run(60_000);
    expect(images()).toEqual({ 'db-0': 'db:2', 'db-1': 'db:1' });
  });

  it('scales down from the highest number and keeps the claims', async () => {
    await start({
      replicas: 3,
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    });
    expect(cluster.world.list(claims).map((claim) => claim.metadata.name)).toEqual([
      'data-db-0',
      'data-db-1',
      'data-db-2',
    ]);
    expect(cluster.get<Pod>(pods, 'db-2').spec.volumes?.[0]).toEqual({
      name: 'data',
      persistentVolumeClaim: { claimName: 'data-db-2' },
    });
    await edit(() => ({ replicas: 1 }));
    await cluster.until('scaled', () => cluster.pods().length === 1);
    expect(names()).toEqual(['db-0']);
    expect(cluster.world.list(claims)).toHaveLength(3);
    const deletions = cluster.world.writes.filter((write) => write.startsWith('delete pods'));
    expect(deletions.map((write) => write.split('/')[1])).toEqual(['db-2', 'db-2', 'db-1', 'db-1']);
  });

  it('deletes claims with scaled-down pods when its retention policy says so', async () => {
    await start({
      replicas: 2,
      persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Retain' },
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    });
    await edit(() => ({ replicas: 1 }));
    await cluster.until('the claim is gone', () => cluster.world.list(claims).length === 1);
    expect(cluster.world.list(claims)[0]?.metadata.name).toBe('data-db-0');
  });

  it('numbers its pods from ordinals.start on', async () => {
    await start({ replicas: 2, ordinals: { start: 5 } });
    expect(names()).toEqual(['db-5', 'db-6']);
  });

  it('returns to an old revision under a higher number when the template becomes the old one again', async () => {
    await start({ replicas: 1 });
    const first = db().status?.currentRevision;
    await edit(withImage('db:2'));
    await cluster.until('rolled forward', isDone);
    await edit(withImage('db:1'));
    await cluster.until('rolled back', isDone);
    expect(db().status?.currentRevision).toBe(first);
    const revisions = cluster.world.list<ControllerRevision>(controllerRevisions);
    expect(revisions.map((one) => one.revision).toSorted()).toEqual([2, 3]);
  });

  it('stays where it is while a pod of the new revision is broken, as Kubernetes does', async () => {
    await start({ replicas: 3 });
    await edit((spec) => ({
      template: {
        ...spec.template,
        metadata: { ...spec.template.metadata, annotations: { 'embedded.cutover.dev/fail': 'never-ready' } },
      },
    }));
    await cluster.run(600_000);
    expect(ready().map((pod) => pod.metadata.name)).toEqual(['db-0', 'db-1']);
  });

  it('writes nothing when nothing changed', async () => {
    await start({ replicas: 2 });
    await cluster.run(5000);
    const before = cluster.world.writes.length;
    await cluster.run(3_600_000);
    expect(cluster.world.writes.slice(before)).toEqual([]);
  });
});

describe('a StatefulSet that is deleted in the foreground', () => {
  it('goes after its pods and revisions, and makes none anew', async () => {
    await start({ replicas: 2 });
    await cluster.world.remove(statefulSets, db(), { propagation: 'Foreground' });
    await cluster.until('gone', () => cluster.world.get(statefulSets, 'default', 'db') === undefined);
    expect(cluster.pods()).toEqual([]);
    expect(cluster.world.list(controllerRevisions)).toEqual([]);
    expect(cluster.world.writes.filter((write) => write.startsWith('create controllerrevisions'))).toHaveLength(1);
  });
});
