import { afterEach, describe, expect, it } from 'vitest';
import { conditionOf } from '../controllers/condition.ts';
import { isReady } from '../controllers/pods.ts';
import { configMaps, events, pods, secrets } from '../kinds/resource-types.ts';
import { startNodes } from './start-nodes.ts';
import { TestPod } from './test-pod.ts';

let cluster: TestPod;

afterEach(() => cluster.stop());

const begin = async (...what: Parameters<typeof TestPod.start>): Promise<void> => {
  cluster = await TestPod.start(...what);
};
const fail = (what: string): Record<string, string> => ({ 'embedded.cutover.dev/fail': what });
const reasons = (): readonly unknown[] => cluster.world.list(events).map((event) => event.reason);

describe('a pod on a node', () => {
  it('goes from Pending over ContainerCreating to Running and Ready, and tells every step', async () => {
    await begin({
      containers: [{ name: 'main', image: 'app:1', readinessProbe: { httpGet: { port: 80 }, initialDelaySeconds: 2 } }],
    });
    const seen: string[] = [];
    await cluster.until('ready', () => {
      const { phase, containerStatuses } = cluster.pod.status ?? {};
      const line =
        `${phase} ${containerStatuses?.[0]?.state.waiting?.reason ?? ''}${isReady(cluster.pod) ? 'ready' : ''}`.trim();
      if (seen.at(-1) !== line) seen.push(line);
      return isReady(cluster.pod);
    });
    expect(seen).toEqual(['Pending ContainerCreating', 'Running', 'Running ready']);
    expect(cluster.pod.status).toMatchObject({ podIP: '10.244.0.2', hostIP: '192.168.64.2', qosClass: 'BestEffort' });
    expect(cluster.main).toMatchObject({
      image: 'docker.io/library/app:1',
      ready: true,
      started: true,
      restartCount: 0,
    });
    expect(reasons()).toEqual(expect.arrayContaining(['Scheduled', 'Pulling', 'Pulled', 'Created', 'Started']));
    for (const type of ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready', 'PodReadyToStartContainers']) {
      expect(conditionOf(cluster.pod.status?.conditions, type)?.status).toBe('True');
    }
  });

  it('runs init containers in order before the others', async () => {
    await begin({
      initContainers: [
        { name: 'first', image: 'busybox', command: ['sh', '-c', 'echo one; sleep 2'] },
        { name: 'second', image: 'busybox', command: ['echo', 'two'] },
      ],
    });
    await cluster.until(
      'first runs',
      () => cluster.pod.status?.initContainerStatuses?.[0]?.state.running !== undefined,
    );
    expect(cluster.pod.status?.initContainerStatuses?.[1]?.state.waiting?.reason).toBe('PodInitializing');
    expect(cluster.main.state.waiting?.reason).toBe('PodInitializing');
    await cluster.running();
    expect(cluster.pod.status?.initContainerStatuses?.map((one) => one.state.terminated?.exitCode)).toEqual([0, 0]);
    expect(await cluster.log({ container: 'second' })).toBe('two\n');
  });

  it('lets init containers of unknown programs end, except sidecars', async () => {
    await begin({
      initContainers: [
        { name: 'sidecar', image: 'proxy:1', restartPolicy: 'Always' },
        { name: 'fetch', image: 'fetcher:1', command: ['fetch'] },
      ],
    });
    await cluster.running();
    const [sidecar, fetch] = cluster.pod.status?.initContainerStatuses ?? [];
    expect(sidecar?.state.running).toBeDefined();
    expect(fetch?.state.terminated?.exitCode).toBe(0);
  });

  it('fails for good when an init container fails and nothing may be restarted', async () => {
    await begin({ restartPolicy: 'Never', initContainers: [{ name: 'first', image: 'busybox', command: ['false'] }] });
    await cluster.until('failed', () => cluster.pod.status?.phase === 'Failed');
    expect(cluster.main.state.waiting?.reason).toBe('PodInitializing');
  });

  it.each([
    ['Never', ['true'], 'Succeeded', 0],
    ['Never', ['sh', '-c', 'exit 4'], 'Failed', 0],
    ['OnFailure', ['true'], 'Succeeded', 0],
  ] as const)('with restartPolicy %s and %j ends as %s', async (restartPolicy, command, phase, restarts) => {
    await begin({ restartPolicy, containers: [{ name: 'main', image: 'busybox', command: [...command] }] });
    await cluster.until('ended', () => cluster.pod.status?.phase === phase);
    expect(cluster.main.restartCount).toBe(restarts);
  });

  it('is stopped by its own deadline', async () => {
    await begin({ activeDeadlineSeconds: 10 });
    await cluster.until('failed', () => cluster.pod.status?.phase === 'Failed');
    expect(cluster.pod.status).toMatchObject({ reason: 'DeadlineExceeded' });
  });

  it('restarts a container whose image is changed', async () => {
    await begin();
    await cluster.running();
    await cluster.world.update(pods, {
      ...cluster.pod,
      spec: { ...cluster.pod.spec, containers: [{ ...cluster.pod.spec.containers[0], name: 'main', image: 'app:2' }] },
    });
    await cluster.until('restarted', () => cluster.main.restartCount === 1 && cluster.main.ready);
    expect(cluster.main.image).toBe('docker.io/library/app:2');
  });

  it('waits for a mounted ConfigMap, and starts as soon as it is there', async () => {
    await begin({ volumes: [{ name: 'c', configMap: { name: 'late' } }] });
    await cluster.run(30_000);
    expect(cluster.main.state.waiting?.reason).toBe('ContainerCreating');
    const told = cluster.world.list(events).find((event) => event.reason === 'FailedMount');
    expect(told?.message).toBe('MountVolume.SetUp failed for volume "c" : configmap "late" not found');
    await cluster.world.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'late', namespace: 'default' },
    });
    await cluster.running();
  });

  it('says what is missing in its environment, and starts as soon as it is there', async () => {
    const env = [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 'late', key: 'k' } } }];
    await begin({ containers: [{ name: 'main', image: 'app:1', env }] });
    await cluster.run(30_000);
    expect(cluster.main.state.waiting).toEqual({
      reason: 'CreateContainerConfigError',
      message: 'secret "late" not found',
    });
    await cluster.world.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'late', namespace: 'default' },
      data: { k: 'dg==' },
    } as never);
    await cluster.running();
    expect((await cluster.exec(['sh', '-c', 'echo $KEY'])).out).toBe('v\n');
  });

  it('needs no timer and writes nothing while it merely runs', async () => {
    await begin({
      containers: [
        {
          name: 'main',
          image: 'app:1',
          readinessProbe: { tcpSocket: { port: 1 } },
          livenessProbe: { tcpSocket: { port: 1 } },
        },
      ],
    });
    await cluster.until('ready', () => isReady(cluster.pod));
    await cluster.run(1000);
    expect(cluster.world.clock.untilNext).toBeUndefined();
  });
});

