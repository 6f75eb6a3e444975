import { describe, expect, it } from 'vitest';
import type { Action } from '../../control/decision.ts';
import { actionDigest, outcomeId } from '../../control/outcome.ts';
import type { KubeObject } from '../../kube/object.ts';
import { annotations, labels } from '../keys.ts';
import type { CfRoute } from '../resources/cf-route.ts';
import { SmallCluster } from './carried-out.fixture.ts';
import { decideCfRoute } from './cf-route.ts';
import { type RouteCase, route, viewOf } from './route/route-view.fixture.ts';

function settle(cluster: SmallCluster, given: RouteCase = {}): SmallCluster {
  for (let round = 0; round < 10; round += 1) {
    const { actions } = decideCfRoute(viewOf(cluster, given));
    if (actions.length === 0) return cluster;
    for (const action of actions) cluster.do(action);
  }
  throw new Error('it does not come to rest');
}

const settled = (given: RouteCase = {}, object: CfRoute = route) => settle(new SmallCluster([object]), given);
const present = (cluster: SmallCluster): CfRoute => cluster.get<CfRoute>('CFRoute', 'route-1') as CfRoute;
const ready = (cluster: SmallCluster) => present(cluster).status?.conditions?.find(({ type }) => type === 'Ready');
const withSpec = (spec: Partial<CfRoute['spec']>): CfRoute => ({ ...route, spec: { ...route.spec, ...spec } });

const edited = (cluster: SmallCluster, spec: Partial<CfRoute['spec']>): SmallCluster => {
  const { metadata, ...rest } = present(cluster);
  const generation = (metadata.generation ?? 0) + 1;
  cluster.put({ ...rest, metadata: { ...metadata, generation }, ...{ spec: { ...rest.spec, ...spec } } });
  return cluster;
};

const described = (actions: readonly Action[]): readonly string[] =>
  actions.map((action) => {
    if (action.do === 'create' || action.do === 'apply') return `${action.do} ${action.object.kind}`;
    return action.do === 'event' || action.do === 'call'
      ? action.do
      : `${action.do} ${action.of.kind} ${action.of.name}`;
  });

