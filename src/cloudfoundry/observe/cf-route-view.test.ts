import { describe, expect, it } from 'vitest';
import { notFound } from '../../kube/not-found.fixture.ts';
import { route } from '../decide/route/route-view.fixture.ts';
import { destinationServiceName } from '../names.ts';
import type { CfRoute } from '../resources/cf-route.ts';
import { defaultSettings } from '../settings.ts';
import { type CfRouteSources, cfRouteView } from './cf-route-view.ts';

const { namespace = '', name = '' } = route.metadata;
const build = { metadata: { namespace, name: 'droplet' }, status: { state: 'STAGED', droplet: { ports: [9090] } } };
const to = (destination: object): CfRoute => ({
  ...route,
  spec: {
    ...route.spec,
    destinations: [{ guid: 'd', appRef: { name: 'app' }, processType: 'web', ...destination }],
  } as CfRoute['spec'],
});

interface Given {
  readonly of?: CfRoute;
  readonly droplet?: string;
  /** Whether a cache shows the app. */
  readonly app?: boolean;
  readonly cached?: boolean;
  readonly stored?: boolean;
  readonly served?: boolean;
}

/** What is known of the app, and which builds the API server was asked for. */
async function observed({
  of = to({}),
  droplet,
  app: seen = true,
  cached = false,
  stored = true,
  served = false,
}: Given) {
  const asked: string[] = [];
  const none = { get: () => undefined, by: () => [], all: () => [] };
  const app = { metadata: { namespace, name: 'app' }, spec: droplet ? { currentDropletRef: { name: droplet } } : {} };
  const service = { metadata: { namespace, name: destinationServiceName('d') } };
  const caches = {
    domains: none,
    routes: none,
    ingresses: none,
    httpRoutes: none,
    gatewayApi: none,
    ingressClasses: none,
    apps: { get: () => (seen ? app : undefined) },
    builds: { get: () => (cached ? build : undefined) },
    services: { by: () => (served ? [service] : []) },
  };
  const client = {
    resource: ({ kind }: { kind: string }) => ({
      get: async (at: { name: string }) => {
        asked.push(at.name);
        if (!stored) throw notFound(at.name);
        return kind === 'CFApp' ? app : build;
      },
    }),
  };
  const sources = { caches, client, settings: defaultSettings } as unknown as CfRouteSources;
  const glance = { object: of, now: 0, outcomes: {}, signal: new AbortController().signal };
  const { apps } = await cfRouteView(`${namespace}/${name}`, glance, sources);
  return { known: apps.app !== undefined, ports: apps.app?.ports, asked };
}

describe('an app that a route leads to', () => {
  it('is there when the server has it, though no cache shows it', async () => {
    const app = { droplet: 'droplet', app: false };
    expect(await observed({ ...app, served: true, cached: true })).toEqual({
      known: true,
      ports: [9090],
      asked: ['app'],
    });
    expect(await observed(app)).toEqual({ known: true, ports: [9090], asked: ['app', 'droplet'] });
  });

  it('is not there when no app can have the name, and nobody is asked', async () => {
    for (const app of ['', '../x']) {
      expect(await observed({ app: false, of: to({ appRef: { name: app } }) })).toMatchObject({
        known: false,
        asked: [],
      });
    }
  });

  it('is not there when the server has none', async () => {
    expect(await observed({ app: false, stored: false })).toEqual({ known: false, ports: undefined, asked: ['app'] });
  });
});

describe('the ports of an app that a route leads to', () => {
  it('are those of its droplet, also of one that only the server has', async () => {
    expect(await observed({ droplet: 'droplet', cached: true })).toEqual({ known: true, ports: [9090], asked: [] });
    expect(await observed({ droplet: 'droplet' })).toEqual({ known: true, ports: [9090], asked: ['droplet'] });
  });

  it('are none before it has a droplet, and when somebody took that away', async () => {
    expect(await observed({})).toEqual({ known: true, ports: undefined, asked: [] });
    expect(await observed({ droplet: 'droplet', stored: false })).toEqual({
      known: true,
      ports: undefined,
      asked: ['droplet'],
    });
  });

  it('are not asked for where they do not matter', async () => {
    expect((await observed({ droplet: 'droplet', served: true })).asked).toEqual([]);
    expect((await observed({ droplet: 'droplet', of: to({ port: 8080 }) })).asked).toEqual([]);
    const leaving = to({});
    const metadata = { ...leaving.metadata, deletionTimestamp: '2026-01-02T05:00:00Z' };
    expect((await observed({ droplet: 'droplet', of: { ...leaving, metadata } })).asked).toEqual([]);
  });
});
