import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../kube/object.ts';
import { CfError } from './cf-error.ts';
import { type ListRules, listQuery, paged } from './list.ts';
import type { CfEnv } from './platform.ts';

const things = ['b', 'a', 'c'].map((name, at) => thing(name, `2030-01-01T00:00:0${at}Z`));
const rules: ListRules = {
  keys: ['names', 'order_by', 'per_page', 'page', 'label_selector'],
  also: ['guids'],
  orderBy: { name: ({ metadata }) => metadata.name ?? '' },
};

/** The names on the page that a query shows, and how the pages are told. */
async function ask(query: string) {
  const api = new Hono<CfEnv>();
  api.use(async (c, next) => {
    c.set('base', 'https://api.example');
    await next();
  });
  api.get('/v3/things', (c) =>
    c.json(paged(c, listQuery(c, rules), things, ({ metadata }) => ({ name: metadata.name }))),
  );
  api.onError((error, c) => c.json(error instanceof CfError ? { status: error.status, ...error.body } : {}, 400));
  const body = await (await api.request(`https://elsewhere.example/v3/things${query}`)).json();
  return body as {
    readonly resources: readonly { readonly name: string }[];
    readonly pagination: { readonly total_pages: number; readonly next: unknown; readonly previous: unknown };
    readonly status?: number;
    readonly errors?: readonly { readonly detail: string }[];
  };
}

const names = async (query: string) => (await ask(query)).resources.map(({ name }) => name);

describe('lists', () => {
  it.each([
    ['', ['b', 'a', 'c']],
    ['?order_by=-created_at', ['c', 'a', 'b']],
    ['?order_by=name', ['a', 'b', 'c']],
    ['?order_by=-name', ['c', 'b', 'a']],
    ['?guids=c,a', ['a', 'c']],
    ['?label_selector=is%3Da', ['a']],
    ['?label_selector=!is', []],
    ['?order_by=name&page=2&per_page=2', ['c']],
    ['?page=9&per_page=2', []],
  ])('%s shows %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('leads from page to page with whole addresses that keep the query', async () => {
    const { pagination } = await ask('?page=2&order_by=name&per_page=1');
    const at = (page: number) => ({ href: `https://api.example/v3/things?order_by=name&page=${page}&per_page=1` });
    expect(pagination).toEqual({
      total_results: 3,
      total_pages: 3,
      first: at(1),
      last: at(3),
      next: at(3),
      previous: at(1),
    });
  });

  it('leads back from beyond the last page to the last', async () => {
    const { pagination } = await ask('?page=9&per_page=2');
    expect(pagination).toMatchObject({
      next: null,
      previous: { href: 'https://api.example/v3/things?page=2&per_page=2' },
    });
  });

  it.each([
    ['?foo=1', 400, "Valid parameters are: 'names', 'order_by', 'per_page', 'page', 'label_selector'"],
    ['?__proto__=1', 400, 'Valid parameters are'],
    ['?per_page=0', 422, 'Pagination.PerPage value 0 is not allowed'],
    ['?per_page=5001', 422, 'Pagination.PerPage value 5001 is not allowed'],
    ['?page=-1', 422, 'Pagination.Page value -1 is not allowed'],
    ['?page=x', 400, 'Pagination.Page must be a whole number'],
    ['?page=1e3', 400, 'Pagination.Page must be a whole number'],
    [
      '?order_by=size',
      422,
      'OrderBy value must be one of: created_at, -created_at, updated_at, -updated_at, name, -name',
    ],
    ['?order_by=constructor', 422, 'OrderBy value must be one of'],
    ['?label_selector=%3D%3D', 400, 'Invalid label_selector value'],
  ])('%s is refused with %d', async (query, status, detail) => {
    const answer = await ask(query);
    expect(answer.status).toBe(status);
    expect(answer.errors?.[0]?.detail).toContain(detail);
  });
});

function thing(name: string, creationTimestamp: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name, creationTimestamp, labels: { is: name } } };
}
