import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { healthOf } from './health-of.ts';

const object = (apiVersion: string, kind: string, spec?: object, status?: object, generation = 2): AnyObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x', namespace: 'here', generation },
  ...(spec && { spec }),
  ...(status && { status }),
});

const condition = (type: string, status = 'True', message = '', reason = '') => ({
  conditions: [
    { type: 'Other', status: 'True' },
    { type, status, message, reason },
  ],
});

const told = (found: AnyObject): string => {
  const health = healthOf(found);
  return health.is === 'healthy' ? 'healthy' : `${health.is}: ${health.message}`;
};

const seen = { observedGeneration: 2 };

describe('a Deployment', () => {
  const deployment = (status: object, spec: object = { replicas: 3 }) => object('apps/v1', 'Deployment', spec, status);
  const start = 'waiting: deployment "x" is not healthy: ';
  const rollout = `${start}Waiting for deployment "x" rollout to finish: `;

  it.each([
    [{}, `${start}Waiting for deployment spec update to be observed...`],
    [
      { observedGeneration: 1, replicas: 3, updatedReplicas: 3, availableReplicas: 3 },
      `${start}Waiting for deployment spec update to be observed...`,
    ],
    [{ ...seen, updatedReplicas: 1 }, `${rollout}1 out of 3 new replicas have been updated...`],
    [{ ...seen, updatedReplicas: 3, replicas: 4 }, `${rollout}1 old replicas are pending termination...`],
    [
      { ...seen, updatedReplicas: 3, replicas: 3, availableReplicas: 2 },
      `${rollout}2 of 3 updated replicas are available...`,
    ],
    [{ ...seen, updatedReplicas: 3, replicas: 3, availableReplicas: 3 }, 'healthy'],
  ])('with status %j is %s', (status, health) => {
    expect(told(deployment(status))).toBe(health);
  });

  it('of no pods is healthy, and wants one when it does not say how many', () => {
    expect(told(deployment(seen, { replicas: 0 }))).toBe('healthy');
    expect(told(deployment(seen, {}))).toContain('0 out of 1');
  });

  it('is waited for beyond its deadline, and says so', () => {
    const status = { ...seen, ...condition('Progressing', 'False', 'timed out', 'ProgressDeadlineExceeded') };
    expect(told(deployment(status))).toBe(`${start}deployment "x" exceeded its progress deadline: timed out`);
  });

  it('says that it is paused', () => {
    expect(told(deployment(seen, { replicas: 1, paused: true }))).toContain('is paused');
  });
});

describe('a StatefulSet', () => {
  const set = (status: object, strategy: object = { type: 'RollingUpdate', rollingUpdate: { partition: 0 } }) =>
    object('apps/v1', 'StatefulSet', { replicas: 3, updateStrategy: strategy }, status);
  const start = 'waiting: statefulset "x" is not healthy: ';

  it.each([
    [{}, `${start}Waiting for statefulset spec update to be observed...`],
    [{ ...seen, readyReplicas: 1 }, `${start}Waiting for 2 pods to be ready...`],
    [
      { ...seen, readyReplicas: 3, updatedReplicas: 1 },
      `${start}Waiting for partitioned roll out to finish: 1 out of 3 new pods have been updated...`,
    ],
    [{ ...seen, readyReplicas: 3, updatedReplicas: 3 }, 'healthy'],
  ])('with status %j is %s', (status, health) => {
    expect(told(set(status))).toBe(health);
  });

  it('waits only for the pods beyond its partition', () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { partition: 2 } };
    expect(told(set({ ...seen, readyReplicas: 3, updatedReplicas: 1 }, strategy))).toBe('healthy');
    expect(told(set({ ...seen, readyReplicas: 3, updatedReplicas: 0 }, strategy))).toContain('0 out of 1');
  });

  it('does not wait for pods that stay until they are deleted', () => {
    const strategy = { type: 'OnDelete' };
    expect(told(set({ ...seen, readyReplicas: 3, updatedReplicas: 0 }, strategy))).toBe('healthy');
    expect(told(set({ ...seen, readyReplicas: 2 }, strategy))).toContain('Waiting for 1 pods');
  });
});