describe('a route that is mapped', () => {
  it('has a Service, an HTTPRoute, and a status that says where it leads', () => {
    const cluster = settled();
    expect(present(cluster)).toMatchObject({
      metadata: {
        labels: {
          [labels.guid]: 'route-1',
          [labels.spaceGuid]: 'space-1',
          [labels.domainGuid]: 'default-domain',
          [labels.routeHost]: 'web1',
          [labels.unmapped]: 'false',
        },
        annotations: { [annotations.appGuids]: 'app-1', [annotations.creationVersion]: 'v0.1.0' },
      },
      status: {
        fqdn: 'web1.apps.example',
        uri: 'web1.apps.example',
        observedGeneration: 1,
        destinations: [
          { guid: 'dest-1', port: 8080, processType: 'web', protocol: 'http1', appRef: { name: 'app-1' } },
        ],
        conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: 'Ready', observedGeneration: 1 }],
      },
    });
    expect(cluster.all('Service')).toHaveLength(1);
    expect(cluster.all('HTTPRoute')).toHaveLength(1);
  });

  it('is called ready only when what it needs is there', () => {
    const cluster = new SmallCluster([route]);
    for (const action of decideCfRoute(viewOf(cluster)).actions) cluster.do(action);
    const { actions } = decideCfRoute(viewOf(cluster));
    expect(described(actions)).toEqual(['apply Service', 'apply HTTPRoute']);
    cluster.do(actions[0] as Action);
    expect(described(decideCfRoute(viewOf(cluster)).actions)).toEqual(['apply HTTPRoute']);
    cluster.do(actions[1] as Action);
    expect(described(decideCfRoute(viewOf(cluster)).actions)).toEqual(['status CFRoute route-1']);
  });

  it.each<[string, Partial<CfRoute['spec']>, RouteCase, number | undefined]>([
    ['its own', { destinations: [{ guid: 'd', port: 9000, appRef: { name: 'app-1' }, processType: 'web' }] }, {}, 9000],
    ['the first of the droplet', {}, { apps: { 'app-1': { ports: [3000, 4000] } } }, 3000],
    ['8080 when nobody says', {}, {}, 8080],
    ['unknown before there is a droplet', {}, { apps: { 'app-1': {} } }, undefined],
  ])('reaches a destination at a port: %s', (_which, spec, given, port) => {
    const cluster = settled(given, withSpec(spec));
    expect(present(cluster).status?.destinations?.map((destination) => destination.port)).toEqual(
      port ? [port] : undefined,
    );
    expect(cluster.all('Service')).toHaveLength(port ? 1 : 0);
    expect(ready(cluster)?.status).toBe('True');
  });

  it('goes on leading to an app whose droplet is no longer seen, where it led to before', () => {
    const cluster = settled({ apps: { 'app-1': { ports: [3000] } } });
    expect(decideCfRoute(viewOf(cluster, { apps: { 'app-1': {} } })).actions).toEqual([]);
  });

  it('gives up a destination only after nothing leads to it', () => {
    const other = { guid: 'dest-2', appRef: { name: 'app-1' }, processType: 'worker' };
    const found = edited(settled(), { destinations: [other] });
    const { actions } = decideCfRoute(viewOf(found));
    expect(described(actions)).toEqual(['apply Service', 'apply HTTPRoute', 'delete Service s-dest-1']);
    settle(found);
    expect(found.all<KubeObject>('Service').map(({ metadata }) => metadata.name)).toEqual(['s-dest-2']);
  });

  it('leaves a Service alone that only has its label', () => {
    const cluster = settled();
    const metadata = { name: 'mine', namespace: 'space-1', labels: { [labels.routeGuid]: 'route-1' } };
    cluster.put({ apiVersion: 'v1', kind: 'Service', metadata });
    expect(decideCfRoute(viewOf(cluster)).actions).toEqual([]);
  });

  it('keeps serving those that it can reach when one cannot be', () => {
    const lost = { guid: 'dest-2', appRef: { name: 'gone' }, processType: 'web' };
    const odd = { guid: 'dest-3', port: 99_999, appRef: { name: 'app-1' }, processType: 'web' };
    const cluster = settled({}, withSpec({ destinations: [...(route.spec.destinations ?? []), lost, odd] }));
    expect(cluster.all('Service')).toHaveLength(1);
    expect(ready(cluster)).toMatchObject({ status: 'False', reason: 'BuildEffectiveDestinations' });
    expect(ready(cluster)?.message).toContain(
      'Destination dest-2: There is no CFApp gone in this namespace, which spec.destinations[].appRef.name names.',
    );
    expect(ready(cluster)?.message).toContain('99999 is not a port');
  });

  it('gives up the way to it before its Services when it is unmapped, and names its apps again', () => {
    const cluster = edited(settled(), { destinations: [] });
    const done: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const { actions } = decideCfRoute(viewOf(cluster));
      done.push(...described(actions));
      for (const action of actions) cluster.do(action);
    }
    expect(done.filter((text) => text.startsWith('delete'))).toEqual([
      'delete HTTPRoute route-1',
      'delete Service s-dest-1',
    ]);
    expect(present(cluster).metadata.annotations?.[annotations.appGuids]).toBe('');
    expect(present(cluster).metadata.labels?.[labels.unmapped]).toBe('true');
    expect(present(cluster).status?.destinations).toBeUndefined();
    expect(cluster.all('HTTPRoute')).toEqual([]);
    expect(cluster.all('Service')).toEqual([]);
  });
});

describe('a route that is wrong', () => {
  it.each<[string, Partial<CfRoute['spec']>, RouteCase]>([
    ['UnsupportedProtocol', { protocol: 'tcp' }, {}],
    ['InvalidDomainRef', {}, { withoutDomain: true }],
    ['InvalidAddress', { host: 'in valid' }, {}],
    ['InvalidAddress', { path: 'x' }, {}],
    ['DuplicateRoute', {}, { rival: 'space-2/other' }],
  ])('says %s, and makes nothing', (reason, spec, given) => {
    const cluster = settled(given, withSpec(spec));
    expect(ready(cluster)).toMatchObject({ status: 'False', reason });
    expect(cluster.all('Service')).toEqual([]);
    expect(cluster.all('HTTPRoute')).toEqual([]);
  });

  it('goes on serving as it did before', () => {
    const cluster = settled();
    settle(cluster, { withoutDomain: true });
    expect(ready(cluster)?.reason).toBe('InvalidDomainRef');
    expect(cluster.all('Service')).toHaveLength(1);
    expect(cluster.all('HTTPRoute')).toHaveLength(1);
    expect(present(cluster).status?.uri).toBe('web1.apps.example');
  });

  it('says that the server has refused its Service', () => {
    const cluster = new SmallCluster([route]);
    for (const action of decideCfRoute(viewOf(cluster)).actions) cluster.do(action);
    const { actions, because } = decideCfRoute(viewOf(cluster));
    expect(because).not.toBe('');
    const apply = actions[0] as Action;
    const at = Date.parse('2026-01-02T04:00:00Z');
    const refusal = { result: 'refused', at, since: at, of: actionDigest(apply), message: 'quota exceeded' } as const;
    const decision = decideCfRoute(viewOf(cluster, { outcomes: { [outcomeId(apply)]: refusal } }));
    expect(decision.actions[0]).toMatchObject({
      do: 'status',
      status: { conditions: [{ status: 'False', reason: 'CreatePatchServices', message: 'quota exceeded' }] },
    });
    expect(decision.wakeAt).toBe(at + 30_000);
  });
});

