import { describe, expect, it } from 'vitest';
import { type Any, eventually } from './api.ts';
import { statefulSet } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();
const sets = (...rest: string[]): string => server().group('apps/v1', 'statefulsets', ...rest);

/** What the pods of a revision are made from. One that `waits` is never scheduled, so it never becomes ready. */
const template = (app: string, tag: string, waits = false): Any => ({
  metadata: { labels: { app } },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [{ name: 'main', image: `nginx:${tag}` }],
    ...(waits && { nodeSelector: { 'example.com/nowhere': 'yes' } }),
  },
});

interface Shape {
  readonly replicas: number;
  readonly partition?: number;
  readonly maxUnavailable?: number;
  readonly template?: Any;
}

/** One write of size, strategy and template, as a roll with a surge begins. */
async function change(
  app: string,
  { replicas, partition = 0, maxUnavailable = 1, template: made }: Shape,
): Promise<void> {
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition, maxUnavailable } };
  const values = { replicas, updateStrategy, ...(made && { template: made }) };
  const patch = Object.entries(values).map(([field, value]) => ({ op: 'add', path: `/spec/${field}`, value }));
  await server().api.must('PATCH', sets(app), patch, { 'content-type': 'application/json-patch+json' });
}

async function start(app: string, replicas: number): Promise<void> {
  const spec = { replicas, podManagementPolicy: 'Parallel', template: template(app, '1') };
  await server().api.must('POST', sets(), statefulSet(app, spec));
  await eventually(async () => expect(Object.keys(await ready(app))).toHaveLength(replicas));
}

async function pods(app: string): Promise<Any[]> {
  const { api, core } = server();
  const { items } = await api.must('GET', `${core('pods')}?labelSelector=app%3D${app}`);
  return items.filter((pod: Any) => !pod.metadata.deletionTimestamp);
}

/** By name: what they run, of those that are ready. */
async function ready(app: string): Promise<Record<string, string>> {
  const up = (await pods(app)).filter(({ status }) =>
    status.conditions?.some((one: Any) => one.type === 'Ready' && one.status === 'True'),
  );
  return Object.fromEntries(up.map(({ metadata, spec }) => [metadata.name, spec.containers[0].image.split(':')[1]]));
}

async function uids(app: string): Promise<Record<string, string>> {
  return Object.fromEntries((await pods(app)).map(({ metadata }) => [metadata.name, metadata.uid]));
}

describe('a StatefulSet that is made larger to roll', () => {
  it('takes nothing away while the extra pod is not ready, and replaces it at once with the next revision', async () => {
    await start('fixed', 2);
    const before = await uids('fixed');
    await change('fixed', { replicas: 3, template: template('fixed', '2', true) });
    const stuck = await eventually(async () => {
      const uid = (await uids('fixed'))['fixed-2'];
      expect(uid).toBeDefined();
      return uid;
    });
    await change('fixed', { replicas: 3, template: template('fixed', '3') });
    await eventually(async () =>
      expect(await ready('fixed')).toEqual({ 'fixed-0': '3', 'fixed-1': '3', 'fixed-2': '3' }),
    );
    expect(Object.values(await uids('fixed'))).not.toContain(stuck);
    expect(Object.values(await uids('fixed'))).not.toContain(before['fixed-0']);
  });

  it('restarts none of its pods on the way back to the template that they were made from', async () => {
    await start('back', 2);
    const before = await uids('back');
    const { spec } = await server().api.must('GET', sets('back'));
    await change('back', { replicas: 3, template: template('back', '2', true) });
    await eventually(async () => expect(Object.keys(await uids('back'))).toHaveLength(3));
    await change('back', { replicas: 3, template: spec.template });
    await eventually(async () => expect(await ready('back')).toEqual({ 'back-0': '1', 'back-1': '1', 'back-2': '1' }));
    await change('back', { replicas: 2 });
    await eventually(async () => {
      expect(await uids('back')).toEqual(before);
      const { status } = await server().api.must('GET', sets('back'));
      expect(status).toMatchObject({ replicas: 2, updatedReplicas: 2, readyReplicas: 2 });
    });
  });

  it('replaces as many at once as it was made larger by, and never has fewer ready than before', async () => {
    await start('wide', 3);
    const { api, core } = server();
    const { resourceVersion } = (await api.must('GET', core('pods'))).metadata;
    const watch = await api.watch(
      `${core('pods')}?watch=true&labelSelector=app%3Dwide&resourceVersion=${resourceVersion}`,
    );
    const up = new Map(Object.entries(await ready('wide')));
    let fewest = up.size;
    await change('wide', { replicas: 5, maxUnavailable: 2, template: template('wide', '2') });
    await watch.until(({ type, object }) => {
      const { name, deletionTimestamp } = object.metadata;
      const isReady = object.status.conditions?.some((one: Any) => one.type === 'Ready' && one.status === 'True');
      if (type === 'DELETED' || deletionTimestamp || !isReady) up.delete(name);
      else up.set(name, object.spec.containers[0].image.split(':')[1]);
      fewest = Math.min(fewest, up.size);
      return up.size === 5 && [...up.values()].every((tag) => tag === '2');
    });
    watch.close();
    expect(fewest).toBe(3);
  });

  it('holds a canary on top, and makes what is below anew from the revision before', async () => {
    await start('held', 2);
    await change('held', { replicas: 3, partition: 2, template: template('held', '2') });
    await eventually(async () => expect(await ready('held')).toEqual({ 'held-0': '1', 'held-1': '1', 'held-2': '2' }));
    const { api, core } = server();
    const { 'held-0': gone } = await uids('held');
    await api.must('DELETE', core('pods', 'held-0'));
    await eventually(async () => {
      expect(await ready('held')).toEqual({ 'held-0': '1', 'held-1': '1', 'held-2': '2' });
      expect((await uids('held'))['held-0']).not.toBe(gone);
    });
  });

  it('frees what never became ready of a revision before, however many', async () => {
    await start('freed', 1);
    await change('freed', { replicas: 1, template: template('freed', '2', true) });
    await eventually(async () => expect(await ready('freed')).toEqual({}));
    await change('freed', { replicas: 2, template: template('freed', '3') });
    await eventually(async () => expect(await ready('freed')).toEqual({ 'freed-0': '3', 'freed-1': '3' }));
  });
});