describe('a DaemonSet', () => {
  const daemons = (status: object, type = 'RollingUpdate') =>
    object('apps/v1', 'DaemonSet', { updateStrategy: { type } }, status);

  it('is healthy when all nodes have a new pod that is available', () => {
    const all = { ...seen, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 };
    expect(told(daemons(all))).toBe('healthy');
    expect(told(daemons({ ...all, observedGeneration: 1 }))).toContain('to be observed');
    expect(told(daemons({ ...all, updatedNumberScheduled: 1 }))).toContain('1 out of 2 new pods have been updated');
    expect(told(daemons({ ...all, numberAvailable: 0 }))).toContain('0 of 2 updated pods are available');
  });

  it('does not wait for new pods that come only when the old are deleted', () => {
    const old = { ...seen, desiredNumberScheduled: 2, numberReady: 2, updatedNumberScheduled: 0 };
    expect(told(daemons(old, 'OnDelete'))).toBe('healthy');
    expect(told(daemons({ ...old, numberReady: 1 }, 'OnDelete'))).toContain('1 of 2 pods are ready');
  });
});

describe('a Job', () => {
  const job = (status: object) => object('batch/v1', 'Job', { completions: 3 }, status);

  it('is healthy when it is complete, however many pods that took', () => {
    expect(told(job({ succeeded: 3, ...condition('Complete') }))).toBe('healthy');
  });

  it('is waited for before, also when one pod has succeeded', () => {
    expect(told(job({ succeeded: 1 }))).toBe('waiting: job "x" still running or failed');
    expect(told(job({ ...condition('Failed', 'False') }))).toContain('waiting');
  });

  it('fails the plan when it has failed, in the words of KUDO', () => {
    const status = condition('Failed', 'True', 'Job has reached the specified backoff limit');
    expect(told(job(status))).toBe(
      'failed: HealthUtil: job "x" has failed terminally: Job has reached the specified backoff limit',
    );
    expect(told(job(condition('Failed', 'True', '', 'DeadlineExceeded')))).toContain('DeadlineExceeded');
  });
});

describe('an Instance', () => {
  const instance = (spec: object, status?: object) => object('kudo.dev/v1beta1', 'Instance', spec, status);
  const done = { ...seen, planStatus: {}, latest: { plan: 'deploy', status: 'COMPLETE' } };
  const past = (cause: string, plan: string, outcome = 'COMPLETE') => ({ cause, plan, outcome });
  const declining = {
    ...done,
    letter: { planName: 'nosuch', declined: true },
    ...condition('Accepted', 'False', 'no such plan', 'UnknownPlan'),
  };

  it.each([
    [
      'runs a plan',
      instance({ planExecution: { planName: 'deploy' } }, done),
      'waiting: instance "x" runs plan deploy',
    ],
    [
      'runs a plan that its spec does not show yet',
      instance({}, { ...done, execution: { plan: 'tune' } }),
      'waiting: instance "x" runs plan tune',
    ],
    ['was not looked at yet', instance({}), 'waiting: instance "x" has not been looked at yet'],
    [
      'changed since',
      instance({}, { ...done, observedGeneration: 1 }),
      'waiting: instance "x" has not been looked at yet',
    ],
    [
      'waits with a change',
      instance({}, { ...done, ...condition('Waiting', 'True', 'behind deploy') }),
      'waiting: instance "x": behind deploy',
    ],
    [
      'refuses its parameters',
      instance({}, { ...done, ...condition('Accepted', 'False', 'no integer') }),
      'failed: instance "x" refuses its parameters: no integer',
    ],
    [
      'failed',
      instance({}, { ...done, latest: { plan: 'deploy', status: 'FATAL_ERROR' } }),
      'failed: instance "x": plan deploy ended in FATAL_ERROR',
    ],
    [
      'was cancelled',
      instance({}, { ...done, history: [past('install', 'deploy', 'CANCELED')] }),
      'failed: instance "x": plan deploy ended in CANCELED',
    ],
    [
      'was cancelled, and ran another plan by hand',
      instance({}, { ...done, history: [past('trigger', 'backup'), past('parameters', 'deploy', 'CANCELED')] }),
      'failed: instance "x": plan deploy ended in CANCELED',
    ],
    [
      'was cancelled, and ran the same plan again by hand',
      instance({}, { ...done, history: [past('trigger', 'deploy'), past('parameters', 'deploy', 'CANCELED')] }),
      'healthy',
    ],
    [
      'is done, and was cancelled when it ran again by hand',
      instance({}, { ...done, history: [past('trigger', 'deploy', 'CANCELED'), past('install', 'deploy')] }),
      'healthy',
    ],
    ['is asked for a plan that it declined', instance({ planExecution: { planName: 'nosuch' } }, declining), 'healthy'],
    [
      'is asked for a plan that it declined, and for another since',
      instance({ planExecution: { planName: 'backup' } }, declining),
      'waiting: instance "x" runs plan backup',
    ],
    [
      'declined a plan and refuses its parameters',
      instance(
        { planExecution: { planName: 'nosuch' } },
        { ...declining, ...condition('Accepted', 'False', 'no integer', 'InvalidParameters') },
      ),
      'failed: instance "x" refuses its parameters: no integer',
    ],
    ['is done', instance({ planExecution: {} }, done), 'healthy'],
  ])('that %s', (_, child, health) => {
    expect(told(child)).toBe(health);
  });

  it('is not judged by a plan that somebody ran by hand', () => {
    const status = { ...done, latest: { plan: 'backup', status: 'FATAL_ERROR' }, history: [{ cause: 'trigger' }] };
    expect(told(instance({}, status))).toBe('healthy');
  });
});

