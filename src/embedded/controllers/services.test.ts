import { afterEach, describe, expect, it } from 'vitest';
import type { EndpointSlice, PodDisruptionBudget, Service } from '../kinds/objects/cluster.ts';
import type { CronJob, DaemonSet, Job } from '../kinds/objects/workload.ts';
import {
  cronJobs,
  daemonSets,
  deployments,
  disruptionBudgets,
  endpointSlices,
  endpoints,
  events,
  jobs,
  nodes,
  pods,
  services,
} from '../kinds/resource-types.ts';
import { holds } from './condition.ts';
import { isReady } from './pods.ts';
import { aDeployment, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;

afterEach(() => cluster.stop());

const allReady = (count: number) => () => cluster.pods().filter(isReady).length === count;

describe('the addresses of a Service', () => {
  const web: Service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] },
  };
  const slices = (): readonly EndpointSlice[] =>
    cluster.world.list<EndpointSlice>(endpointSlices, { namespace: 'default' });

  it('are those of the pods it selects, ready or not, by the port they name', async () => {
    cluster = new TestCluster();
    await cluster.world.create(services, web);
    const deployment = aDeployment('web', { replicas: 2 });
    const container = { name: 'web', image: 'web:1', ports: [{ name: 'http', containerPort: 8080 }] };
    const template = { ...deployment.spec.template, spec: { containers: [container] } };
    await cluster.world.create(deployments, { ...deployment, spec: { ...deployment.spec, template } });
    await cluster.until('ready', allReady(2));
    await cluster.run(100);
    const [slice] = slices();
    expect(slices()).toHaveLength(1);
    expect(slice?.metadata.labels).toMatchObject({ 'kubernetes.io/service-name': 'web' });
    expect(slice?.ports).toEqual([{ name: '', port: 8080, protocol: 'TCP' }]);
    expect(slice?.endpoints.map((one) => one.addresses[0]).toSorted()).toEqual(
      cluster
        .pods()
        .map((pod) => pod.status?.podIP)
        .toSorted(),
    );
    expect(slice?.endpoints.every((one) => one.conditions.ready && one.conditions.serving)).toBe(true);
    expect(cluster.get<never>(endpoints, 'web')).toMatchObject({
      subsets: [{ addresses: [{}, {}], ports: [{ port: 8080, protocol: 'TCP' }] }],
    });
    const [first] = cluster.pods();
    await cluster.world.patch(pods, 'default', first?.metadata.name ?? '', {
      metadata: { annotations: { 'embedded.cutover.dev/fail': 'never-ready' } },
    });
    await cluster.run(100);
    const lost = slices()[0]?.endpoints.find((one) => one.targetRef?.name === first?.metadata.name);
    expect(lost?.conditions).toEqual({ ready: false, serving: false, terminating: false });
  });

  it('are empty for a Service that selects nothing, and gone with it', async () => {
    cluster = new TestCluster();
    await cluster.world.create(services, web);
    await cluster.run(100);
    expect(slices()[0]?.endpoints).toEqual([]);
    await cluster.world.remove(services, cluster.get(services, 'web'));
    await cluster.run(1000);
    expect(slices()).toEqual([]);
    expect(cluster.world.list(endpoints)).toEqual([]);
  });
});

