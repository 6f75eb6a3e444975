import { afterEach, describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { conditionOf } from '../controllers/condition.ts';
import { isReady } from '../controllers/pods.ts';
import { TestCluster } from '../controllers/test-cluster.ts';
import type { Pod } from '../kinds/objects/pod.ts';
import { configMaps, events, pods, secrets } from '../kinds/resource-types.ts';
import type { ExecOptions } from '../runtime.ts';
import { startNodes } from './start-nodes.ts';

let cluster: TestCluster;

afterEach(() => cluster.stop());

async function start(spec: Partial<Pod['spec']> = {}, annotations: Record<string, string> = {}): Promise<void> {
  cluster = new TestCluster();
  await cluster.run(100);
  const object: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default', labels: { app: 'p' }, annotations },
    spec: { containers: [{ name: 'main', image: 'app:1' }], ...spec },
  };
  await cluster.world.create(pods, object);
}

const pod = (): Pod => cluster.get<Pod>(pods, 'p');
const main = (): NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number] => {
  const [status] = pod().status?.containerStatuses ?? [];
  if (!status) throw new Error('no status yet');
  return status;
};
const running = (): boolean => pod().status?.phase === 'Running';
const fail = (what: string): Record<string, string> => ({ 'embedded.cutover.dev/fail': what });
const reasons = (): readonly unknown[] => cluster.world.list(events).map((event) => event.reason);

async function log(options: object = {}, from: Pod = pod()): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await cluster.runtime.log(from as unknown as AnyObject, options)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function exec(
  command: readonly string[],
  options: Partial<ExecOptions> = {},
  input = '',
): Promise<{ code: number; out: string; err: string }> {
  const session = await cluster.runtime.exec(pod() as unknown as AnyObject, {
    command,
    stdin: input !== '',
    tty: false,
    ...options,
  });
  if (input) session.write(Buffer.from(input));
  session.end();
  const text = { stdout: '', stderr: '' };
  const reading = (async () => {
    for await (const { stream, data } of session.output) text[stream] += Buffer.from(data).toString();
  })();
  await cluster.run(10_000);
  await reading;
  return { code: await session.exit, out: text.stdout, err: text.stderr };
}

