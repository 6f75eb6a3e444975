import { describe, expect, it } from 'vitest';
import { type Any, eventually } from './api.ts';
import { deployment, statefulSet } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();
const apps = (resource: string, ...rest: string[]): string => server().group('apps/v1', resource, ...rest);
const image = (tag: string): object => ({
  spec: { template: { spec: { containers: [{ name: 'main', image: `nginx:${tag}` }] } } },
});

async function pods(app: string): Promise<Any[]> {
  const { api, core } = server();
  const { items } = await api.must('GET', `${core('pods')}?labelSelector=app%3D${app}`);
  return items.filter((pod: Any) => !pod.metadata.deletionTimestamp);
}

const imageOf = (pod: Any): string => pod.spec.containers[0].image;
const isReady = (pod: Any): boolean =>
  pod.status.conditions?.some((one: Any) => one.type === 'Ready' && one.status === 'True') ?? false;

/** Waits until the controller has seen the newest spec and every replica is of it, ready, and nothing else is left. */
async function rolledOut(resource: string, name: string): Promise<Any> {
  const { api } = server();
  return eventually(async () => {
    const { metadata, spec, status } = await api.must('GET', apps(resource, name));
    expect({ ...status, observedGeneration: status.observedGeneration }).toMatchObject({
      observedGeneration: metadata.generation,
      replicas: spec.replicas,
      updatedReplicas: spec.replicas,
      readyReplicas: spec.replicas,
      availableReplicas: spec.replicas,
    });
    return { metadata, spec, status };
  });
}

async function replicaSets(app: string): Promise<Any[]> {
  const { items } = await server().api.must('GET', `${apps('replicasets')}?labelSelector=app%3D${app}`);
  return items;
}

