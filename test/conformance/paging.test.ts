import { beforeAll, describe, expect, it } from 'vitest';
import type { Any } from './api.ts';
import { configMap } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();
const total = 7;
const only = 'labelSelector=chapter%3Dpaging';

beforeAll(async () => {
  const { api, core } = server();
  for (let index = 0; index < total; index++) {
    await api.must('POST', core('configmaps'), configMap(`page-${index}`, {}, { labels: { chapter: 'paging' } }));
  }
});

const named = (list: Any): string[] => list.items.map((item: Any) => item.metadata.name);

describe('paging', () => {
  it('hands out pages in order of name, each with what remains', async () => {
    const { api, core } = server();
    const first = await api.must('GET', `${core('configmaps')}?limit=3`);
    expect(first.kind).toBe('ConfigMapList');
    expect(first.items).toHaveLength(3);
    expect(first.metadata.continue).toMatch(/./);
    expect(first.metadata.remainingItemCount).toBeGreaterThanOrEqual(total - 3);
    const second = await api.must('GET', `${core('configmaps')}?limit=500&continue=${first.metadata.continue}`);
    expect(second.metadata.continue).toBeUndefined();
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    const all = [...named(first), ...named(second)];
    expect(all).toEqual([...all].sort());
    expect(all.filter((name) => name.startsWith('page-'))).toHaveLength(total);
  });

  it('shows every page as of the first one', async () => {
    const { api, core } = server();
    const first = await api.must('GET', `${core('configmaps')}?limit=2`);
    await api.must('POST', core('configmaps'), configMap('page-9-late', {}, { labels: { chapter: 'paging-late' } }));
    await api.must('DELETE', core('configmaps', 'page-6'));
    const second = await api.must('GET', `${core('configmaps')}?limit=500&continue=${first.metadata.continue}`);
    const seen = [...named(first), ...named(second)];
    expect(seen).toContain('page-6');
    expect(seen).not.toContain('page-9-late');
    await api.must('POST', core('configmaps'), configMap('page-6', {}, { labels: { chapter: 'paging' } }));
  });

  it('leaves remainingItemCount out when a selector is given', async () => {
    const { api, core } = server();
    const first = await api.must('GET', `${core('configmaps')}?limit=3&${only}`);
    expect(first.items).toHaveLength(3);
    expect(first.metadata.continue).toMatch(/./);
    expect(first.metadata.remainingItemCount).toBeUndefined();
  });

  it('refuses a token it did not make', async () => {
    const { api, core } = server();
    for (const token of [
      'nonsense',
      Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"../x"}').toString('base64url'),
    ]) {
      const answer = await api.get(`${core('configmaps')}?limit=3&continue=${token}`);
      expect(answer.body).toMatchObject({ code: 400, reason: 'BadRequest' });
      expect(answer.body.message).toContain('continue key is not valid');
    }
  });

  it('refuses a bad limit', async () => {
    const { api, core } = server();
    expect((await api.get(`${core('configmaps')}?limit=many`)).status).toBe(400);
  });
});

describe('the resource version of a list', () => {
  it('any cached state will do with 0', async () => {
    const { api, core } = server();
    const answer = await api.get(`${core('configmaps')}?resourceVersion=0`);
    expect(answer.status).toBe(200);
  });

  it('is not older than asked', async () => {
    const { api, core } = server();
    const made = await api.must('POST', core('configmaps'), configMap('fresh'));
    const version = made.metadata.resourceVersion;
    const list = await api.must(
      'GET',
      `${core('configmaps')}?resourceVersion=${version}&resourceVersionMatch=NotOlderThan`,
    );
    expect(named(list)).toContain('fresh');
    expect(Number(list.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(version));
  });

  it('is exactly the one asked for', async () => {
    const { api, core } = server();
    const before = await api.must('GET', core('configmaps'));
    await api.must('POST', core('configmaps'), configMap('after-exact'));
    const version = before.metadata.resourceVersion;
    const list = await api.must('GET', `${core('configmaps')}?resourceVersion=${version}&resourceVersionMatch=Exact`);
    expect(list.metadata.resourceVersion).toBe(version);
    expect(named(list)).not.toContain('after-exact');
  });

  it('in the future is a time-out that says so', async () => {
    const { api, core } = server();
    const answer = await api.get(`${core('configmaps')}?resourceVersion=9000000000&resourceVersionMatch=NotOlderThan`);
    expect(answer.status).toBe(504);
    expect(answer.body).toMatchObject({ reason: 'Timeout' });
    expect(answer.body.message).toContain('Too large resource version: 9000000000');
    expect(answer.body.details.causes[0]).toMatchObject({ reason: 'ResourceVersionTooLarge' });
  });

  it.each([
    ['resourceVersionMatch=Exact', 'resourceVersionMatch is forbidden unless resourceVersion is provided'],
    [
      'resourceVersion=0&resourceVersionMatch=Exact',
      'resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    ['resourceVersion=1&resourceVersionMatch=Sort', 'resourceVersionMatch'],
    ['sendInitialEvents=true', 'sendInitialEvents is forbidden for list'],
  ])('refuses %s', async (query, message) => {
    const { api, core } = server();
    const answer = await api.get(`${core('configmaps')}?${query}`);
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain(message);
  });

  it('must be a number', async () => {
    const { api, core } = server();
    const answer = await api.get(`${core('configmaps')}?resourceVersion=abc`);
    expect(answer.status).toBe(400);
  });
});