describe('other kinds', () => {
  const pod = (status: object) => object('v1', 'Pod', {}, status);
  const service = (spec: object, status?: object) => object('v1', 'Service', spec, status);

  it.each([
    ['a Pod that runs and is ready', pod({ phase: 'Running', ...condition('Ready') }), 'healthy'],
    [
      'a Pod that is not ready',
      pod({ phase: 'Running', ...condition('Ready', 'False') }),
      'waiting: pod here/x is not running yet: Running',
    ],
    ['a Pod without a phase', pod({}), 'waiting: pod here/x is not running yet: Pending'],
    ['a Pod that has done its work', pod({ phase: 'Succeeded' }), 'healthy'],
    ['a Pod that failed', pod({ phase: 'Failed', message: 'evicted' }), 'failed: pod "x" has failed: evicted'],
    ['a Service with an address', service({ clusterIP: '10.0.0.1' }), 'healthy'],
    ['a Service without pods of its own', service({ clusterIP: 'None' }), 'healthy'],
    ['a Service elsewhere', service({ type: 'ExternalName' }), 'healthy'],
    ['a Service without an address', service({}), 'waiting: service "x" has no cluster IP yet'],
    [
      'a load balancer that waits',
      service({ type: 'LoadBalancer', clusterIP: '1' }, { loadBalancer: {} }),
      'waiting: service "x" has no address of a load balancer yet',
    ],
    [
      'a load balancer',
      service({ type: 'LoadBalancer', clusterIP: '1' }, { loadBalancer: { ingress: [{ ip: '1' }] } }),
      'healthy',
    ],
    [
      'a load balancer with addresses of its own',
      service({ type: 'LoadBalancer', clusterIP: '1', externalIPs: ['1'] }),
      'healthy',
    ],
    [
      'a definition',
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {}, condition('Established')),
      'healthy',
    ],
    [
      'a definition of a name that is taken',
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {}, condition('NamesAccepted', 'False', 'taken')),
      'waiting: custom resource definition x is not established yet: taken',
    ],
    ['a Namespace', object('v1', 'Namespace', {}, { phase: 'Active' }), 'healthy'],
    [
      'a Namespace that goes',
      object('v1', 'Namespace', {}, { phase: 'Terminating' }),
      'waiting: namespace x is not active: Terminating',
    ],
    ['a ReplicaSet', object('apps/v1', 'ReplicaSet', { replicas: 2 }, { ...seen, readyReplicas: 2 }), 'healthy'],
    [
      'a ReplicaSet that waits for pods',
      object('apps/v1', 'ReplicaSet', { replicas: 2 }, { ...seen, readyReplicas: 1 }),
      'waiting: replicaset "x" is not healthy: Waiting for 1 pods to be ready...',
    ],
    [
      'a ReplicationController',
      object('v1', 'ReplicationController', { replicas: 1 }, seen),
      'waiting: replicationcontroller "x" is not healthy: Waiting for 1 pods to be ready...',
    ],
    ['a claim that is not bound', object('v1', 'PersistentVolumeClaim', {}, { phase: 'Pending' }), 'healthy'],
    ['a CronJob', object('batch/v1', 'CronJob', {}), 'healthy'],
    [
      'a custom resource, whatever its conditions say',
      object('example.org/v1', 'Thing', {}, condition('Ready', 'False')),
      'healthy',
    ],
    ['a custom resource with the name of a known kind', object('example.org/v1', 'Job', {}), 'healthy'],
  ])('%s', (_, found, health) => {
    expect(told(found)).toBe(health);
  });

  it('survive shapes that no API server sends', () => {
    for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet']) {
      expect(healthOf({ ...object('apps/v1', kind), spec: 'x', status: [] }).is).toBe('waiting');
    }
    expect(healthOf({ ...object('batch/v1', 'Job'), status: { conditions: ['x', null, { type: 1 }] } }).is).toBe(
      'waiting',
    );
  });
});
