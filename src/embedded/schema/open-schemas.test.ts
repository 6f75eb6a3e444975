import { describe, expect, it } from 'vitest';
import { builtInDocument } from '../discovery/built-in.ts';
import { openSchemas } from './open-schemas.ts';
import { prune } from './prune.ts';
import type { Schema } from './schema.ts';

async function documents(...paths: string[]): Promise<unknown[]> {
  const read = async (path: string): Promise<unknown> =>
    JSON.parse(Buffer.from((await builtInDocument(path)) ?? '').toString());
  return Promise.all(paths.map(read));
}

describe('the published schemas', () => {
  it('resolves a kind with all it refers to, the same component to the same object', async () => {
    const schemas = openSchemas(await documents('apis/apps/v1'));
    const deployment = schemas.byKind('apps', 'v1', 'Deployment');
    const template = deployment?.properties?.spec?.properties?.template;
    const set = schemas.byKind('apps', 'v1', 'StatefulSet');
    expect(template?.properties?.spec?.properties?.containers?.['x-kubernetes-list-map-keys']).toEqual(['name']);
    expect(set?.properties?.spec?.properties?.template?.properties).toBe(template?.properties);
    expect(deployment).toBe(schemas.byName('io.k8s.api.apps.v1.Deployment'));
    expect(schemas.byKind('apps', 'v1', 'Nope')).toBeUndefined();
  });

  it('keeps the default of a reference with the place, not with the type', async () => {
    const schemas = openSchemas(await documents('apis/apps/v1'));
    expect(schemas.byKind('apps', 'v1', 'Deployment')?.properties?.spec?.default).toEqual({});
    expect(schemas.byName('io.k8s.api.apps.v1.DeploymentSpec')?.default).toBeUndefined();
  });

  it('turns recursive kinds into cycles, and leaves free JSON alone', async () => {
    const schemas = openSchemas(await documents('apis/apiextensions.k8s.io/v1'));
    const schema = schemas.byKind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition') as Schema;
    const nested = {
      type: 'object',
      foo: 1,
      properties: { a: { default: { any: 1 }, items: { type: 'string', bar: 1 } } },
    };
    const draft = {
      spec: { versions: [{ schema: { openAPIV3Schema: nested } }] },
      metadata: { managedFields: [{ fieldsV1: { x: {} } }] },
    };
    const at = 'spec.versions[0].schema.openAPIV3Schema';
    expect(prune(schema, draft)).toEqual([`${at}.foo`, `${at}.properties.a.items.bar`]);
    expect(draft.metadata.managedFields[0]?.fieldsV1).toEqual({ x: {} });
  });

  it('ignores what is not a document', () => {
    expect(openSchemas([null, 3, {}, { components: 1 }]).byName('x')).toBeUndefined();
  });
});
