import { describe, expect, it } from 'vitest';
import { finalizers, labels } from '../keys.ts';
import type { CfDomainView } from '../observe/cf-domain-view.ts';
import type { CfDomain } from '../resources/cf-domain.ts';
import type { CfRoute } from '../resources/cf-route.ts';
import { SmallCluster } from './carried-out.fixture.ts';
import { decideCfDomain } from './cf-domain.ts';
import { domain, route } from './route/route-view.fixture.ts';

function viewOf(cluster: SmallCluster): CfDomainView {
  const now = Date.parse('2026-01-02T04:00:00Z');
  const present = cluster.get<CfDomain>('CFDomain', 'default-domain') as CfDomain;
  return { now, outcomes: {}, domain: present, routes: cluster.all<CfRoute>('CFRoute'), version: 'v0.1.0' };
}

function settle(cluster: SmallCluster): SmallCluster {
  for (let round = 0; round < 5; round += 1) {
    const { actions } = decideCfDomain(viewOf(cluster));
    if (actions.length === 0) return cluster;
    for (const action of actions) cluster.do(action);
  }
  throw new Error('it does not come to rest');
}

const named = (name: string): CfDomain => ({ ...domain, spec: { name } });

const ready = (cluster: SmallCluster) =>
  cluster.get<CfDomain>('CFDomain', 'default-domain')?.status?.conditions?.find(({ type }) => type === 'Ready');

describe('a domain', () => {
  it('is ready at once, with the labels by which it is listed', () => {
    const cluster = settle(new SmallCluster([domain]));
    expect(ready(cluster)).toMatchObject({ status: 'True', reason: 'Ready' });
    expect(cluster.get('CFDomain', 'default-domain')?.metadata).toMatchObject({
      finalizers: [finalizers.domain],
      labels: {
        [labels.guid]: 'default-domain',
        [labels.domainName]: '9bd0d1367f80ff11f67856f0ae90e5b552bfd51ffda79d5717cfa660',
      },
    });
  });

  it.each(['', 'a b', 'a..b', '-a.example', 'a/b'])("is not ready as '%s'", (name) => {
    expect(ready(settle(new SmallCluster([named(name)])))).toMatchObject({
      status: 'False',
      reason: 'InvalidDomainName',
    });
  });

  it('goes after its routes, which it deletes', () => {
    const metadata = { ...domain.metadata, finalizers: [finalizers.domain], deletionTimestamp: '2026-01-02T05:00:00Z' };
    const cluster = new SmallCluster([{ ...domain, metadata }, route]);
    const { actions } = decideCfDomain(viewOf(cluster));
    expect(actions.map((action) => action.do)).toEqual(['status', 'delete']);
    for (const action of actions) cluster.do(action);
    expect(cluster.all('CFRoute')).toEqual([]);
    expect(decideCfDomain(viewOf(cluster)).actions.map((action) => action.do)).toEqual(['patch']);
  });

  it('looks again by itself while it waits for routes that no cache has shown', () => {
    const metadata = { ...domain.metadata, finalizers: [finalizers.domain], deletionTimestamp: '2026-01-02T05:00:00Z' };
    const view = viewOf(new SmallCluster([{ ...domain, metadata }, route]));
    expect(decideCfDomain(view).wakeAt).toBeUndefined();
    expect(decideCfDomain({ ...view, unheard: true }).wakeAt).toBe(view.now + 10_000);
  });
});
