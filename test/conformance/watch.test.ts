import { describe, expect, it } from 'vitest';
import type { Any } from './api.ts';
import { configMap } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();

/** Watches one label of this file's own, so that chapters do not see each other. */
const selecting = (label: string): string => `labelSelector=${encodeURIComponent(`watch=${label}`)}`;
const labelled = (name: string, label: string, data: Record<string, string> = {}): Any =>
  configMap(name, data, { labels: { watch: label } });

const now = async (): Promise<string> => {
  const { api, core } = server();
  return (await api.must('GET', `${core('configmaps')}?limit=1`)).metadata.resourceVersion;
};

describe('watch', () => {
  it('tells of every change after the given resource version, in order', async () => {
    const { api, core } = server();
    const start = await now();
    const made = await api.must('POST', core('configmaps'), labelled('ordered', 'order'));
    await api.merge(core('configmaps', 'ordered'), { data: { step: '1' } });
    await api.merge(core('configmaps', 'ordered'), { data: { step: '2' } });
    const deleted = await api.must('DELETE', core('configmaps', 'ordered'));
    const watch = await api.watch(`${core('configmaps')}?watch=true&resourceVersion=${start}&${selecting('order')}`);
    const events = [await watch.next(), await watch.next(), await watch.next(), await watch.next()];
    watch.close();
    expect(events.map((event) => event.type)).toEqual(['ADDED', 'MODIFIED', 'MODIFIED', 'DELETED']);
    expect(events.map((event) => event.object.data?.step)).toEqual([undefined, '1', '2', '2']);
    expect(events[0]?.object).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { uid: made.metadata.uid },
    });
    const versions = events.map((event) => Number(event.object.metadata.resourceVersion));
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(new Set(versions).size).toBe(4);
    expect(deleted.status).toBe('Success');
  });

  it('begins with what exists when no resource version is given', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), labelled('already-1', 'synthetic'));
    await api.must('POST', core('configmaps'), labelled('already-2', 'synthetic'));
    const watch = await api.watch(`${core('configmaps')}?watch=true&${selecting('synthetic')}`);
    const first = [await watch.next(), await watch.next()];
    expect(first.map((event) => [event.type, event.object.metadata.name])).toEqual([
      ['ADDED', 'already-1'],
      ['ADDED', 'already-2'],
    ]);
    await api.must('POST', core('configmaps'), labelled('already-3', 'synthetic'));
    expect((await watch.next()).object.metadata.name).toBe('already-3');
    watch.close();
  });

  it('turns into ADDED and DELETED what starts and stops to match', async () => {
    const { api, core } = server();
    const watch = await api.watch(
      `${core('configmaps')}?watch=true&resourceVersion=${await now()}&${selecting('crossing')}`,
    );
    await api.must('POST', core('configmaps'), configMap('crosser'));
    await api.merge(core('configmaps', 'crosser'), { metadata: { labels: { watch: 'crossing' } } });
    await api.merge(core('configmaps', 'crosser'), { data: { a: 'b' } });
    const out = await api.merge(core('configmaps', 'crosser'), { metadata: { labels: { watch: 'elsewhere' } } });
    const events = [await watch.next(), await watch.next(), await watch.next()];
    watch.close();
    expect(events.map((event) => event.type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(events[2]?.object.metadata.labels).toEqual({ watch: 'crossing' });
    expect(events[2]?.object.metadata.resourceVersion).toBe(out.body.metadata.resourceVersion);
  });

  it('ends by itself after timeoutSeconds', async () => {
    const { api, core } = server();
    const watch = await api.watch(
      `${core('configmaps')}?watch=true&timeoutSeconds=1&resourceVersion=${await now()}&${selecting('brief')}`,
    );
    expect(await watch.rest()).toEqual([]);
  });

  it('watches a single object by name', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), configMap('single'));
    const watch = await api.watch(
      `${core('configmaps')}?watch=true&fieldSelector=metadata.name%3Dsingle&resourceVersion=${await now()}`,
    );
    await api.must('POST', core('configmaps'), configMap('single-other'));
    await api.merge(core('configmaps', 'single'), { data: { a: 'b' } });
    expect((await watch.next()).object.metadata.name).toBe('single');
    watch.close();
  });

  it('shows an object with finalizers as modified before it is deleted', async () => {
    const { api, core } = server();
    const object = labelled('finalized', 'finalizing');
    object.metadata.finalizers = ['conformance.invalid/hold'];
    await api.must('POST', core('configmaps'), object);
    const watch = await api.watch(
      `${core('configmaps')}?watch=true&resourceVersion=${await now()}&${selecting('finalizing')}`,
    );
    await api.must('DELETE', core('configmaps', 'finalized'));
    await api.merge(core('configmaps', 'finalized'), { metadata: { finalizers: null } });
    const first = await watch.next();
    expect(first.type).toBe('MODIFIED');
    expect(first.object.metadata.deletionTimestamp).toBeDefined();
    expect((await watch.until((event) => event.type === 'DELETED')).object.metadata.name).toBe('finalized');
    watch.close();
  });

  it('refuses a resource version that is none', async () => {
    const { api, core } = server();
    const watch = await api.watch(`${core('configmaps')}?watch=true&resourceVersion=abc`);
    expect((await watch.next()).object).toMatchObject({ kind: 'Status', status: 'Failure' });
  });
});

describe('bookmarks and streaming lists', () => {
  const streaming = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

  it('streams what exists, then a bookmark that says so, then changes', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), labelled('stream-1', 'stream'));
    const last = await api.must('POST', core('configmaps'), labelled('stream-2', 'stream'));
    const watch = await api.watch(`${core('configmaps')}?${streaming}&${selecting('stream')}`);
    const first = [await watch.next(), await watch.next()];
    expect(first.map((event) => event.type)).toEqual(['ADDED', 'ADDED']);
    expect(first.map((event) => event.object.metadata.name).sort()).toEqual(['stream-1', 'stream-2']);
    const mark = await watch.next();
    expect(mark.type).toBe('BOOKMARK');
    expect(mark.object).toMatchObject({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } },
    });
    expect(Number(mark.object.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(last.metadata.resourceVersion));
    await api.merge(core('configmaps', 'stream-1'), { data: { a: 'b' } });
    expect((await watch.until((event) => event.type !== 'BOOKMARK')).type).toBe('MODIFIED');
    watch.close();
  });

  it('sends the bookmark at once when nothing exists', async () => {
    const { api, core } = server();
    const watch = await api.watch(`${core('configmaps')}?${streaming}&${selecting('nothing')}`);
    expect((await watch.next()).type).toBe('BOOKMARK');
    watch.close();
  });

  it.each([
    [
      'watch=true&sendInitialEvents=true',
      'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      'watch=true&resourceVersionMatch=NotOlderThan',
      'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
    ['watch=true&sendInitialEvents=true&resourceVersionMatch=Exact', 'resourceVersionMatch'],
  ])('refuses %s', async (query, message) => {
    const { api, core } = server();
    const watch = await api.watch(`${core('configmaps')}?${query}`);
    const { object } = await watch.next();
    expect(object).toMatchObject({ kind: 'Status', code: 422, reason: 'Invalid' });
    expect(object.message).toContain(message);
  });
});