describe('Deployment', () => {
  it('creates pods through a replica set of its own', async () => {
    const { api } = server();
    const made = await api.must('POST', apps('deployments'), deployment('web', { replicas: 2 }));
    const { status } = await rolledOut('deployments', 'web');
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' }),
    );
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' }),
    );
    const [set, ...others] = await replicaSets('web');
    expect(others).toEqual([]);
    expect(set.metadata.ownerReferences).toEqual([
      expect.objectContaining({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        name: 'web',
        uid: made.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      }),
    ]);
    const hash = set.metadata.labels['pod-template-hash'];
    expect(set.metadata.name).toBe(`web-${hash}`);
    expect(set.metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '1',
      'deployment.kubernetes.io/desired-replicas': '2',
      'deployment.kubernetes.io/max-replicas': '3',
    });
    for (const pod of await pods('web')) {
      expect(pod.metadata.name).toMatch(new RegExp(`^web-${hash}-[a-z0-9]{5}$`));
      expect(pod.metadata.labels).toEqual({ app: 'web', 'pod-template-hash': hash });
      expect(pod.metadata.ownerReferences[0]).toMatchObject({
        kind: 'ReplicaSet',
        uid: set.metadata.uid,
        controller: true,
      });
    }
  });

  it('rolls without ever going below or above its bounds, and keeps the old set for undo', async () => {
    const { api } = server();
    const bounds = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
    await api.must('POST', apps('deployments'), deployment('bound', { replicas: 3, strategy: bounds }));
    await rolledOut('deployments', 'bound');
    const { metadata } = await api.must('GET', apps('replicasets'));
    const sets = await api.watch(
      `${apps('replicasets')}?watch=true&labelSelector=app%3Dbound&resourceVersion=${metadata.resourceVersion}`,
    );
    await api.strategic(apps('deployments', 'bound'), image('1.28'));
    // The bounds are on what the deployment asks of its sets: their statuses come later, and may be those of two moments.
    const asked = new Map<string, number>([['before', 3]]);
    const available = new Map<string, number>([['before', 3]]);
    const total = (of: Map<string, number>): number => [...of.values()].reduce((sum, one) => sum + one, 0);
    let most = 0;
    let fewest = 3;
    await sets.until(({ object: set }) => {
      const isNew = set.metadata.annotations['deployment.kubernetes.io/revision'] === '2';
      asked.set(isNew ? 'after' : 'before', set.spec.replicas);
      available.set(isNew ? 'after' : 'before', set.status.availableReplicas ?? 0);
      most = Math.max(most, total(asked));
      fewest = Math.min(fewest, total(available));
      return asked.get('before') === 0 && available.get('after') === 3;
    });
    sets.close();
    expect(most).toBe(4);
    expect(fewest).toBe(3);
    await rolledOut('deployments', 'bound');
    expect((await pods('bound')).map(imageOf)).toEqual(['nginx:1.28', 'nginx:1.28', 'nginx:1.28']);
    expect(
      (await replicaSets('bound'))
        .map((set) => [set.metadata.annotations['deployment.kubernetes.io/revision'], set.spec.replicas])
        .sort(),
    ).toEqual([
      ['1', 0],
      ['2', 3],
    ]);
  });

  it('goes back to an old template by its old set, under a new revision', async () => {
    const { api } = server();
    await api.must('POST', apps('deployments'), deployment('undone', { replicas: 1 }));
    await rolledOut('deployments', 'undone');
    await api.strategic(apps('deployments', 'undone'), image('1.28'));
    await rolledOut('deployments', 'undone');
    await api.strategic(apps('deployments', 'undone'), image('1.27'));
    await rolledOut('deployments', 'undone');
    const sets = await replicaSets('undone');
    expect(sets).toHaveLength(2);
    expect(
      sets.map((set) => [set.metadata.annotations['deployment.kubernetes.io/revision'], set.spec.replicas]).sort(),
    ).toEqual([
      ['2', 0],
      ['3', 1],
    ]);
    const now = await api.must('GET', apps('deployments', 'undone'));
    expect(now.metadata.annotations['deployment.kubernetes.io/revision']).toBe('3');
  });

  it('recreates: the old pods are gone before the first new one', async () => {
    const { api, core } = server();
    await api.must(
      'POST',
      apps('deployments'),
      deployment('recreated', { replicas: 2, strategy: { type: 'Recreate' } }),
    );
    await rolledOut('deployments', 'recreated');
    const { resourceVersion } = (await api.must('GET', core('pods'))).metadata;
    const watch = await api.watch(
      `${core('pods')}?watch=true&labelSelector=app%3Drecreated&resourceVersion=${resourceVersion}`,
    );
    await api.strategic(apps('deployments', 'recreated'), image('1.28'));
    let left = 2;
    await watch.until(({ type, object }) => {
      if (type === 'DELETED') left--;
      return type === 'ADDED' && imageOf(object) === 'nginx:1.28';
    });
    watch.close();
    expect(left).toBe(0);
    await rolledOut('deployments', 'recreated');
  });

  it('does nothing while paused, except scaling', async () => {
    const { api } = server();
    await api.must('POST', apps('deployments'), deployment('paused', { replicas: 1 }));
    await rolledOut('deployments', 'paused');
    await api.merge(apps('deployments', 'paused'), { spec: { paused: true } });
    await api.strategic(apps('deployments', 'paused'), image('1.28'));
    await api.merge(apps('deployments', 'paused', 'scale'), { spec: { replicas: 2 } });
    await eventually(async () => expect(await pods('paused')).toHaveLength(2));
    expect((await pods('paused')).map(imageOf)).toEqual(['nginx:1.27', 'nginx:1.27']);
    const { status } = await api.must('GET', apps('deployments', 'paused'));
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Progressing', status: 'Unknown', reason: 'DeploymentPaused' }),
    );
    await api.merge(apps('deployments', 'paused'), { spec: { paused: false } });
    await rolledOut('deployments', 'paused');
    expect((await pods('paused')).map(imageOf)).toEqual(['nginx:1.28', 'nginx:1.28']);
  });

  it('replaces a pod that is deleted', async () => {
    const { api, core } = server();
    await api.must('POST', apps('deployments'), deployment('healed', { replicas: 1 }));
    await rolledOut('deployments', 'healed');
    const [victim] = await pods('healed');
    await api.must('DELETE', core('pods', victim.metadata.name));
    await eventually(async () => {
      const [now, ...more] = await pods('healed');
      expect(more).toEqual([]);
      expect(isReady(now)).toBe(true);
      expect(now.metadata.uid).not.toBe(victim.metadata.uid);
    });
  });

  it('goes with everything it owns', async () => {
    const { api } = server();
    await api.must('POST', apps('deployments'), deployment('ended', { replicas: 1 }));
    await rolledOut('deployments', 'ended');
    await api.must('DELETE', apps('deployments', 'ended'));
    await eventually(async () => {
      expect(await replicaSets('ended')).toEqual([]);
      expect(await pods('ended')).toEqual([]);
    });
  });

  it('refuses a selector that does not match, and a change of selector', async () => {
    const { api } = server();
    const wrong = await api.post(
      apps('deployments'),
      deployment('wrong', { selector: { matchLabels: { app: 'other' } } }),
    );
    expect(wrong.body.message).toContain(
      'spec.template.metadata.labels: Invalid value: {"app":"wrong"}: `selector` does not match template `labels`',
    );
    await api.must('POST', apps('deployments'), deployment('fixed', { replicas: 0 }));
    const changed = await api.merge(apps('deployments', 'fixed'), {
      spec: {
        selector: { matchLabels: { app: 'fixed', more: 'x' } },
        template: { metadata: { labels: { more: 'x' } } },
      },
    });
    expect(changed.body.message).toContain(
      'spec.selector: Invalid value: {"matchLabels":{"app":"fixed","more":"x"}}: field is immutable',
    );
  });
});