describe('a pod on a node', () => {
  it('goes from Pending over ContainerCreating to Running and Ready, and tells every step', async () => {
    await start({
      containers: [{ name: 'main', image: 'app:1', readinessProbe: { httpGet: { port: 80 }, initialDelaySeconds: 2 } }],
    });
    const seen: string[] = [];
    await cluster.until('ready', () => {
      const { phase, containerStatuses } = pod().status ?? {};
      const line =
        `${phase} ${containerStatuses?.[0]?.state.waiting?.reason ?? ''}${isReady(pod()) ? 'ready' : ''}`.trim();
      if (seen.at(-1) !== line) seen.push(line);
      return isReady(pod());
    });
    expect(seen).toEqual(['Pending ContainerCreating', 'Running', 'Running ready']);
    expect(pod().status).toMatchObject({ podIP: '10.244.0.2', hostIP: '192.168.64.2', qosClass: 'BestEffort' });
    expect(main()).toMatchObject({ image: 'docker.io/library/app:1', ready: true, started: true, restartCount: 0 });
    expect(reasons()).toEqual(expect.arrayContaining(['Scheduled', 'Pulling', 'Pulled', 'Created', 'Started']));
    for (const type of ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready', 'PodReadyToStartContainers']) {
      expect(conditionOf(pod().status?.conditions, type)?.status).toBe('True');
    }
  });

  it('runs init containers in order before the others', async () => {
    await start({
      initContainers: [
        { name: 'first', image: 'busybox', command: ['sh', '-c', 'echo one; sleep 2'] },
        { name: 'second', image: 'busybox', command: ['echo', 'two'] },
      ],
    });
    await cluster.until('first runs', () => pod().status?.initContainerStatuses?.[0]?.state.running !== undefined);
    expect(pod().status?.initContainerStatuses?.[1]?.state.waiting?.reason).toBe('PodInitializing');
    expect(main().state.waiting?.reason).toBe('PodInitializing');
    await cluster.until('running', running);
    expect(pod().status?.initContainerStatuses?.map((one) => one.state.terminated?.exitCode)).toEqual([0, 0]);
    expect(await log({ container: 'second' })).toBe('two\n');
  });

  it('fails for good when an init container fails and nothing may be restarted', async () => {
    await start({ restartPolicy: 'Never', initContainers: [{ name: 'first', image: 'busybox', command: ['false'] }] });
    await cluster.until('failed', () => pod().status?.phase === 'Failed');
    expect(main().state.waiting?.reason).toBe('PodInitializing');
  });

  it.each([
    ['Never', ['true'], 'Succeeded', 0],
    ['Never', ['sh', '-c', 'exit 4'], 'Failed', 0],
    ['OnFailure', ['true'], 'Succeeded', 0],
  ] as const)('with restartPolicy %s and %j ends as %s', async (restartPolicy, command, phase, restarts) => {
    await start({ restartPolicy, containers: [{ name: 'main', image: 'busybox', command: [...command] }] });
    await cluster.until('ended', () => pod().status?.phase === phase);
    expect(main().restartCount).toBe(restarts);
  });

  it('is stopped by its own deadline', async () => {
    await start({ activeDeadlineSeconds: 10 });
    await cluster.until('failed', () => pod().status?.phase === 'Failed');
    expect(pod().status).toMatchObject({ reason: 'DeadlineExceeded' });
  });

  it('restarts a container whose image is changed', async () => {
    await start();
    await cluster.until('running', running);
    await cluster.world.update(pods, {
      ...pod(),
      spec: { ...pod().spec, containers: [{ ...pod().spec.containers[0], name: 'main', image: 'app:2' }] },
    });
    await cluster.until('restarted', () => main().restartCount === 1 && main().ready);
    expect(main().image).toBe('docker.io/library/app:2');
  });

  it('waits for a mounted ConfigMap, and starts as soon as it is there', async () => {
    await start({ volumes: [{ name: 'c', configMap: { name: 'late' } }] });
    await cluster.run(30_000);
    expect(main().state.waiting?.reason).toBe('ContainerCreating');
    const told = cluster.world.list(events).find((event) => event.reason === 'FailedMount');
    expect(told?.message).toBe('MountVolume.SetUp failed for volume "c" : configmap "late" not found');
    await cluster.world.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'late', namespace: 'default' },
    });
    await cluster.until('running', running);
  });

  it('says what is missing in its environment, and starts as soon as it is there', async () => {
    const env = [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 'late', key: 'k' } } }];
    await start({ containers: [{ name: 'main', image: 'app:1', env }] });
    await cluster.run(30_000);
    expect(main().state.waiting).toEqual({ reason: 'CreateContainerConfigError', message: 'secret "late" not found' });
    await cluster.world.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'late', namespace: 'default' },
      data: { k: 'dg==' },
    } as never);
    await cluster.until('running', running);
    expect((await exec(['sh', '-c', 'echo $KEY'])).out).toBe('v\n');
  });

  it('needs no timer and writes nothing while it merely runs', async () => {
    await start({
      containers: [
        {
          name: 'main',
          image: 'app:1',
          readinessProbe: { tcpSocket: { port: 1 } },
          livenessProbe: { tcpSocket: { port: 1 } },
        },
      ],
    });
    await cluster.until('ready', () => isReady(pod()));
    await cluster.run(1000);
    expect(cluster.world.clock.untilNext).toBeUndefined();
  });
});

describe('termination', () => {
  it('asks first, and removes the pod when its containers have ended', async () => {
    await start();
    await cluster.until('running', running);
    await cluster.world.remove(pods, pod());
    expect(pod().metadata.deletionTimestamp).toBeDefined();
    await cluster.run(2000);
    expect(cluster.pods()).toEqual([]);
    expect(reasons()).toContain('Killing');
  });

  it('kills what does not listen when the grace is over', async () => {
    await start({
      terminationGracePeriodSeconds: 20,
      containers: [{ name: 'main', image: 'busybox', command: ['sleep', 'infinity'] }],
    });
    await cluster.until('running', running);
    await cluster.world.remove(pods, pod());
    await cluster.run(19_000);
    expect(cluster.pods()).toHaveLength(1);
    await cluster.run(2000);
    expect(cluster.pods()).toEqual([]);
  });

  it('is hastened by a second, shorter grace', async () => {
    await start({ terminationGracePeriodSeconds: 600 }, fail('slow-stop'));
    await cluster.until('running', running);
    await cluster.world.remove(pods, pod());
    await cluster.run(10_000);
    await cluster.world.remove(pods, pod(), { graceSeconds: 1 });
    await cluster.run(2000);
    expect(cluster.pods()).toEqual([]);
  });
});