describe('the way from outside', () => {
  it('is none where nobody offers one', () => {
    const cluster = settled({ router: { is: 'none' } });
    expect(ready(cluster)?.status).toBe('True');
    expect(cluster.all('HTTPRoute')).toEqual([]);
    expect(cluster.all('Ingress')).toEqual([]);
    expect(cluster.all('Service')).toHaveLength(1);
  });

  it('is an Ingress where there is no Gateway API, and says when it cannot lead to all', () => {
    const more = [{ guid: 'dest-2', appRef: { name: 'app-1' }, processType: 'worker' }];
    const both = withSpec({ destinations: [...(route.spec.destinations ?? []), ...more], path: '/cart' });
    const cluster = settled({ router: { is: 'ingress', className: 'nginx' } }, both);
    const backend = { service: { name: 's-dest-1', port: { number: 8080 } } };
    expect(cluster.all('Ingress')).toMatchObject([
      {
        spec: {
          ingressClassName: 'nginx',
          rules: [{ host: 'web1.apps.example', http: { paths: [{ path: '/cart', pathType: 'Prefix', backend }] } }],
        },
      },
    ]);
    expect(ready(cluster)).toMatchObject({ status: 'True', reason: 'Ready' });
    expect(ready(cluster)?.message).toContain('one destination only');
  });

  it('is kept when an Ingress class goes', () => {
    const cluster = settled({ router: { is: 'ingress', className: 'nginx' } });
    expect(decideCfRoute(viewOf(cluster, { router: { is: 'none' } })).actions).toEqual([]);
  });

  it('changes from an Ingress to an HTTPRoute only when a Gateway has accepted that', () => {
    const cluster = settled({ router: { is: 'ingress' } });
    settle(cluster);
    expect([cluster.all('Ingress').length, cluster.all('HTTPRoute').length]).toEqual([1, 1]);
    const leads = cluster.get<KubeObject>('HTTPRoute', 'route-1') as KubeObject;
    const conditions = [{ type: 'Accepted', status: 'True' }];
    cluster.put({ ...leads, ...{ status: { parents: [{ conditions }] } } });
    settle(cluster);
    expect([cluster.all('Ingress').length, cluster.all('HTTPRoute').length]).toEqual([0, 1]);
  });
});

describe('a route that goes', () => {
  const deletionTimestamp = '2026-01-02T05:00:00Z';

  it('needs nothing', () => {
    const going = { ...route, metadata: { ...route.metadata, deletionTimestamp, finalizers: ['foregroundDeletion'] } };
    expect(decideCfRoute(viewOf(new SmallCluster([going]))).actions).toEqual([]);
  });

  it('is let go by the finalizer that older installations gave it', () => {
    const finalizers = ['cfRoute.korifi.cloudfoundry.org'];
    const going = { ...route, metadata: { ...route.metadata, deletionTimestamp, finalizers } };
    const cluster = settle(new SmallCluster([going]));
    expect(present(cluster).metadata.finalizers).toEqual([]);
  });
});

it('is total: what a cluster may hold under an older definition is no reason to throw', () => {
  const { spec: _none, ...bare } = route;
  const cluster = settled({}, bare as CfRoute);
  expect(ready(cluster)?.status).toBe('True');
  expect(present(cluster).status?.fqdn).toBe('apps.example');
});
