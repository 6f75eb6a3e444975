import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configMap, TestServer } from './test-server.ts';

const maps = '/api/v1/namespaces/paged/configmaps';
let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
  await server.ask('POST', '/api/v1/namespaces', { metadata: { name: 'paged' } });
});
afterEach(async () => {
  expect(server.troubles).toEqual([]);
  await server.close();
});

const only = '&labelSelector=app';
const item = (name: string, app = 'x'): object => configMap(name, {}, { labels: { app } });
const namesOf = (list: { items: { metadata: { name: string } }[] }): string[] =>
  list.items.map((one) => one.metadata.name);

describe('a list in pages', () => {
  it('shows every page as of the first, whatever is written in between', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await server.ask('POST', maps, item(name));
    const first = (await server.ask('GET', `${maps}?limit=2${only}`)).body;
    await server.ask('DELETE', `${maps}/c`);
    await server.ask('POST', maps, item('bb'));
    const second = (await server.ask('GET', `${maps}?limit=2${only}&continue=${first.metadata.continue}`)).body;
    const third = (await server.ask('GET', `${maps}?limit=2${only}&continue=${second.metadata.continue}`)).body;
    expect([first, second, third].flatMap(namesOf)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(third.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    expect(third.metadata.continue).toBeUndefined();
  });

  it('refuses a page that is too old, and hands out a token for the rest as it is now', async () => {
    for (const name of ['a', 'b', 'c']) await server.ask('POST', maps, item(name));
    const first = (await server.ask('GET', `${maps}?limit=1${only}`)).body;
    for (const name of ['d', 'e']) {
      await server.ask('POST', maps, item(name));
      await server.clock.advance(6 * 60_000);
    }
    await server.ask('DELETE', `${maps}/e`);
    const expired = (await server.ask('GET', `${maps}?limit=1${only}&continue=${first.metadata.continue}`)).body;
    expect(expired).toMatchObject({ code: 410, reason: 'Expired' });
    const rest = (await server.ask('GET', `${maps}?${only}&continue=${expired.metadata.continue}`)).body;
    expect(namesOf(rest)).toEqual(['b', 'c', 'd']);
  });

  it('can be asked for as it was at an exact revision', async () => {
    const { body } = await server.ask('POST', maps, item('a'));
    await server.ask('POST', maps, item('b'));
    const query = `?resourceVersion=${body.metadata.resourceVersion}&resourceVersionMatch=Exact${only}`;
    const past = (await server.ask('GET', `${maps}${query}`)).body;
    expect(namesOf(past)).toEqual(['a']);
    expect(past.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
  });

  it.each([
    ['limit=x', 400],
    ['continue=zzz', 400],
    ['resourceVersion=abc', 400],
    ['labelSelector=a%3D%3D%3Db', 400],
    ['fieldSelector=spec.nodeName=x', 400],
    ['resourceVersion=5&resourceVersionMatch=Sometimes', 422],
    ['resourceVersionMatch=Exact', 422],
    ['sendInitialEvents=true', 422],
    ['resourceVersion=999999', 504],
  ])('refuses %s', async (query, code) => {
    expect((await server.ask('GET', `${maps}?${query}`)).body).toMatchObject({ kind: 'Status', code });
  });
});

describe('a watch', () => {
  const told = (watch: { events: { type: string; object: { metadata: { name?: string } } }[] }): string[] =>
    watch.events.map(({ type, object }) => `${type} ${object.metadata?.name ?? ''}`.trim());

  it('tells every change once and in order, from the revision on that it names', async () => {
    const { body } = await server.ask('POST', maps, item('a'));
    await server.merge(`${maps}/a`, { data: { x: '1' } });
    const watch = server.watch(`${maps}?watch=true&resourceVersion=${body.metadata.resourceVersion}`);
    await server.clock.advance(1);
    await server.ask('POST', maps, item('b'));
    await server.ask('DELETE', `${maps}/a`);
    await server.clock.advance(1);
    expect(told(watch)).toEqual(['MODIFIED a', 'ADDED b', 'DELETED a']);
    const revisions = watch.events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(revisions).toEqual([...revisions].sort((x, y) => x - y));
    watch.stop();
  });

  it('begins with what is there when it names no revision', async () => {
    await server.ask('POST', maps, item('a'));
    const watch = server.watch(`${maps}?watch=true${only}`);
    await server.clock.advance(1);
    expect(told(watch)).toEqual(['ADDED a']);
    watch.stop();
  });

  it('tells when an object begins or ceases to be selected', async () => {
    await server.ask('POST', maps, item('a', 'other'));
    const watch = server.watch(`${maps}?watch=true&labelSelector=app=x`);
    await server.clock.advance(1);
    await server.merge(`${maps}/a`, { metadata: { labels: { app: 'x' } } });
    await server.merge(`${maps}/a`, { data: { n: '1' } });
    const left = await server.merge(`${maps}/a`, { metadata: { labels: { app: 'y' } } });
    await server.merge(`${maps}/a`, { data: { n: '2' } });
    await server.clock.advance(1);
    expect(told(watch)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    const last = watch.events.at(-1)?.object;
    expect(last?.metadata.labels?.app).toBe('x');
    expect(last?.metadata.resourceVersion).toBe(left.body.metadata.resourceVersion);
    watch.stop();
  });

  it('streams the initial list and marks its end, then bookmarks every minute', async () => {
    await server.ask('POST', maps, item('a'));
    const watch = server.watch(
      `${maps}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true${only}`,
    );
    await server.clock.advance(1);
    expect(told(watch)).toEqual(['ADDED a', 'BOOKMARK']);
    expect(watch.events[1]?.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
    await server.clock.advance(61_000);
    expect(told(watch).slice(2)).toEqual(['BOOKMARK']);
    expect(watch.events[2]?.object.metadata.annotations).toBeUndefined();
    watch.stop();
  });

  it('is told in the stream that its revision is forgotten', async () => {
    const watch = server.watch(`${maps}?watch=true&resourceVersion=1`);
    await watch.over;
    expect(watch.events).toMatchObject(
      [
        {
          type: 'ERROR',
          object: { kind: 'Status', code: 410, reason: 'Expired', message: /^too old resource version: 1 \(\d+\)$/ },
        },
      ].map(({ type, object }) => ({ type, object: { ...object, message: expect.stringMatching(object.message) } })),
    );
  });

  it('ends when its time is up', async () => {
    const watch = server.watch(`${maps}?watch=true&timeoutSeconds=5`);
    let over = false;
    watch.over.then(() => {
      over = true;
    });
    await server.clock.advance(4000);
    expect(over).toBe(false);
    await server.clock.advance(2000);
    expect(over).toBe(true);
  });
});
