import { describe, expect, it } from 'vitest';
import type { ServedResource } from '../resource.ts';
import { builtInResources } from './built-in.ts';
import { type DiscoveryAnswer, discovery } from './discovery.ts';
import { compareVersions } from './groups.ts';

const served = (fields: Partial<ServedResource> & Pick<ServedResource, 'kind' | 'plural'>): ServedResource => ({
  group: 'example.com',
  version: 'v1',
  namespaced: true,
  singular: fields.kind.toLowerCase(),
  listKind: `${fields.kind}List`,
  shortNames: [],
  categories: [],
  verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
  custom: true,
  schema: { type: 'object', properties: { spec: { type: 'object', description: 'What it should be.' } } },
  status: false,
  scale: undefined,
  strategy: {},
  printer: undefined,
  ...fields,
});

const builtIn = builtInResources().map((resource) =>
  served({ ...resource, custom: false, status: resource.subresources.some((each) => each.name === 'status') }),
);
const gizmo = served({ kind: 'Gizmo', plural: 'gizmos', shortNames: ['gz'], status: true });
const server = (...custom: ServedResource[]) => {
  const all = [...builtIn, ...custom];
  return discovery({ resources: () => all, address: '127.0.0.1:6443' });
};

const parsed = (answer: DiscoveryAnswer | undefined) => {
  const { body } = answer as DiscoveryAnswer;
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
};

const v2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const v2beta1 = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

describe('discovery', () => {
  it('answers in one document with its own content type when the client knows that form', async () => {
    const answer = await server(gizmo).handle('/apis', `${v2},${v2beta1},application/json`);
    expect(answer?.headers['content-type']).toBe(v2);
    const { kind, apiVersion, items } = parsed(answer);
    expect([kind, apiVersion]).toEqual(['APIGroupDiscoveryList', 'apidiscovery.k8s.io/v2']);
    expect(items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([
      'apps',
      'events.k8s.io',
      'authentication.k8s.io',
      'authorization.k8s.io',
      'autoscaling',
      'batch',
      'networking.k8s.io',
      'policy',
      'rbac.authorization.k8s.io',
      'storage.k8s.io',
      'admissionregistration.k8s.io',
      'apiextensions.k8s.io',
      'scheduling.k8s.io',
      'coordination.k8s.io',
      'discovery.k8s.io',
      'example.com',
    ]);
    expect(items.at(-1).versions).toEqual([
      {
        version: 'v1',
        freshness: 'Current',
        resources: [
          {
            resource: 'gizmos',
            responseKind: { group: 'example.com', version: 'v1', kind: 'Gizmo' },
            scope: 'Namespaced',
            singularResource: 'gizmo',
            verbs: gizmo.verbs,
            shortNames: ['gz'],
            subresources: [
              {
                subresource: 'status',
                responseKind: { group: 'example.com', version: 'v1', kind: 'Gizmo' },
                verbs: ['get', 'patch', 'update'],
              },
            ],
          },
        ],
      },
    ]);
  });

  it('puts the core group under /api, without a name', async () => {
    const { items } = parsed(await server().handle('/api', v2));
    expect(items).toHaveLength(1);
    expect(items[0].metadata).toEqual({});
    expect(items[0].versions[0].resources.map((each: { resource: string }) => each.resource)).toContain('pods');
  });

  it.each([undefined, 'application/json', '*/*', `${v2beta1},application/json`])(
    'answers in the old form to a client that accepts %s',
    async (accept) => {
      const answer = await server().handle('/apis', accept);
      expect(answer?.headers['content-type']).toBe('application/json');
      const { kind, groups } = parsed(answer);
      expect(kind).toBe('APIGroupList');
      expect(groups).toContainEqual({
        name: 'autoscaling',
        versions: [
          { groupVersion: 'autoscaling/v2', version: 'v2' },
          { groupVersion: 'autoscaling/v1', version: 'v1' },
        ],
        preferredVersion: { groupVersion: 'autoscaling/v2', version: 'v2' },
      });
    },
  );

  it('lists the core group’s versions at /api', async () => {
    expect(parsed(await server().handle('/api'))).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
  });

  it('describes one group, and the resources of one version', async () => {
    expect(parsed(await server().handle('/apis/apps'))).toMatchObject({ kind: 'APIGroup', name: 'apps' });
    const { groupVersion, resources } = parsed(await server().handle('/apis/apps/v1/'));
    expect(groupVersion).toBe('apps/v1');
    expect(resources).toContainEqual({
      name: 'deployments/scale',
      singularName: '',
      namespaced: true,
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      verbs: ['get', 'patch', 'update'],
    });
    expect(parsed(await server().handle('/api/v1')).groupVersion).toBe('v1');
  });

  it.each([
    '/apis/nope',
    '/apis/apps/v9',
    '/api/v2',
    '/apis/apps/v1/deployments',
    '/healthz',
    '/openapi/v2',
    '/openapi/v3/apis/nope/v1',
  ])('leaves %s to others', async (path) => expect(await server().handle(path)).toBeUndefined());

  it('shows new custom resources as soon as they are served', async () => {
    let all = builtIn;
    const changing = discovery({ resources: () => all, address: '' });
    expect(await changing.handle('/apis/example.com')).toBeUndefined();
    all = [...builtIn, gizmo];
    expect(await changing.handle('/apis/example.com')).toBeDefined();
  });

  it('says a version that clients take for Kubernetes 1.37', async () => {
    expect(parsed(await server().handle('/version'))).toMatchObject({ major: '1', minor: '37' });
  });
});

describe('OpenAPI', () => {
  it('lists a document per group and version, with hashes that follow the schemas', async () => {
    const before = parsed(await server(gizmo).handle('/openapi/v3')).paths;
    expect(before['apis/apps/v1'].serverRelativeURL).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
    const changed = { ...gizmo, schema: { type: 'object' as const } };
    const after = parsed(await server(changed).handle('/openapi/v3')).paths;
    expect(after['apis/example.com/v1']).not.toEqual(before['apis/example.com/v1']);
    expect(after['apis/apps/v1']).toEqual(before['apis/apps/v1']);
  });

  it('publishes a custom kind so that kubectl can validate and explain it', async () => {
    const document = parsed(await server(gizmo).handle('/openapi/v3/apis/example.com/v1'));
    const schema = document.components.schemas['com.example.v1.Gizmo'];
    expect(schema['x-kubernetes-group-version-kind']).toEqual([{ group: 'example.com', kind: 'Gizmo', version: 'v1' }]);
    expect(schema.properties.spec.description).toBe('What it should be.');
    const item = document.paths['/apis/example.com/v1/namespaces/{namespace}/gizmos/{name}'];
    expect(item.patch['x-kubernetes-group-version-kind']).toEqual({
      group: 'example.com',
      kind: 'Gizmo',
      version: 'v1',
    });
    expect(item.patch.parameters).toContainEqual(expect.objectContaining({ name: 'fieldValidation', in: 'query' }));
    const references = JSON.stringify(document).match(/#\/components\/schemas\/[^"]+/g) ?? [];
    for (const each of new Set(references)) {
      expect(document.components.schemas).toHaveProperty([each.slice('#/components/schemas/'.length)]);
    }
  });

  it('serves the built-in documents as they were recorded', async () => {
    const document = parsed(await server().handle('/openapi/v3/api/v1'));
    expect(document.components.schemas).toHaveProperty(['io.k8s.api.core.v1.Pod']);
  });
});

describe('compareVersions', () => {
  it('orders as Kubernetes documents it', () => {
    const ordered = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
    expect(ordered.toReversed().sort(compareVersions)).toEqual(ordered);
  });
});
