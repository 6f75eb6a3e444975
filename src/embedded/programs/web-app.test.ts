import { afterEach, describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { isReady } from '../controllers/pods.ts';
import type { Container } from '../kinds/objects/pod.ts';
import { events, pods } from '../kinds/resource-types.ts';
import { TestPod } from '../nodes/test-pod.ts';

let cluster: TestPod;

afterEach(() => cluster.stop());

const probe = (path?: string, port = 8080) => (path ? { httpGet: { path, port } } : { tcpSocket: { port } });

async function start(container: Partial<Container> = {}): Promise<void> {
  cluster = await TestPod.start({
    terminationGracePeriodSeconds: 40,
    containers: [{ name: 'main', image: 'rig.local/app:1', ports: [{ containerPort: 8080 }], ...container }],
  });
}

async function get(path: string, port = 8080): Promise<{ status: number; text: string }> {
  const { status, body } = await cluster.runtime.request(cluster.pod as unknown as AnyObject, port, {
    method: 'GET',
    path,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return { status, text: Buffer.concat(chunks).toString() };
}

const told = (): readonly unknown[] => cluster.world.list(events).map((event) => event.note ?? event.message);

describe('a web app', () => {
  it('listens on PORT, says which instance it is, and logs who asked', async () => {
    await start({ env: [{ name: 'PORT', value: '9000' }], readinessProbe: probe('/ready', 9000) });
    await cluster.until('ready', () => isReady(cluster.pod));
    expect(await get('/', 9000)).toEqual({ status: 200, text: 'hello from p\n' });
    await expect(get('/', 8080)).rejects.toThrow('connection refused');
    expect(await cluster.log()).toBe('app listening on 9000 as p\nGET /\n');
  });

  it.each([
    ['a port on which nobody listens', probe(undefined, 81), 'Readiness probe failed: dial tcp 10.244.0.2:81'],
    ['a path that is not there', probe('/missing'), 'Readiness probe failed: HTTP probe failed with statuscode: 404'],
  ])('does not become ready when it is probed at %s', async (_, readinessProbe, message) => {
    await start({ readinessProbe });
    await cluster.run(120_000);
    expect(cluster.main).toMatchObject({ ready: false, started: true, restartCount: 0 });
    expect(told()).toContainEqual(expect.stringContaining(message));
  });

  it('is restarted when it does not start to answer in time', async () => {
    await start({ startupProbe: { ...probe(undefined, 81), periodSeconds: 2, failureThreshold: 5 } });
    await cluster.until('restarted', () => cluster.main.restartCount === 2);
    expect(isReady(cluster.pod)).toBe(false);
    expect(told()).toContain('Container main failed startup probe, will be restarted');
  });

  it('answers while it sleeps before its end, and ends then', async () => {
    await start({ lifecycle: { preStop: { sleep: { seconds: 5 } } }, readinessProbe: probe('/ready') });
    await cluster.until('ready', () => isReady(cluster.pod));
    await cluster.world.remove(pods, cluster.pod);
    await cluster.run(4900);
    expect(await get('/')).toMatchObject({ status: 200 });
    expect(await cluster.log()).not.toContain('SIGTERM');
    await cluster.run(300);
    expect(cluster.world.get(pods, 'default', 'p')).toBeUndefined();
  });

  it('crashes when it is told to, again and again', async () => {
    await start({ env: [{ name: 'CRASH', value: '3' }] });
    await cluster.until('backs off', () => cluster.main.state.waiting?.reason === 'CrashLoopBackOff');
    expect(cluster.main.lastState?.terminated).toMatchObject({ exitCode: 3, reason: 'Error' });
  });

  it('cannot be pulled from a registry that is nowhere', async () => {
    await start({ image: 'registry.invalid/app:1' });
    await cluster.until('fails', () => cluster.main.state.waiting?.reason === 'ImagePullBackOff');
    expect(cluster.main.state.waiting?.message).toContain('lookup registry.invalid: no such host');
  });
});