describe('StatefulSet', () => {
  const names = (list: Any[]): string[] => list.map((pod) => pod.metadata.name).sort();

  it('starts its pods one after the other, each with its own name and index', async () => {
    const { api, core } = server();
    const { resourceVersion } = (await api.must('GET', core('pods'))).metadata;
    const watch = await api.watch(
      `${core('pods')}?watch=true&labelSelector=app%3Dordered&resourceVersion=${resourceVersion}`,
    );
    await api.must('POST', apps('statefulsets'), statefulSet('ordered'));
    const ready = new Set<string>();
    const order: string[] = [];
    await watch.until(({ type, object }) => {
      if (type === 'ADDED') {
        expect(ready.size).toBe(order.length);
        order.push(object.metadata.name);
      }
      if (isReady(object)) ready.add(object.metadata.name);
      return ready.size === 3;
    });
    watch.close();
    expect(order).toEqual(['ordered-0', 'ordered-1', 'ordered-2']);
    const { status } = await rolledOut('statefulsets', 'ordered');
    expect(status.currentRevision).toBe(status.updateRevision);
    const [zero] = await pods('ordered');
    expect(zero.metadata.labels).toMatchObject({
      app: 'ordered',
      'apps.kubernetes.io/pod-index': '0',
      'controller-revision-hash': status.currentRevision,
      'statefulset.kubernetes.io/pod-name': 'ordered-0',
    });
    expect(zero.spec).toMatchObject({ hostname: 'ordered-0', subdomain: 'ordered' });
  });

  it('rolls from the last ordinal to the first, keeping names', async () => {
    const { api, core } = server();
    await api.must('POST', apps('statefulsets'), statefulSet('rolled'));
    await rolledOut('statefulsets', 'rolled');
    const { resourceVersion } = (await api.must('GET', core('pods'))).metadata;
    const watch = await api.watch(
      `${core('pods')}?watch=true&labelSelector=app%3Drolled&resourceVersion=${resourceVersion}`,
    );
    await api.strategic(apps('statefulsets', 'rolled'), image('1.28'));
    // A set: the real controller may make a pod twice when its cache lags behind its own delete.
    const order = new Set<string>();
    await watch.until(({ type, object }) => {
      if (type === 'ADDED' && imageOf(object) === 'nginx:1.28') order.add(object.metadata.name);
      return order.size === 3;
    });
    watch.close();
    expect([...order]).toEqual(['rolled-2', 'rolled-1', 'rolled-0']);
    const { status } = await rolledOut('statefulsets', 'rolled');
    await eventually(async () => {
      const now = await api.must('GET', apps('statefulsets', 'rolled'));
      expect(now.status.currentRevision).toBe(status.updateRevision);
    });
    const { items } = await api.must('GET', `${apps('controllerrevisions')}?labelSelector=app%3Drolled`);
    expect(items.map((one: Any) => one.revision).sort()).toEqual([1, 2]);
  });

  it('leaves ordinals below the partition on the old revision', async () => {
    const { api } = server();
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 2 } };
    await api.must('POST', apps('statefulsets'), statefulSet('parted', { updateStrategy }));
    await rolledOut('statefulsets', 'parted');
    await api.strategic(apps('statefulsets', 'parted'), image('1.28'));
    await eventually(async () => {
      const { status } = await api.must('GET', apps('statefulsets', 'parted'));
      expect(status).toMatchObject({ updatedReplicas: 1, readyReplicas: 3, currentReplicas: 2 });
    });
    const byName = Object.fromEntries((await pods('parted')).map((pod) => [pod.metadata.name, imageOf(pod)]));
    expect(byName).toEqual({ 'parted-0': 'nginx:1.27', 'parted-1': 'nginx:1.27', 'parted-2': 'nginx:1.28' });
    await api.merge(apps('statefulsets', 'parted'), { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
    await rolledOut('statefulsets', 'parted');
    expect((await pods('parted')).map(imageOf)).toEqual(['nginx:1.28', 'nginx:1.28', 'nginx:1.28']);
  });

  it('replaces several at once with maxUnavailable, and never more', async () => {
    const { api, core } = server();
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } };
    const made = await api.must(
      'POST',
      apps('statefulsets'),
      statefulSet('wide', { replicas: 4, podManagementPolicy: 'Parallel', updateStrategy }),
    );
    expect(made.spec.updateStrategy.rollingUpdate.maxUnavailable).toBe(2);
    await rolledOut('statefulsets', 'wide');
    const { resourceVersion } = (await api.must('GET', core('pods'))).metadata;
    const watch = await api.watch(
      `${core('pods')}?watch=true&labelSelector=app%3Dwide&resourceVersion=${resourceVersion}`,
    );
    await api.strategic(apps('statefulsets', 'wide'), image('1.28'));
    const up = new Set(names(await pods('wide')));
    const renewed = new Set<string>();
    let least = up.size;
    await watch.until(({ type, object }) => {
      const name = object.metadata.name;
      if (type === 'DELETED' || !isReady(object) || object.metadata.deletionTimestamp) up.delete(name);
      else up.add(name);
      least = Math.min(least, up.size);
      if (isReady(object) && imageOf(object) === 'nginx:1.28') renewed.add(name);
      return renewed.size === 4;
    });
    watch.close();
    expect(least).toBe(2);
  });

  it('with OnDelete renews a pod only when someone deletes it', async () => {
    const { api, core } = server();
    await api.must(
      'POST',
      apps('statefulsets'),
      statefulSet('manual', { replicas: 2, updateStrategy: { type: 'OnDelete' } }),
    );
    await eventually(async () =>
      expect((await api.must('GET', apps('statefulsets', 'manual'))).status.readyReplicas).toBe(2),
    );
    await api.strategic(apps('statefulsets', 'manual'), image('1.28'));
    await eventually(async () => {
      const { status } = await api.must('GET', apps('statefulsets', 'manual'));
      expect(status.updateRevision).not.toBe(status.currentRevision);
    });
    await api.must('DELETE', core('pods', 'manual-0'));
    await eventually(async () => {
      const byName = Object.fromEntries((await pods('manual')).map((pod) => [pod.metadata.name, imageOf(pod)]));
      expect(byName).toEqual({ 'manual-0': 'nginx:1.28', 'manual-1': 'nginx:1.27' });
    });
  });

  it('scales down from the last ordinal', async () => {
    const { api } = server();
    await api.must('POST', apps('statefulsets'), statefulSet('shrunk'));
    await rolledOut('statefulsets', 'shrunk');
    await api.merge(apps('statefulsets', 'shrunk', 'scale'), { spec: { replicas: 1 } });
    await eventually(async () => expect(names(await pods('shrunk'))).toEqual(['shrunk-0']));
  });

  it('refuses a change of what it cannot roll', async () => {
    const { api } = server();
    await api.must('POST', apps('statefulsets'), statefulSet('rigid', { replicas: 0 }));
    const answer = await api.merge(apps('statefulsets', 'rigid'), { spec: { serviceName: 'other' } });
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain('spec.serviceName: Invalid value: "other": field is immutable');
  });

  it('makes a claim per pod', async () => {
    const { api, core } = server();
    const volumeClaimTemplates = [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ];
    await api.must('POST', apps('statefulsets'), statefulSet('claiming', { replicas: 1, volumeClaimTemplates }));
    await eventually(() => api.must('GET', core('persistentvolumeclaims', 'data-claiming-0')));
    await eventually(async () => {
      const [pod] = await pods('claiming');
      expect(pod.spec.volumes).toContainEqual({
        name: 'data',
        persistentVolumeClaim: { claimName: 'data-claiming-0' },
      });
    });
  });
});
