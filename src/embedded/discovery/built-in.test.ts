import { describe, expect, it } from 'vitest';
import { builtInDocument, builtInDocuments, builtInResources, builtInSchema } from './built-in.ts';

const resource = (group: string, plural: string) =>
  builtInResources().find((each) => each.group === group && each.plural === plural);

describe('built-in resources', () => {
  it('carry the real server’s names, verbs and subresources', () => {
    expect(resource('apps', 'deployments')).toMatchObject({
      version: 'v1',
      kind: 'Deployment',
      singular: 'deployment',
      namespaced: true,
      shortNames: ['deploy'],
      categories: ['all'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      subresources: [
        { name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] },
        { name: 'status', kind: 'Deployment' },
      ],
    });
    expect(resource('', 'nodes')?.namespaced).toBe(false);
    expect(resource('authorization.k8s.io', 'subjectaccessreviews')?.verbs).toEqual(['create']);
  });

  it('prefer autoscaling/v2 to v1 as the real server does', () => {
    const versions = builtInResources().filter((each) => each.group === 'autoscaling');
    expect(versions.map((each) => each.version)).toEqual(['v2', 'v1']);
  });

  it('have a schema each', () => {
    for (const { group, version, kind } of builtInResources()) {
      expect(builtInSchema(group, version, kind), `${group}/${version} ${kind}`).toMatchObject({ type: 'object' });
    }
  });
});

describe('built-in schemas', () => {
  it('resolve references down to the leaves', () => {
    const deployment = builtInSchema('apps', 'v1', 'Deployment');
    const pod = deployment?.properties?.spec?.properties?.template?.properties?.spec;
    const port = pod?.properties?.containers?.items?.properties?.ports;
    expect(port?.['x-kubernetes-list-map-keys']).toEqual(['containerPort', 'protocol']);
    expect(port?.items?.properties?.protocol).toEqual({
      type: 'string',
      default: 'TCP',
      enum: ['SCTP', 'TCP', 'UDP'],
    });
    expect(port?.items?.required).toEqual(['containerPort']);
  });

  it('leave no reference and no description behind', () => {
    const seen = new Set<unknown>();
    const check = (node: unknown, path: string, names: boolean): void => {
      if (typeof node !== 'object' || node === null || seen.has(node)) return;
      seen.add(node);
      for (const [key, value] of Object.entries(node)) {
        if (!names) expect(['$ref', 'description'], `${path}.${key}`).not.toContain(key);
        check(value, `${path}.${key}`, key === 'properties' && !names);
      }
    };
    for (const { group, version, kind } of builtInResources()) check(builtInSchema(group, version, kind), kind, false);
    expect(seen.size).toBeGreaterThan(1000);
  });

  it('describe recursive kinds as cycles', () => {
    const crd = builtInSchema('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');
    const props = crd?.properties?.spec?.properties?.versions?.items?.properties?.schema?.properties?.openAPIV3Schema;
    expect(props?.properties?.not?.properties).toBe(props?.properties);
    expect(props?.properties?.$ref).toEqual({ type: 'string' });
  });

  it('say what the published ones leave out: int-or-string, quantities, free-form data', () => {
    const service = builtInSchema('', 'v1', 'Service')?.properties?.spec?.properties?.ports?.items?.properties;
    expect(service?.targetPort).toEqual({ 'x-kubernetes-int-or-string': true });
    const revision = builtInSchema('apps', 'v1', 'ControllerRevision')?.properties?.data;
    expect(revision?.['x-kubernetes-preserve-unknown-fields']).toBe(true);
  });

  it('cover what is sent to subresources', () => {
    expect(builtInSchema('policy', 'v1', 'Eviction')).toBeDefined();
    expect(builtInSchema('autoscaling', 'v1', 'Scale')).toBeDefined();
    expect(builtInSchema('authentication.k8s.io', 'v1', 'TokenRequest')).toBeDefined();
    expect(builtInSchema('', 'v1', 'NoSuchKind')).toBeUndefined();
  });
});

describe('built-in OpenAPI documents', () => {
  it('name a kind’s PATCH with its GVK and the fieldValidation parameter, which kubectl apply looks for', async () => {
    const bytes = await builtInDocument('apis/apps/v1');
    const document = JSON.parse(new TextDecoder().decode(bytes));
    const patch = document.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'].patch;
    expect(patch['x-kubernetes-group-version-kind']).toEqual({ group: 'apps', kind: 'Deployment', version: 'v1' });
    expect(patch.parameters.map((each: { name: string }) => each.name)).toContain('fieldValidation');
    expect(document.components.schemas['io.k8s.api.apps.v1.Deployment'].description).toMatch(/declarative updates/);
  });

  it('exist for each group and version, with a hash', () => {
    const versions = new Set(
      builtInResources().map(({ group, version }) => (group ? `apis/${group}/${version}` : `api/${version}`)),
    );
    expect(new Set(builtInDocuments().keys())).toEqual(versions);
    for (const hash of builtInDocuments().values()) expect(hash).toMatch(/^[0-9A-F]{128}$/);
  });

  it('are absent for paths that are none', async () => {
    expect(await builtInDocument('apis/nope/v1')).toBeUndefined();
    expect(await builtInDocument('constructor')).toBeUndefined();
  });
});