describe('a failure on demand', () => {
  it('image-pull: cannot be pulled, with growing pauses, until it can', async () => {
    await start({}, fail('image-pull times=2'));
    await cluster.until('first', () => main().state.waiting?.reason === 'ErrImagePull');
    await cluster.until('pause', () => main().state.waiting?.reason === 'ImagePullBackOff');
    await expect(log()).rejects.toThrow(
      'container "main" in pod "p" is waiting to start: trying and failing to pull image',
    );
    await cluster.until('running', running);
    expect(main().restartCount).toBe(0);
  });

  it('crash-loop: restarts at once, then after ten, twenty, forty seconds', async () => {
    await start({}, fail('crash-loop exit=3 after=2s'));
    const at: number[] = [];
    await cluster.until('four restarts', () => {
      if (at.length < main().restartCount) at.push(cluster.world.clock.now());
      return main().restartCount === 4;
    });
    const gaps = at.slice(1).map((time, index) => Math.round((time - (at[index] ?? 0)) / 1000));
    expect(gaps).toEqual([12, 22, 42]);
    await cluster.until('pause', () => main().state.waiting !== undefined);
    expect(main().state.waiting).toEqual({
      reason: 'CrashLoopBackOff',
      message: `back-off 1m20s restarting failed container=main pod=p_default(${pod().metadata.uid})`,
    });
    expect(main().lastState.terminated).toMatchObject({ exitCode: 3, reason: 'Error' });
    expect(pod().status?.phase).toBe('Running');
    expect(await log({ previous: true })).toContain('fatal: exiting with code 3');
  });

  it('out-of-memory: is killed for it', async () => {
    await start({}, fail('out-of-memory after=1s times=1'));
    await cluster.until('restarted', () => main().restartCount === 1 && main().ready);
    expect(main().lastState.terminated).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
  });

  it('liveness: is restarted when the probe fails', async () => {
    await start({}, fail('liveness after=5s times=1'));
    await cluster.until('restarted', () => main().restartCount === 1 && main().ready);
    expect(reasons()).toContain('Unhealthy');
  });

  it('never-ready: runs without becoming ready, until the annotation goes', async () => {
    await start({}, fail('never-ready'));
    await cluster.run(600_000);
    expect(running()).toBe(true);
    expect(isReady(pod())).toBe(false);
    await cluster.world.patch(pods, 'default', 'p', {
      metadata: { annotations: { 'embedded.cutover.dev/fail': null } },
    });
    await cluster.run(5000);
    expect(isReady(pod())).toBe(true);
  });

  it('slow-start: becomes ready late', async () => {
    await start({}, fail('slow-start for=90s'));
    await cluster.run(85_000);
    expect(isReady(pod())).toBe(false);
    await cluster.run(10_000);
    expect(isReady(pod())).toBe(true);
  });

  it('concerns only the container that is named', async () => {
    await start(
      {
        containers: [
          { name: 'main', image: 'a' },
          { name: 'other', image: 'b' },
        ],
      },
      fail('crash-loop container=other'),
    );
    await cluster.run(60_000);
    expect(pod().status?.containerStatuses?.map((one) => one.restartCount > 0)).toEqual([false, true]);
  });

  it('that nobody knows is told, and the pod runs', async () => {
    await start({}, fail('explode'));
    await cluster.until('running', running);
    expect(reasons()).toContain('InvalidFailure');
  });
});

describe('logs', () => {
  const talk = {
    name: 'main',
    image: 'busybox',
    command: ['sh', '-c', 'for n in 1 2 3 4 5; do echo line $n; sleep 10; done; sleep infinity'],
  };

  it('are read whole, from the tail, since a time, with times, and cut', async () => {
    await start({ containers: [talk] });
    await cluster.until('running', running);
    await cluster.run(60_000);
    expect(await log()).toBe('line 1\nline 2\nline 3\nline 4\nline 5\n');
    expect(await log({ tailLines: 2 })).toBe('line 4\nline 5\n');
    expect(await log({ sinceSeconds: 35 })).toBe('line 4\nline 5\n');
    expect(await log({ limitBytes: 9 })).toBe('line 1\nli');
    expect(await log({ timestamps: true, tailLines: 1 })).toMatch(/^2030-01-01T00:\d\d:\d\d\.\d{9}Z line 5\n$/);
  });

  it('are followed until the container ends', async () => {
    await start({
      restartPolicy: 'Never',
      containers: [{ ...talk, command: ['sh', '-c', 'echo a; sleep 5; echo b'] }],
    });
    await cluster.until('running', running);
    const following = log({ follow: true });
    await cluster.run(10_000);
    expect(await following).toBe('a\nb\n');
  });

  it('of an idle service cost nothing until they are read, and go on when followed', async () => {
    await start();
    await cluster.until('running', running);
    await cluster.run(180_000);
    expect(cluster.world.clock.untilNext).toBeUndefined();
    expect((await log()).split('\n').filter((line) => line.includes('still running'))).toHaveLength(3);
    const stop = new AbortController();
    const following = log({ follow: true, tailLines: 0, signal: stop.signal });
    await cluster.run(125_000);
    stop.abort();
    await cluster.run(1);
    expect((await following).split('\n').filter(Boolean)).toHaveLength(2);
    expect(cluster.world.clock.untilNext).toBeUndefined();
  });

  it.each([
    [{}, 'a container name must be specified for pod p, choose one of: [main other]'],
    [{ container: 'nope' }, 'container nope is not valid for pod p'],
    [{ container: 'main', previous: true }, 'previous terminated container "main" in pod "p" not found'],
  ])('refuse %j in the words of Kubernetes', async (options, message) => {
    await start({ containers: [talk, { name: 'other', image: 'b' }] });
    await cluster.until('running', running);
    await cluster.run(5000);
    await expect(log(options)).rejects.toThrow(message);
  });
});