describe('a disruption budget', () => {
  it.each([
    [{ minAvailable: 2 }, { desiredHealthy: 2, disruptionsAllowed: 1, expectedPods: 3 }],
    [{ minAvailable: '100%' }, { desiredHealthy: 3, disruptionsAllowed: 0, expectedPods: 3 }],
    [{ maxUnavailable: 1 }, { desiredHealthy: 2, disruptionsAllowed: 1, expectedPods: 3 }],
    [{ maxUnavailable: '50%' }, { desiredHealthy: 1, disruptionsAllowed: 2, expectedPods: 3 }],
  ])('with %j of three pods allows what it says', async (spec, expected) => {
    cluster = new TestCluster();
    await cluster.world.create(deployments, aDeployment('web', { replicas: 3 }));
    const budget: PodDisruptionBudget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'default' },
      spec: { ...spec, selector: { matchLabels: { app: 'web' } } },
    };
    await cluster.world.create(disruptionBudgets, budget);
    await cluster.until('ready', allReady(3));
    await cluster.run(100);
    const status = (): PodDisruptionBudget['status'] =>
      cluster.get<PodDisruptionBudget>(disruptionBudgets, 'web').status;
    expect(status()).toMatchObject({ ...expected, currentHealthy: 3 });
    expect(holds(status()?.conditions, 'DisruptionAllowed')).toBe(expected.disruptionsAllowed > 0);
    const [first] = cluster.pods();
    await cluster.world.remove(pods, first as never);
    expect(status()?.currentHealthy ?? 0).toBeLessThanOrEqual(3);
    await cluster.until('noticed', () => status()?.currentHealthy === 2);
    expect(status()?.disruptionsAllowed).toBe(Math.max(0, expected.disruptionsAllowed - 1));
  });
});

describe('a DaemonSet', () => {
  const agent: DaemonSet = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'default' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'agent', image: 'agent:1' }] } },
    },
  };
  const set = (): DaemonSet => cluster.get<DaemonSet>(daemonSets, 'agent');

  it('runs one pod per node, also on one that takes no others, and rolls one node at a time', async () => {
    cluster = new TestCluster();
    await cluster.run(100);
    const node = cluster.get<never>(nodes, 'node-2') as { readonly spec: object };
    await cluster.world.update(nodes, { ...node, spec: { ...node.spec, unschedulable: true } } as never);
    await cluster.world.create(daemonSets, agent);
    await cluster.until('ready', allReady(3));
    await cluster.run(100);
    expect(
      cluster
        .pods()
        .map((pod) => pod.spec.nodeName)
        .toSorted(),
    ).toEqual(['node-1', 'node-2', 'node-3']);
    expect(set().status).toMatchObject({ desiredNumberScheduled: 3, numberReady: 3, numberAvailable: 3 });
    const template = { ...agent.spec.template, spec: { containers: [{ name: 'agent', image: 'agent:2' }] } };
    await cluster.world.update(daemonSets, { ...set(), spec: { ...set().spec, template } });
    await cluster.until('rolled', () => {
      expect(
        cluster.pods().filter((pod) => isReady(pod) && !pod.metadata.deletionTimestamp).length,
      ).toBeGreaterThanOrEqual(2);
      return set().status?.updatedNumberScheduled === 3 && set().status?.numberAvailable === 3;
    });
    expect(cluster.pods().every((pod) => pod.spec.containers[0]?.image === 'agent:2')).toBe(true);
  });
});

describe('a CronJob', () => {
  const tick = (spec: Partial<CronJob['spec']> = {}, command = ['echo', 'tick']): CronJob => ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick', namespace: 'default' },
    spec: {
      schedule: '*/5 * * * *',
      jobTemplate: {
        spec: {
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'tick', image: 'busybox', command }] } },
        },
      },
      ...spec,
    },
  });
  const made = (): readonly string[] =>
    cluster.world.writes.filter((write) => write.startsWith('create jobs')).map((write) => write.split('/')[1] ?? '');

  it('makes a Job at each scheduled time, named after it, and keeps the last three', async () => {
    cluster = new TestCluster();
    await cluster.world.create(cronJobs, tick());
    const start = cluster.world.clock.now();
    await cluster.run(31 * 60_000);
    expect(made()).toEqual([5, 10, 15, 20, 25, 30].map((minute) => `tick-${start / 60_000 + minute}`));
    expect(cluster.world.list(jobs)).toHaveLength(3);
    const { status } = cluster.get<CronJob>(cronJobs, 'tick');
    expect(status).toEqual({
      lastScheduleTime: '2030-01-01T00:30:00Z',
      lastSuccessfulTime: expect.stringContaining('2030-01-01T00:30:0'),
    });
    expect(cluster.world.list<Job>(jobs).every((job) => holds(job.status?.conditions, 'Complete'))).toBe(true);
  });

  it.each([
    ['Allow', 3],
    ['Forbid', 1],
    ['Replace', 1],
  ])('with %s lets %i of three overlapping Jobs run', async (concurrencyPolicy, running) => {
    cluster = new TestCluster();
    await cluster.world.create(cronJobs, tick({ concurrencyPolicy }, ['sleep', '3600']));
    await cluster.run(17 * 60_000);
    expect(cluster.world.list(jobs)).toHaveLength(running);
    expect(made()).toHaveLength(concurrencyPolicy === 'Forbid' ? 1 : 3);
  });

  it('does nothing while suspended, and does not catch up beyond its deadline', async () => {
    cluster = new TestCluster();
    await cluster.world.create(cronJobs, tick({ suspend: true, startingDeadlineSeconds: 60 }));
    await cluster.run(12 * 60_000);
    expect(made()).toEqual([]);
    const stored = cluster.get<CronJob>(cronJobs, 'tick');
    await cluster.world.update(cronJobs, { ...stored, spec: { ...stored.spec, suspend: false } });
    await cluster.run(1000);
    expect(made()).toEqual([]);
    await cluster.run(4 * 60_000);
    expect(made()).toHaveLength(1);
  });
});