describe('termination', () => {
  it('asks first, and removes the pod when its containers have ended', async () => {
    await begin();
    await cluster.running();
    await cluster.world.remove(pods, cluster.pod);
    expect(cluster.pod.metadata.deletionTimestamp).toBeDefined();
    await cluster.run(2000);
    expect(cluster.pods()).toEqual([]);
    expect(reasons()).toContain('Killing');
  });

  it('kills what does not listen when the grace is over', async () => {
    await begin({
      terminationGracePeriodSeconds: 20,
      containers: [{ name: 'main', image: 'busybox', command: ['sleep', 'infinity'] }],
    });
    await cluster.running();
    await cluster.world.remove(pods, cluster.pod);
    await cluster.run(19_000);
    expect(cluster.pods()).toHaveLength(1);
    await cluster.run(2000);
    expect(cluster.pods()).toEqual([]);
  });

  it('is hastened by a second, shorter grace', async () => {
    await begin({ terminationGracePeriodSeconds: 600 }, fail('slow-stop'));
    await cluster.running();
    await cluster.world.remove(pods, cluster.pod);
    await cluster.run(10_000);
    await cluster.world.remove(pods, cluster.pod, { graceSeconds: 1 });
    await cluster.run(2000);
    expect(cluster.pods()).toEqual([]);
  });
});

