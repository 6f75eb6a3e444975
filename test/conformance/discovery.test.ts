import { describe, expect, it } from 'vitest';
import type { Any } from './api.ts';
import { configMap, deployment } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };

describe('discovery', () => {
  it('lists the core group and the others', async () => {
    const { api } = server();
    expect((await api.get('/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const { groups } = (await api.get('/apis')).body;
    const apps = groups.find((one: Any) => one.name === 'apps');
    expect(apps).toMatchObject({
      versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
      preferredVersion: { version: 'v1' },
    });
  });

  it('describes resources with verbs, short names and subresources', async () => {
    const { api } = server();
    const { resources } = (await api.get('/apis/apps/v1')).body;
    const named = (name: string): Any => resources.find((one: Any) => one.name === name);
    expect(named('deployments')).toMatchObject({
      kind: 'Deployment',
      singularName: 'deployment',
      namespaced: true,
      shortNames: ['deploy'],
      categories: ['all'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    });
    expect(named('deployments/status')).toMatchObject({ kind: 'Deployment', verbs: ['get', 'patch', 'update'] });
    expect(named('deployments/scale')).toMatchObject({ kind: 'Scale', group: 'autoscaling', version: 'v1' });
  });

  it('aggregates when asked', async () => {
    const { api } = server();
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const answer = await api.get('/apis', { accept });
    expect(answer.headers['content-type']).toContain('as=APIGroupDiscoveryList');
    expect(answer.body.kind).toBe('APIGroupDiscoveryList');
    const apps = answer.body.items.find((one: Any) => one.metadata.name === 'apps');
    const deployments = apps.versions[0].resources.find((one: Any) => one.resource === 'deployments');
    expect(deployments).toMatchObject({
      responseKind: { group: '', version: '', kind: 'Deployment' },
      scope: 'Namespaced',
      singularResource: 'deployment',
    });
    expect(deployments.subresources.map((one: Any) => one.subresource).sort()).toEqual(['scale', 'status']);
  });

  it('publishes OpenAPI v3 with what kubectl looks for', async () => {
    const { api } = server();
    const read = async (path: string): Promise<Any> => {
      const { body } = await api.get(path);
      return typeof body === 'string' ? JSON.parse(body) : body;
    };
    const { paths } = await read('/openapi/v3');
    const document = await read(paths['apis/apps/v1'].serverRelativeURL);
    const schema = document.components.schemas['io.k8s.api.apps.v1.Deployment'];
    expect(schema['x-kubernetes-group-version-kind']).toEqual([{ group: 'apps', kind: 'Deployment', version: 'v1' }]);
    const { patch } = document.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'];
    expect(patch['x-kubernetes-group-version-kind']).toEqual({ group: 'apps', kind: 'Deployment', version: 'v1' });
    expect(patch.parameters.map((one: Any) => one.name)).toContain('fieldValidation');
  });

  it('says which version it is', async () => {
    const { api } = server();
    expect((await api.get('/version')).body).toMatchObject({ major: '1', minor: '37' });
  });
});

describe('tables', () => {
  it('show a list as kubectl prints it', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), configMap('shown', { a: '1', b: '2' }));
    const { body } = await api.get(`${core('configmaps')}?fieldSelector=metadata.name%3Dshown`, table);
    expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
    expect(body.columnDefinitions.map((one: Any) => one.name)).toEqual(['Name', 'Data', 'Age']);
    expect(body.rows[0].cells.slice(0, 2)).toEqual(['shown', 2]);
    expect(body.rows[0].object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'shown' } });
  });

  it('have wide columns', async () => {
    const { api, group } = server();
    await api.must('POST', group('apps/v1', 'deployments'), deployment('wide', { replicas: 0 }));
    const { body } = await api.get(group('apps/v1', 'deployments', 'wide'), table);
    expect(body.columnDefinitions.map((one: Any) => [one.name, one.priority])).toEqual([
      ['Name', 0],
      ['Ready', 0],
      ['Up-to-date', 0],
      ['Available', 0],
      ['Age', 0],
      ['Containers', 1],
      ['Images', 1],
      ['Selector', 1],
    ]);
    expect(body.rows[0].cells.slice(0, 4)).toEqual(['wide', '0/0', 0, 0]);
    expect(body.rows[0].cells.slice(5)).toEqual(['main', 'nginx:1.27', 'app=wide']);
  });

  it('come as watch events too', async () => {
    const { api, core } = server();
    const { metadata } = await api.must('GET', core('configmaps'));
    await api.must('POST', core('configmaps'), configMap('watched'));
    const answer = await api
      .get(
        `${core('configmaps')}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dwatched&resourceVersion=${metadata.resourceVersion}`,
        { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
      )
      .catch((error: unknown) => String(error));
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer.body);
    expect(text).toContain('"Table"');
  });
});

describe('metadata only', () => {
  it('lists partial objects', async () => {
    const { api, core } = server();
    const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
    await api.must('POST', core('configmaps'), configMap('partial', { a: '1' }));
    const { body } = await api.get(`${core('configmaps')}?fieldSelector=metadata.name%3Dpartial`, { accept });
    expect(body.kind).toBe('PartialObjectMetadataList');
    expect(body.items[0]).toMatchObject({ metadata: { name: 'partial' } });
    expect(body.items[0].data).toBeUndefined();
  });
});
