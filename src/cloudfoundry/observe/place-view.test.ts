import { describe, expect, it } from 'vitest';
import { notFound } from '../../kube/not-found.fixture.ts';
import type { KubeObject } from '../../kube/object.ts';
import { org, space } from '../decide/place/place-view.fixture.ts';
import type { CfOrg } from '../resources/cf-org.ts';
import type { CfSpace } from '../resources/cf-space.ts';
import { defaultSettings } from '../settings.ts';
import { cfOrgView, cfSpaceView, type PlaceSources, type PlaceView } from './place-view.ts';

const deletionTimestamp = '2026-01-02T05:00:00Z';
const leaves = <T extends KubeObject>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, deletionTimestamp },
});
const thing = (kind: string, name: string, namespace?: string): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, resourceVersion: '7', ...(namespace && { namespace }) },
});

interface Given {
  readonly cached?: readonly KubeObject[];
  readonly stored?: readonly KubeObject[];
}

/** What is observed of a place, and which kinds the API server was asked for. */
async function observed(place: CfOrg | CfSpace, { cached = [], stored = [] }: Given) {
  const asked: string[] = [];
  const cacheOf = (kind: string) => ({
    type: { kind },
    all: () => cached.filter((one) => one.kind === kind),
    get: (key: string) => cached.find((one) => one.kind === kind && key.endsWith(one.metadata.name ?? '')),
    by: (_index: string, of: string) => cached.filter((one) => one.kind === kind && one.metadata.namespace === of),
  });
  const client = {
    resource: ({ kind }: { kind: string }) => ({
      get: async ({ name }: { name: string }) => {
        asked.push(kind);
        const found = stored.find((one) => one.kind === kind && one.metadata.name === name);
        if (!found) throw notFound(name);
        return found;
      },
      list: async ({ namespace }: { namespace: string }) => {
        asked.push(kind);
        return { items: stored.filter((one) => one.kind === kind && one.metadata.namespace === namespace) };
      },
    }),
  };
  const kinds = { orgs: 'CFOrg', spaces: 'CFSpace', apps: 'CFApp', routes: 'CFRoute', namespaces: 'Namespace' };
  const none = cacheOf('none');
  const caches = {
    ...Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, cacheOf(kind)])),
    roleBindings: none,
    rootServiceAccounts: none,
    copiedServiceAccounts: none,
  };
  const sources = { caches, client, account: async () => undefined, settings: defaultSettings } as unknown;
  const glance = { object: place, now: 0, outcomes: {}, signal: new AbortController().signal };
  const view: PlaceView = await (place.kind === 'CFOrg'
    ? cfOrgView('cf/org-1', { ...glance, object: place as CfOrg }, sources as PlaceSources)
    : cfSpaceView('org-1/space-1', { ...glance, object: place as CfSpace }, sources as PlaceSources));
  const { namespace, contents, unheard } = view;
  return { asked, namespace: namespace?.metadata.name, contents: contents.map(({ kind }) => kind), unheard };
}

const namespace = thing('Namespace', 'space-1');
const app = thing('CFApp', 'web', 'space-1');
const route = thing('CFRoute', 'route', 'space-1');

describe('a space that goes', () => {
  it('has the namespace and the contents that the server has, when no cache shows them', async () => {
    expect(await observed(leaves(space), { stored: [namespace, app, route] })).toEqual({
      asked: ['Namespace', 'CFApp', 'CFRoute'],
      namespace: 'space-1',
      contents: ['CFApp', 'CFRoute'],
      unheard: true,
    });
  });

  it('is not emptied once more when its namespace is on its way out', async () => {
    const { asked, unheard } = await observed(leaves(space), { stored: [leaves(namespace), app] });
    expect(asked).toEqual(['Namespace']);
    expect(unheard).toBe(true);
  });

  it('asks for what it holds before its namespace goes, and hears of the rest', async () => {
    const empty = await observed(leaves(space), { cached: [namespace], stored: [namespace] });
    expect(empty).toEqual({ asked: ['CFApp', 'CFRoute'], namespace: 'space-1', contents: [], unheard: undefined });
    const held = await observed(leaves(space), { cached: [namespace, app], stored: [namespace, app, route] });
    expect(held).toEqual({ asked: [], namespace: 'space-1', contents: ['CFApp'], unheard: undefined });
  });

  it('has no namespace when the server has none', async () => {
    const { namespace: found, contents } = await observed(leaves(space), { stored: [app] });
    expect([found, contents]).toEqual([undefined, []]);
  });
});

describe('an organization that goes', () => {
  const home = thing('Namespace', 'org-1');

  it('holds the spaces that the server has', async () => {
    const { asked, contents } = await observed(leaves(org), { stored: [home, space] });
    expect(asked).toEqual(['Namespace', 'CFSpace']);
    expect(contents).toEqual(['CFSpace']);
  });

  it('has no namespace where no organization belongs', async () => {
    const elsewhere = { ...org, metadata: { ...org.metadata, namespace: 'elsewhere' } };
    const { asked, namespace: found } = await observed(leaves(elsewhere), { stored: [home, space] });
    expect([asked, found]).toEqual([[], undefined]);
  });
});

describe('a place that stays', () => {
  it('is what the caches show', async () => {
    expect(await observed(space, { stored: [namespace, app] })).toMatchObject({ asked: [], contents: [] });
  });
});
