import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../clock/random.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import type { AnyObject } from '../../kube/object.ts';
import { Rbac } from '../auth/rbac.ts';
import { TestCluster } from '../auth/test-cluster.ts';
import type { Attempt } from '../gate.ts';
import type { ServedResource } from '../resource.ts';
import { StatusError } from '../status-error.ts';
import { createAdmission } from './admission.ts';

const object = (kind: string, name: string, more: object = {}, namespace: string | undefined = 'shop'): AnyObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, ...(namespace && { namespace }) },
  ...more,
});
const shop = object('Namespace', 'shop', {}, '');
const pod = (name: string, resources: object, containers = ['a', 'b']): AnyObject =>
  object('Pod', name, { spec: { containers: containers.map((each) => ({ name: each, image: 'i', resources })) } });

function setUp(...objects: AnyObject[]) {
  const cluster = new TestCluster(shop, ...objects);
  const admission = createAdmission({
    cluster,
    rbac: new Rbac(cluster),
    clock: new VirtualClock(),
    random: seededRandom(1),
    resolveService: async () => undefined,
    post: () => Promise.reject(new Error('nobody listens')),
  });
  const attemptOf = (made: AnyObject, more: Partial<Attempt> = {}): Attempt => ({
    operation: 'CREATE',
    resource: {
      group: made.apiVersion.includes('/') ? made.apiVersion.split('/')[0] : '',
      version: 'v1',
      kind: made.kind,
      plural: `${made.kind.toLowerCase()}s`,
      namespaced: made.metadata.namespace !== undefined,
    } as ServedResource,
    ...(made.metadata.namespace && { namespace: made.metadata.namespace }),
    name: made.metadata.name ?? '',
    user: { name: 'root', groups: ['system:masters'] },
    dryRun: false,
    object: made,
    oldObject: undefined,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', metadata: {} },
    ...more,
  });
  /** Admits it and puts it into the cluster, or tells why not. */
  const create = async (made: AnyObject, more: Partial<Attempt> = {}) => {
    const attempt = attemptOf(made, more);
    try {
      const { object: mutated } = await admission.mutate(attempt);
      await admission.validate({ ...attempt, object: mutated });
      admission.settle({ ...attempt, object: mutated });
      if (mutated) cluster.put(mutated);
      return mutated;
    } catch (error) {
      if (error instanceof StatusError) return error.status;
      throw error;
    }
  };
  return { cluster, create };
}

describe('namespaces', () => {
  it('must be there', async () => {
    const { create } = setUp();
    expect(await create(object('ConfigMap', 'a', {}, 'nowhere'))).toMatchObject({
      code: 404,
      message: 'namespaces "nowhere" not found',
    });
  });

  it('take nothing in while they go', async () => {
    const going = { ...shop, metadata: { name: 'shop', deletionTimestamp: '2030-01-01T00:00:00Z' } };
    const { create, cluster } = setUp();
    cluster.put(going);
    expect(await create(object('ConfigMap', 'a'))).toMatchObject({
      code: 403,
      message:
        'configmaps "a" is forbidden: unable to create new content in namespace shop because it is being terminated',
      details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
    });
    const update = { operation: 'UPDATE', oldObject: object('ConfigMap', 'a') } as const;
    expect(await create(object('ConfigMap', 'a'), update)).toMatchObject({ kind: 'ConfigMap' });
  });

  it('that the cluster lives in stay', async () => {
    const { create } = setUp();
    const remove = { operation: 'DELETE', object: undefined } as const;
    expect(await create(object('Namespace', 'kube-system', {}, ''), remove)).toMatchObject({
      code: 403,
      message: 'namespaces "kube-system" is forbidden: this namespace may not be deleted',
    });
    expect(await create(object('Namespace', 'shop', {}, ''), remove)).toBeUndefined();
  });
});

