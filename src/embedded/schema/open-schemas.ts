import { type Fields, isFields } from './json.ts';
import type { Schema } from './schema.ts';

/** The schemas of a set of OpenAPI documents. */
export interface Schemas {
  byKind(group: string, version: string, kind: string): Schema | undefined;
  /** By the name in `components.schemas`: `io.k8s.api.apps.v1.Deployment`. */
  byName(name: string): Schema | undefined;
}

/**
 * Reads OpenAPI v3 documents as an API server publishes them at `/openapi/v3/...`.
 *
 * A schema is resolved when it is first asked for, together with what it refers to, and shared from then on: the same
 * component is the same object everywhere, so what others remember per schema (in a `WeakMap`) is remembered once.
 * Descriptions are left out: they are most of a document's size and no one who walks a schema needs them.
 */
export function openSchemas(documents: readonly unknown[]): Schemas {
  const raw = new Map<string, Fields>();
  const kinds = new Map<string, string>();
  for (const document of documents) {
    for (const [name, component] of Object.entries(componentsOf(document))) {
      if (!isFields(component) || raw.has(name)) continue;
      raw.set(name, component);
      for (const key of kindsOf(component)) if (!kinds.has(key)) kinds.set(key, name);
    }
  }

  const resolved = new Map<string, Schema>();
  /** Copies of components that were still being filled in when they were copied. */
  let late: (() => void)[] = [];
  let depth = 0;

  function byName(name: string): Schema | undefined {
    const known = resolved.get(name);
    if (known) return known;
    const source = orSchema(name, raw) ?? raw.get(name);
    if (!source) return undefined;
    const schema: Fields = {};
    resolved.set(name, schema);
    depth++;
    fill(schema, source);
    if (--depth === 0) {
      const waiting = late;
      late = [];
      for (const finish of waiting) finish();
    }
    return schema;
  }

  function resolve(source: unknown): Schema {
    if (!isFields(source)) return {};
    if (typeof source.$ref === 'string') return byName(refName(source.$ref)) ?? {};
    const schema: Fields = {};
    fill(schema, source);
    return schema;
  }

  function fill(schema: Fields, source: Fields): void {
    const only = soleReference(source);
    if (only) {
      const target = byName(only) as Fields | undefined;
      const { allOf: _, ...siblings } = source;
      const finish = (): void => {
        Object.assign(schema, target);
        copyPlain(schema, siblings);
      };
      finish();
      late.push(finish);
      return;
    }
    copyPlain(schema, source);
    for (const key of ['properties'] as const) if (isFields(source[key])) schema[key] = mapSchemas(source[key]);
    for (const key of ['items', 'not'] as const) if (isFields(source[key])) schema[key] = resolve(source[key]);
    for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
      const branches = source[key];
      if (Array.isArray(branches)) schema[key] = branches.map(resolve);
    }
    const more = source.additionalProperties;
    if (more !== undefined) schema.additionalProperties = isFields(more) ? resolve(more) : more;
    if (isOpen(schema)) schema['x-kubernetes-preserve-unknown-fields'] = true;
  }

  function mapSchemas(properties: Fields): Record<string, Schema> {
    const out: Record<string, Schema> = {};
    for (const [name, property] of Object.entries(properties)) out[name] = resolve(property);
    return out;
  }

  return {
    byName,
    byKind(group, version, kind) {
      const name = kinds.get(`${group}/${version}/${kind}`);
      return name === undefined ? undefined : byName(name);
    },
  };
}

const structural = new Set([
  'properties',
  'items',
  'not',
  'allOf',
  'anyOf',
  'oneOf',
  'additionalProperties',
  'description',
]);

function copyPlain(schema: Fields, source: Fields): void {
  for (const [key, value] of Object.entries(source)) if (!structural.has(key)) schema[key] = value;
}

function componentsOf(document: unknown): Fields {
  const components = isFields(document) ? document.components : undefined;
  const schemas = isFields(components) ? components.schemas : undefined;
  return isFields(schemas) ? schemas : {};
}

function kindsOf(component: Fields): readonly string[] {
  const listed = component['x-kubernetes-group-version-kind'];
  if (!Array.isArray(listed)) return [];
  return listed.filter(isFields).map((one) => `${one.group ?? ''}/${one.version}/${one.kind}`);
}

function refName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** `allOf` with one `$ref` is how a reference gets a default or a description of its own. */
function soleReference(source: Fields): string | undefined {
  const branches = source.allOf;
  if (!Array.isArray(branches) || branches.length !== 1 || source.properties !== undefined) return undefined;
  const [only] = branches;
  return isFields(only) && typeof only.$ref === 'string' ? refName(only.$ref) : undefined;
}

/** Raw JSON (`RawExtension`, `FieldsV1`, `JSON`) is published as a schema that says nothing: anything goes there. */
function isOpen(schema: Fields): boolean {
  const says = (key: string): boolean => schema[key] !== undefined;
  if (says('properties') || says('additionalProperties') || says('items')) return false;
  if (says('x-kubernetes-int-or-string')) return false;
  return schema.type === 'object' || (!says('type') && !says('oneOf') && !says('anyOf') && !says('allOf'));
}

/** A CRD's `items` and `additionalProperties` are published as "anything", but where they are objects they are schemas. */
function orSchema(name: string, raw: ReadonlyMap<string, Fields>): Fields | undefined {
  const base = /^(.*JSONSchemaProps)Or(Array|Bool)$/.exec(name)?.[1];
  const properties = base === undefined ? undefined : raw.get(base)?.properties;
  return properties === undefined ? undefined : { properties };
}