describe('exec', () => {
  it.each([
    [['echo', 'hello', 'world'], 0, 'hello world\n', ''],
    [['sh', '-c', 'echo one && false || echo two; exit 7'], 7, 'one\ntwo\n', ''],
    [['hostname'], 0, 'p\n', ''],
    [['cat', '/etc/config/greeting'], 0, 'hello', ''],
    [['ls', '/etc/config'], 0, 'greeting\n', ''],
    [['cat', '/nope'], 1, '', "cat: can't open '/nope': No such file or directory\n"],
    [['sh', '-c', 'foo'], 127, '', 'sh: foo: not found\n'],
    [['sleep', '3'], 0, '', ''],
    [['date'], 0, expect.stringMatching(/^Tue Jan {2}1 00:0\d:\d\d UTC 2030\n$/), ''],
  ])('of %j ends with %i', async (command, code, out, err) => {
    await start({
      containers: [{ name: 'main', image: 'app:1', volumeMounts: [{ name: 'c', mountPath: '/etc/config' }] }],
      volumes: [{ name: 'c', configMap: { name: 'settings' } }],
    });
    await cluster.world.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'default' },
      data: { greeting: 'hello' },
    } as never);
    await cluster.until('running', running);
    expect(await exec(command)).toEqual({ code, out, err });
  });

  it('of a command that is not there says so as the runtime does', async () => {
    await start();
    await cluster.until('running', running);
    const { code, err } = await exec(['python']);
    expect(code).toBe(126);
    expect(err).toContain('exec: "python": executable file not found in $PATH');
  });

  it('reads standard input, as text or as commands', async () => {
    await start();
    await cluster.until('running', running);
    expect((await exec(['cat'], {}, 'piped')).out).toBe('piped');
    expect((await exec(['sh'], {}, 'echo a\nexit 3\n')).out).toBe('a\n');
  });

  it('is refused where nothing runs', async () => {
    await start({ restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox', command: ['true'] }] });
    await cluster.until('ended', () => pod().status?.phase === 'Succeeded');
    await expect(exec(['date'])).rejects.toThrow(
      'cannot exec into a container in a completed pod; current phase is Succeeded',
    );
  });
});

describe('a request to a pod', () => {
  it('is answered by its program, or refused where none listens', async () => {
    await start({ containers: [{ name: 'main', image: 'nginx', ports: [{ containerPort: 8080 }] }] });
    await cluster.until('running', running);
    const request = (port: number) =>
      cluster.runtime.request(pod() as unknown as AnyObject, port, { method: 'GET', path: '/hi' });
    const response = await request(8080);
    expect(response.status).toBe(200);
    await expect(request(9)).rejects.toThrow(
      'error trying to reach service: dial tcp 10.244.0.2:9: connect: connection refused',
    );
  });
});

describe('nodes that start on a store with history', () => {
  it('take over what was running without restarting it', async () => {
    await start();
    await cluster.until('running', running);
    const before = pod();
    cluster.stop();
    const nodes = startNodes(cluster.world, { count: 3 });
    await cluster.run(5000);
    expect(pod()).toEqual(before);
    await cluster.world.remove(pods, pod());
    await cluster.run(5000);
    expect(cluster.pods()).toEqual([]);
    nodes.stop();
  });
});