describe('a failure on demand', () => {
  it('image-pull: cannot be pulled, with growing pauses, until it can', async () => {
    await begin({}, fail('image-pull times=2'));
    await cluster.until('first', () => cluster.main.state.waiting?.reason === 'ErrImagePull');
    await cluster.until('pause', () => cluster.main.state.waiting?.reason === 'ImagePullBackOff');
    await expect(cluster.log()).rejects.toThrow(
      'container "main" in pod "p" is waiting to start: trying and failing to pull image',
    );
    await cluster.running();
    expect(cluster.main.restartCount).toBe(0);
  });

  it('crash-loop: restarts at once, then after ten, twenty, forty seconds', async () => {
    await begin({}, fail('crash-loop exit=3 after=2s'));
    const at: number[] = [];
    await cluster.until('four restarts', () => {
      if (at.length < cluster.main.restartCount) at.push(cluster.world.clock.now());
      return cluster.main.restartCount === 4;
    });
    const gaps = at.slice(1).map((time, index) => Math.round((time - (at[index] ?? 0)) / 1000));
    expect(gaps).toEqual([12, 22, 42]);
    await cluster.until('pause', () => cluster.main.state.waiting !== undefined);
    expect(cluster.main.state.waiting).toEqual({
      reason: 'CrashLoopBackOff',
      message: `back-off 1m20s restarting failed container=main pod=p_default(${cluster.pod.metadata.uid})`,
    });
    expect(cluster.main.lastState.terminated).toMatchObject({ exitCode: 3, reason: 'Error' });
    expect(cluster.pod.status?.phase).toBe('Running');
    expect(await cluster.log({ previous: true })).toContain('fatal: exiting with code 3');
  });

  it('out-of-memory: is killed for it', async () => {
    await begin({}, fail('out-of-memory after=1s times=1'));
    await cluster.until('restarted', () => cluster.main.restartCount === 1 && cluster.main.ready);
    expect(cluster.main.lastState.terminated).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
  });

  it('liveness: is restarted when the probe fails', async () => {
    await begin({}, fail('liveness after=5s times=1'));
    await cluster.until('restarted', () => cluster.main.restartCount === 1 && cluster.main.ready);
    expect(reasons()).toContain('Unhealthy');
  });

  it('never-ready: runs without becoming ready, until the annotation goes', async () => {
    await begin({}, fail('never-ready'));
    await cluster.run(600_000);
    expect(cluster.pod.status?.phase === 'Running').toBe(true);
    expect(isReady(cluster.pod)).toBe(false);
    await cluster.world.patch(pods, 'default', 'p', {
      metadata: { annotations: { 'embedded.cutover.dev/fail': null } },
    });
    await cluster.run(5000);
    expect(isReady(cluster.pod)).toBe(true);
  });

  it('slow-start: becomes ready late', async () => {
    await begin({}, fail('slow-start for=90s'));
    await cluster.run(85_000);
    expect(isReady(cluster.pod)).toBe(false);
    await cluster.run(10_000);
    expect(isReady(cluster.pod)).toBe(true);
  });

  it('concerns only the container that is named', async () => {
    await begin(
      {
        containers: [
          { name: 'main', image: 'a' },
          { name: 'other', image: 'b' },
        ],
      },
      fail('crash-loop container=other'),
    );
    await cluster.run(60_000);
    expect(cluster.pod.status?.containerStatuses?.map((one) => one.restartCount > 0)).toEqual([false, true]);
  });

  it('that nobody knows is told, and the pod runs', async () => {
    await begin({}, fail('explode'));
    await cluster.running();
    expect(reasons()).toContain('InvalidFailure');
  });
});

describe('nodes that start on a store with history', () => {
  it('take over what was running without restarting it', async () => {
    await begin();
    await cluster.running();
    const before = cluster.pod;
    cluster.stop();
    const nodes = startNodes(cluster.world, { count: 3 });
    await cluster.run(5000);
    expect(cluster.pod).toEqual(before);
    await cluster.world.remove(pods, cluster.pod);
    await cluster.run(5000);
    expect(cluster.pods()).toEqual([]);
    nodes.stop();
  });

  it('go on with what was about to become ready', async () => {
    const probe = { httpGet: { port: 80 }, initialDelaySeconds: 60 };
    await begin({ containers: [{ name: 'main', image: 'app:1', readinessProbe: probe }] });
    await cluster.running();
    cluster.stop();
    const nodes = startNodes(cluster.world, { count: 3 });
    expect(isReady(cluster.pod)).toBe(false);
    await cluster.run(70_000);
    expect(isReady(cluster.pod)).toBe(true);
    nodes.stop();
  });

  it.each([
    ['has just ended', () => cluster.main.state.terminated !== undefined],
    ['waits to be restarted', () => cluster.main.state.waiting?.reason === 'CrashLoopBackOff'],
  ])('start again what %s, and do not forget how often it failed', async (_, stage) => {
    await begin({}, fail('crash-loop times=3'));
    await cluster.until('running', () => cluster.pod.status?.phase === 'Running');
    await cluster.until('the stage', stage);
    cluster.stop();
    const nodes = startNodes(cluster.world, { count: 3 });
    await cluster.run(120_000);
    expect(cluster.main).toMatchObject({ restartCount: 3, ready: true, lastState: { terminated: { exitCode: 1 } } });
    nodes.stop();
  });
});