describe('the scheduler', () => {
  const pod = (name: string, spec: object): never =>
    ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default' },
      spec: { containers: [{ name: 'a', image: 'a' }], ...spec },
    }) as never;

  it.each([
    [
      'a label that no node has',
      { nodeSelector: { disk: 'ssd' } },
      "3 node(s) didn't match Pod's node affinity/selector",
    ],
    [
      'more than any node offers',
      { containers: [{ name: 'a', image: 'a', resources: { requests: { cpu: '100' } } }] },
      '3 Insufficient cpu',
    ],
    [
      'a claim that is not there',
      { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'nope' } }] },
      'persistentvolumeclaim "nope" not found',
    ],
  ])('leaves a pod that asks for %s, and says why', async (_, spec, why) => {
    cluster = new TestCluster();
    await cluster.run(100);
    await cluster.world.create(pods, pod('p', spec));
    await cluster.run(1000);
    const stored = cluster.pods()[0];
    expect(stored?.spec.nodeName).toBeUndefined();
    expect(stored?.status?.conditions?.[0]).toMatchObject({
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
    });
    expect(stored?.status?.conditions?.[0]?.message).toContain(why);
    const told = cluster.world.list(events).filter((event) => event.reason === 'FailedScheduling');
    expect(told).toHaveLength(1);
  });

  it('finds the pod a node as soon as one takes it', async () => {
    cluster = new TestCluster();
    await cluster.world.create(pods, pod('p', { nodeSelector: { disk: 'ssd' } }));
    await cluster.run(1000);
    await cluster.world.patch(nodes, undefined, 'node-3', { metadata: { labels: { disk: 'ssd' } } });
    await cluster.run(5000);
    expect(cluster.pods()[0]?.spec.nodeName).toBe('node-3');
    expect(cluster.pods()[0]?.status?.phase).toBe('Running');
  });

  it('respects taints, cordons and gates', async () => {
    cluster = new TestCluster();
    await cluster.run(100);
    for (const [name, spec] of [
      ['node-1', { unschedulable: true }],
      ['node-2', { taints: [{ key: 'only', value: 'me', effect: 'NoSchedule' }] }],
    ] as const) {
      await cluster.world.patch(nodes, undefined, name, { spec });
    }
    await cluster.world.create(pods, pod('plain', {}));
    await cluster.world.create(
      pods,
      pod('tolerant', {
        tolerations: [{ key: 'only', operator: 'Equal', value: 'me' }],
        nodeSelector: { 'kubernetes.io/hostname': 'node-2' },
      }),
    );
    await cluster.world.create(pods, pod('gated', { schedulingGates: [{ name: 'example.com/wait' }] }));
    await cluster.run(5000);
    const nodeOf = Object.fromEntries(cluster.pods().map((one) => [one.metadata.name, one.spec.nodeName]));
    expect(nodeOf).toEqual({ plain: 'node-3', tolerant: 'node-2', gated: undefined });
  });
});
