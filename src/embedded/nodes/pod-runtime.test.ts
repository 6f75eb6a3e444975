import { afterEach, describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { configMaps } from '../kinds/resource-types.ts';
import { TestPod } from './test-pod.ts';

let cluster: TestPod;

afterEach(() => cluster.stop());

const begin = async (...what: Parameters<typeof TestPod.start>): Promise<void> => {
  cluster = await TestPod.start(...what);
};

describe('logs', () => {
  const talk = {
    name: 'main',
    image: 'busybox',
    command: ['sh', '-c', 'for n in 1 2 3 4 5; do echo line $n; sleep 10; done; sleep infinity'],
  };

  it('are read whole, from the tail, since a time, with times, and cut', async () => {
    await begin({ containers: [talk] });
    await cluster.running();
    await cluster.run(60_000);
    expect(await cluster.log()).toBe('line 1\nline 2\nline 3\nline 4\nline 5\n');
    expect(await cluster.log({ tailLines: 2 })).toBe('line 4\nline 5\n');
    expect(await cluster.log({ sinceSeconds: 35 })).toBe('line 4\nline 5\n');
    expect(await cluster.log({ limitBytes: 9 })).toBe('line 1\nli');
    expect(await cluster.log({ timestamps: true, tailLines: 1 })).toMatch(/^2030-01-01T00:\d\d:\d\d\.\d{9}Z line 5\n$/);
  });

  it('are followed until the container ends', async () => {
    await begin({
      restartPolicy: 'Never',
      containers: [{ ...talk, command: ['sh', '-c', 'echo a; sleep 5; echo b'] }],
    });
    await cluster.running();
    const following = cluster.log({ follow: true });
    await cluster.run(10_000);
    expect(await following).toBe('a\nb\n');
  });

  it('of an idle service cost nothing until they are read, and go on when followed', async () => {
    await begin();
    await cluster.running();
    await cluster.run(180_000);
    expect(cluster.world.clock.untilNext).toBeUndefined();
    expect((await cluster.log()).split('\n').filter((line) => line.includes('still running'))).toHaveLength(3);
    const stop = new AbortController();
    const following = cluster.log({ follow: true, tailLines: 0, signal: stop.signal });
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
    await begin({ containers: [talk, { name: 'other', image: 'b' }] });
    await cluster.running();
    await cluster.run(5000);
    await expect(cluster.log(options)).rejects.toThrow(message);
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
    await begin({
      containers: [{ name: 'main', image: 'app:1', volumeMounts: [{ name: 'c', mountPath: '/etc/config' }] }],
      volumes: [{ name: 'c', configMap: { name: 'settings' } }],
    });
    await cluster.world.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'default' },
      data: { greeting: 'hello' },
    } as never);
    await cluster.running();
    expect(await cluster.exec(command)).toEqual({ code, out, err });
  });

  it('cannot write into what Kubernetes mounts', async () => {
    await begin({
      containers: [{ name: 'main', image: 'app:1', volumeMounts: [{ name: 'c', mountPath: '/etc/config' }] }],
      volumes: [{ name: 'c', configMap: { name: 'none', optional: true } }],
    });
    await cluster.running();
    expect(await cluster.exec(['sh', '-c', 'echo no > /etc/config/x'])).toEqual({
      code: 1,
      out: '',
      err: "sh: can't create /etc/config/x: Read-only file system\n",
    });
  });

  it('reaches files that an init container left in a shared volume, and those alone', async () => {
    const volumeMounts = [{ name: 'shared', mountPath: '/out' }];
    await begin({
      initContainers: [
        {
          name: 'init',
          image: 'busybox',
          command: ['sh', '-c', 'echo -n secret > /out/deep/key; echo x > /tmp/x'],
          volumeMounts,
        },
      ],
      containers: [{ name: 'main', image: 'busybox', command: ['sleep', 'infinity'], volumeMounts }],
      volumes: [{ name: 'shared', emptyDir: {} }],
    });
    await cluster.running();
    expect(await cluster.exec(['stat', '-c', '%s', '/out/deep/key'])).toEqual({ code: 0, out: '6\n', err: '' });
    expect((await cluster.exec(['cat', '/tmp/x'])).code).toBe(1);
    const { code, out } = await cluster.exec(['tar', 'cf', '-', '/out/deep/key']);
    expect(code).toBe(0);
    expect(out).toHaveLength(4 * 512);
    expect(out.slice(0, 13)).toBe('out/deep/key\0');
    expect(out.slice(512, 518)).toBe('secret');
    // What is written by a command is there for the next one.
    await cluster.exec(['sh', '-c', 'echo more >> /out/deep/key']);
    expect((await cluster.exec(['cat', '/out/deep/key'])).out).toBe('secretmore\n');
  });

  it('of a command that is not there says so as the runtime does', async () => {
    await begin();
    await cluster.running();
    const { code, err } = await cluster.exec(['python']);
    expect(code).toBe(126);
    expect(err).toContain('exec: "python": executable file not found in $PATH');
  });

  it('reads standard input, as text or as commands', async () => {
    await begin();
    await cluster.running();
    expect((await cluster.exec(['cat'], 'piped')).out).toBe('piped');
    expect((await cluster.exec(['sh'], 'echo a\nexit 3\n')).out).toBe('a\n');
  });

  it('is refused where nothing runs', async () => {
    await begin({ restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox', command: ['true'] }] });
    await cluster.until('ended', () => cluster.pod.status?.phase === 'Succeeded');
    await expect(cluster.exec(['date'])).rejects.toThrow(
      'cannot exec into a container in a completed pod; current phase is Succeeded',
    );
  });
});

describe('a request to a pod', () => {
  it('is answered by its program, or refused where none listens', async () => {
    await begin({ containers: [{ name: 'main', image: 'nginx', ports: [{ containerPort: 8080 }] }] });
    await cluster.running();
    const request = (port: number) =>
      cluster.runtime.request(cluster.pod as unknown as AnyObject, port, { method: 'GET', path: '/hi' });
    const response = await request(8080);
    expect(response.status).toBe(200);
    await expect(request(9)).rejects.toThrow(
      'error trying to reach service: dial tcp 10.244.0.2:9: connect: connection refused',
    );
  });
});
