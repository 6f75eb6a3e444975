import { beforeAll, describe, expect, it } from 'vitest';
import type { Any } from './api.ts';
import { configMap, pendingPod } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();

beforeAll(async () => {
  const { api, core } = server();
  const labels: Record<string, Record<string, string>> = {
    plain: {},
    a1: { app: 'a', tier: '1' },
    a2: { app: 'a', tier: '2' },
    b2: { app: 'b', tier: '2' },
    empty: { app: '' },
  };
  for (const [name, set] of Object.entries(labels)) {
    await api.must('POST', core('configmaps'), configMap(name, {}, { labels: { chapter: 'selectors', ...set } }));
  }
});

const names = async (query: string, resource = 'configmaps'): Promise<string[]> => {
  const { api, core } = server();
  const list = await api.must('GET', `${core(resource)}?${query}`);
  return list.items.map((item: Any) => item.metadata.name);
};

const select = (selector: string): Promise<string[]> =>
  names(`labelSelector=${encodeURIComponent(`chapter=selectors${selector && `,${selector}`}`)}`);

describe('label selectors', () => {
  it.each([
    ['app=a', ['a1', 'a2']],
    ['app==a', ['a1', 'a2']],
    ['app!=a', ['b2', 'empty', 'plain']],
    ['app', ['a1', 'a2', 'b2', 'empty']],
    ['!app', ['plain']],
    ['app in (a, b)', ['a1', 'a2', 'b2']],
    ['app notin (a,b)', ['empty', 'plain']],
    ['app=a,tier=2', ['a2']],
    ['tier>1', ['a2', 'b2']],
    ['tier<2', ['a1']],
    ['app=', ['empty']],
    ['app in ()', ['empty']],
    ['', ['a1', 'a2', 'b2', 'empty', 'plain']],
  ])('%s', async (selector, expected) => {
    expect((await select(selector)).sort()).toEqual(expected);
  });

  it.each([['app=='.concat('=a')], ['app in a'], ['app in (a'], ['=a'], ['app~a'], ['a b'], ['-x=1'], ['x=-1-']])(
    'refuses %s',
    async (selector) => {
      const { api, core } = server();
      const answer = await api.get(`${core('configmaps')}?labelSelector=${encodeURIComponent(selector)}`);
      expect(answer.body).toMatchObject({ kind: 'Status', code: 400, reason: 'BadRequest' });
    },
  );
});

describe('field selectors', () => {
  it('select by name, with = == and !=', async () => {
    expect(await names('fieldSelector=metadata.name%3Da1')).toEqual(['a1']);
    expect(await names('fieldSelector=metadata.name%3D%3Da1')).toEqual(['a1']);
    expect(await names(`fieldSelector=metadata.name!%3Da1&labelSelector=app%3Da`)).toEqual(['a2']);
  });

  it('select pods by phase and node', async () => {
    const { api, core } = server();
    await api.must('POST', core('pods'), pendingPod('waiting'));
    expect(await names('fieldSelector=status.phase%3DPending,spec.nodeName%3D', 'pods')).toEqual(['waiting']);
    expect(await names('fieldSelector=status.phase%3DRunning', 'pods')).toEqual([]);
    expect(await names('fieldSelector=spec.nodeName!%3D', 'pods')).toEqual([]);
  });

  it('refuse a field that is not indexed', async () => {
    const { api, core } = server();
    const answer = await api.get(`${core('configmaps')}?fieldSelector=data.a%3D1`);
    expect(answer.body).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(answer.body.message).toContain(
      '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });

  it('refuse what cannot be read', async () => {
    const { api, core } = server();
    const answer = await api.get(`${core('configmaps')}?fieldSelector=metadata.name`);
    expect(answer.body).toMatchObject({ code: 400, reason: 'BadRequest' });
  });
});