describe('limits', () => {
  const limits = (...items: object[]) => object('LimitRange', 'l', { spec: { limits: items } });
  const container = {
    type: 'Container',
    default: { cpu: '200m', memory: '64Mi' },
    defaultRequest: { cpu: '100m', memory: '64Mi' },
    max: { cpu: '300m' },
    min: { cpu: '50m' },
    maxLimitRequestRatio: { cpu: '2' },
  };
  const wholePod = { type: 'Pod', max: { cpu: '500m' } };

  it('fill in what containers leave open, and say so', async () => {
    const { create } = setUp(limits(container, wholePod));
    const resources = { limits: { cpu: '200m', memory: '64Mi' }, requests: { cpu: '100m', memory: '64Mi' } };
    expect(await create(pod('lr', {}))).toMatchObject({
      metadata: {
        annotations: {
          'kubernetes.io/limit-ranger':
            'LimitRanger plugin set: cpu, memory request for container a; cpu, memory limit for container a; cpu, memory request for container b; cpu, memory limit for container b',
        },
      },
      spec: { containers: [{ resources }, { resources }] },
    });
  });

  it.each<[string, object, string]>([
    [
      'too much',
      { limits: { cpu: '400m' }, requests: { cpu: '400m' } },
      '[maximum cpu usage per Container is 300m, but limit is 400m, maximum cpu usage per Pod is 500m, but limit is 800m]',
    ],
    [
      'too little',
      { requests: { cpu: '10m' } },
      '[minimum cpu usage per Container is 50m, but request is 10m, cpu max limit to request ratio per Container is 2, but provided ratio is 20.000000]',
    ],
    [
      'too far apart',
      { requests: { cpu: '100m' }, limits: { cpu: '300m' } },
      '[cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000, maximum cpu usage per Pod is 500m, but limit is 600m]',
    ],
  ])('refuse %s', async (_, resources, words) => {
    const { create } = setUp(limits(container, wholePod));
    expect(await create(pod('p', resources))).toMatchObject({ code: 403, message: `pods "p" is forbidden: ${words}` });
  });

  it('hold for claims', async () => {
    const { create } = setUp(limits({ type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }));
    const claim = object('PersistentVolumeClaim', 'c', { spec: { resources: { requests: { storage: '5Gi' } } } });
    expect(await create(claim)).toMatchObject({
      message:
        'persistentvolumeclaims "c" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 5Gi',
    });
  });
});

describe('quotas', () => {
  const quota = (hard: object, more: object = {}) => object('ResourceQuota', 'q', { spec: { hard, ...more } });
  const hard = {
    pods: '1',
    'requests.cpu': '500m',
    'limits.memory': '1Gi',
    cpu: '1',
    services: '1',
    'count/deployments.apps': '1',
  };
  const fine = { requests: { cpu: '100m' }, limits: { memory: '100Mi' } };

  it('want every container to say what they limit', async () => {
    const { create } = setUp(quota(hard));
    expect(await create(pod('none', {}))).toMatchObject({
      code: 403,
      message:
        'pods "none" is forbidden: failed quota: q: must specify cpu for: a,b; limits.memory for: a,b; requests.cpu for: a,b',
    });
  });

  it('refuse what exceeds them, in the real server’s words', async () => {
    const { create } = setUp(quota(hard));
    expect(await create(pod('big', { requests: { cpu: '400m' }, limits: { memory: '600Mi' } }))).toMatchObject({
      message:
        'pods "big" is forbidden: exceeded quota: q, requested: limits.memory=1200Mi,requests.cpu=800m, used: limits.memory=0,requests.cpu=0, limited: limits.memory=1Gi,requests.cpu=500m',
    });
    expect(await create(pod('ok', fine))).toMatchObject({ kind: 'Pod' });
    expect(await create(pod('second', { requests: { cpu: '200m' }, limits: { memory: '500Mi' } }))).toMatchObject({
      message:
        'pods "second" is forbidden: exceeded quota: q, requested: limits.memory=1000Mi,pods=1,requests.cpu=400m, used: limits.memory=200Mi,pods=1,requests.cpu=200m, limited: limits.memory=1Gi,pods=1,requests.cpu=500m',
    });
    await create(object('Service', 'one', { spec: { type: 'ClusterIP' } }));
    expect(await create(object('Service', 'two', { spec: { type: 'NodePort' } }))).toMatchObject({
      message:
        'services "two" is forbidden: exceeded quota: q, requested: services=1, used: services=1, limited: services=1',
    });
    const deployment = (name: string) => ({ ...object('Deployment', name), apiVersion: 'apps/v1' });
    await create(deployment('d1'));
    expect(await create(deployment('d2'))).toMatchObject({
      message:
        'deployments.apps "d2" is forbidden: exceeded quota: q, requested: count/deployments.apps=1, used: count/deployments.apps=1, limited: count/deployments.apps=1',
    });
  });

  it('do not count pods that have ended', async () => {
    const { create, cluster } = setUp(quota({ pods: '1' }));
    cluster.put({ ...pod('done', {}), status: { phase: 'Succeeded' } });
    expect(await create(pod('next', {}))).toMatchObject({ kind: 'Pod' });
  });

  it('let an object that is already counted be updated', async () => {
    const { create } = setUp(quota({ 'count/configmaps': '1' }));
    const map = object('ConfigMap', 'm');
    await create(map);
    expect(await create(map, { operation: 'UPDATE', oldObject: map })).toMatchObject({ kind: 'ConfigMap' });
    expect(await create(object('ConfigMap', 'n'))).toMatchObject({ code: 403 });
  });

  it('with scopes leave other pods alone', async () => {
    const { create } = setUp(quota({ pods: '0' }, { scopes: ['BestEffort'] }));
    expect(await create(pod('greedy', fine))).toMatchObject({ kind: 'Pod' });
    expect(await create(pod('modest', {}))).toMatchObject({ code: 403 });
  });
});
