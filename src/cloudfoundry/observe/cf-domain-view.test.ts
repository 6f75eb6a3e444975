import { describe, expect, it } from 'vitest';
import { domain, route } from '../decide/route/route-view.fixture.ts';
import { finalizers } from '../keys.ts';
import type { CfDomain } from '../resources/cf-domain.ts';
import type { CfRoute } from '../resources/cf-route.ts';
import { defaultSettings } from '../settings.ts';
import { type CfDomainSources, cfDomainView } from './cf-domain-view.ts';

const elsewhere = { ...route, spec: { ...route.spec, domainRef: { name: 'another', namespace: 'cf' } } };
const { name = '', namespace = '' } = domain.metadata;

const leaving = (held: readonly string[] = [finalizers.domain]): CfDomain => ({
  ...domain,
  metadata: { ...domain.metadata, finalizers: [...held], deletionTimestamp: '2026-01-02T05:00:00Z' },
});

/** What is observed, and how often the API server was asked. */
async function observed(object: CfDomain, seen: readonly CfRoute[]) {
  let asked = 0;
  const list = async () => {
    asked += 1;
    return { items: [route, elsewhere] };
  };
  const sources = {
    caches: { routes: { type: {}, get: () => undefined, by: () => seen } },
    client: { resource: () => ({ list }) },
    settings: defaultSettings,
  } as unknown as CfDomainSources;
  const glance = { object, now: 0, outcomes: {}, signal: new AbortController().signal };
  const { routes, unheard } = await cfDomainView(`${namespace}/${name}`, glance, sources);
  return { routes, unheard, asked };
}

describe('the routes of a domain', () => {
  it('do not matter while it stays', async () => {
    expect(await observed(domain, [route])).toEqual({ routes: [], unheard: undefined, asked: 0 });
  });

  it('are those that the cache shows when it goes', async () => {
    expect(await observed(leaving(), [route])).toEqual({ routes: [route], unheard: undefined, asked: 0 });
  });

  it('are those that the server has when the cache shows none, before it is let go', async () => {
    expect(await observed(leaving(), [])).toEqual({ routes: [route], unheard: true, asked: 1 });
    expect(await observed(leaving(['another']), [])).toEqual({ routes: [], unheard: undefined, asked: 0 });
  });
});
