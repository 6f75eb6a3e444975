import { createHash } from 'node:crypto';
import type { ServedResource } from '../resource.ts';
import type { Schema } from '../schema/schema.ts';
import { builtInDocument } from './built-in.ts';
import type { GroupVersion } from './groups.ts';

const metaPrefix = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/**
 * The OpenAPI v3 document of the custom resources of one group and version: their schemas, and for each the paths by
 * which kubectl finds the schema of a kind and learns that the server validates fields.
 */
export async function customDocument(group: string, { version, resources }: GroupVersion): Promise<string> {
  const schemas: Record<string, unknown> = { ...(await metaSchemas()) };
  const paths: Record<string, unknown> = {};
  for (const resource of resources) {
    const name = schemaName(resource, resource.kind);
    const list = schemaName(resource, resource.listKind);
    schemas[name] = published(resource);
    schemas[list] = publishedList(resource, name);
    Object.assign(paths, pathsOf(`/apis/${group}/${version}`, resource, name, list));
  }
  const info = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' };
  return JSON.stringify({ openapi: '3.0.0', info, paths, components: { schemas } });
}

const hashes = new WeakMap<ServedResource, string>();

/** A hash that changes when the document does, without making the document. */
export function customHash({ resources }: GroupVersion): string {
  const hash = createHash('sha512');
  for (const resource of resources) {
    const known =
      hashes.get(resource) ??
      createHash('sha512')
        .update(JSON.stringify(facts(resource)))
        .digest('hex');
    hashes.set(resource, known);
    hash.update(known);
  }
  return hash.digest('hex').toUpperCase();
}

const facts = ({ group, version, kind, plural, namespaced, status, scale, schema }: ServedResource): unknown[] => [
  group,
  version,
  kind,
  plural,
  namespaced,
  status,
  scale,
  schema,
];

/** `com.example.stable.v1.CronTab` for `stable.example.com/v1`. */
function schemaName({ group, version }: ServedResource, kind: string): string {
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}

const apiVersion = { type: 'string', description: 'The group and version in which this object is written.' };
const kind = { type: 'string', description: 'The kind of this object.' };

function published(resource: ServedResource): unknown {
  const schema: Schema = resource.schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    ...schema,
    properties: {
      ...schema.properties,
      apiVersion,
      kind,
      metadata: { description: 'Standard object metadata.', allOf: [reference(`${metaPrefix}ObjectMeta`)] },
    },
    'x-kubernetes-group-version-kind': [gvk(resource)],
  };
}

function publishedList(resource: ServedResource, item: string): unknown {
  return {
    type: 'object',
    description: `${resource.listKind} is a list of ${resource.kind}`,
    required: ['items'],
    properties: {
      apiVersion,
      kind,
      items: { type: 'array', description: `List of ${resource.plural}.`, items: reference(item) },
      metadata: { description: 'Standard list metadata.', allOf: [reference(`${metaPrefix}ListMeta`)] },
    },
    'x-kubernetes-group-version-kind': [{ ...gvk(resource), kind: resource.listKind }],
  };
}

const gvk = ({ group, kind: name, version }: ServedResource) => ({ group, kind: name, version });

const query = (name: string, type = 'string') => ({ name, in: 'query', schema: { type, uniqueItems: true } });
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string', uniqueItems: true } });
const writing = [query('dryRun'), query('fieldManager'), query('fieldValidation')];
const listing = [
  query('allowWatchBookmarks', 'boolean'),
  query('continue'),
  query('fieldSelector'),
  query('labelSelector'),
  query('limit', 'integer'),
  query('resourceVersion'),
  query('resourceVersionMatch'),
  query('sendInitialEvents', 'boolean'),
  query('timeoutSeconds', 'integer'),
  query('watch', 'boolean'),
];
const deleting = [
  query('dryRun'),
  query('gracePeriodSeconds', 'integer'),
  query('orphanDependents', 'boolean'),
  query('propagationPolicy'),
];
const patchTypes = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];

function pathsOf(root: string, resource: ServedResource, one: string, many: string): Record<string, unknown> {
  const { plural, namespaced } = resource;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const scope = namespaced ? [inPath('namespace')] : [];
  const body = (types: readonly string[], name: string) => ({
    content: Object.fromEntries(types.map((type) => [type, { schema: reference(name) }])),
    required: true,
  });
  const operation = (action: string, answer: string, parameters: readonly unknown[], requestBody?: unknown) => ({
    parameters,
    ...(requestBody !== undefined && { requestBody }),
    responses: { 200: { description: 'OK', content: { 'application/json': { schema: reference(answer) } } } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk(resource),
  });
  const json = ['application/json', 'application/yaml'];
  const patchBody = body(patchTypes, `${metaPrefix}Patch`);
  const item = {
    get: operation('get', one, [query('resourceVersion')]),
    put: operation('put', one, writing, body(json, one)),
    patch: operation('patch', one, [...writing, query('force', 'boolean')], patchBody),
    parameters: [...scope, inPath('name'), query('pretty')],
  };
  const status = `${metaPrefix}Status`;
  const options = { ...body(json, `${metaPrefix}DeleteOptions`), required: false };
  return {
    [collection]: {
      get: operation('list', many, listing),
      post: operation('post', one, writing, body(json, one)),
      delete: operation('deletecollection', status, [...listing, ...deleting], options),
      parameters: [...scope, query('pretty')],
    },
    [`${collection}/{name}`]: { ...item, delete: operation('delete', status, deleting, options) },
    ...(resource.status && { [`${collection}/{name}/status`]: item }),
    ...(namespaced && {
      [`${root}/${plural}`]: { get: operation('list', many, listing), parameters: [query('pretty')] },
    }),
  };
}

/** Schemas of object metadata and what else every kind refers to, taken from a built-in document that has them all. */
async function metaSchemas(): Promise<Record<string, unknown>> {
  const document = JSON.parse(new TextDecoder().decode(await builtInDocument('apis/coordination.k8s.io/v1')));
  const all = Object.entries<unknown>(document.components.schemas);
  return Object.fromEntries(all.filter(([name]) => name.startsWith(metaPrefix)));
}
