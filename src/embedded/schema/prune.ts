import { type Fields, isFields } from './json.ts';
import { envelope } from './object-meta.ts';
import type { Schema } from './schema.ts';

/**
 * Drops the fields that the schema does not know, in place, and returns their paths in Kubernetes' spelling, sorted:
 * `spec.foo`, `spec.containers[0].bar`.
 *
 * What lies under `x-kubernetes-preserve-unknown-fields` stays, except below fields that the schema does describe.
 * Bounded by the value: an unknown field is dropped without looking into it.
 */
export function prune(schema: Schema, draft: unknown): string[] {
  const dropped: string[] = [];
  walk(schema, draft, '', dropped);
  return dropped.length > 1 ? dropped.sort() : dropped;
}

function walk(schema: Schema, value: unknown, path: string, dropped: string[]): void {
  if (Array.isArray(value)) {
    const items = schema.items;
    if (!items) return;
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (typeof item === 'object' && item !== null) walk(items, item, `${path}[${i}]`, dropped);
    }
    return;
  }
  if (!isFields(value)) return;
  const properties = schema.properties;
  const more = schema.additionalProperties;
  const keep = schema['x-kubernetes-preserve-unknown-fields'] === true;
  for (const key in value) {
    const child = value[key];
    const known = knownField(schema, properties, key);
    if (known) {
      if (typeof child === 'object' && child !== null) walk(known, child, join(path, key), dropped);
    } else if (typeof more === 'object') {
      if (typeof child === 'object' && child !== null) walk(more, child, join(path, key), dropped);
    } else if (!keep && more !== true) {
      dropped.push(join(path, key));
      delete (value as Fields)[key];
    }
  }
}

function knownField(schema: Schema, properties: Schema['properties'], key: string): Schema | undefined {
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  if (schema['x-kubernetes-embedded-resource'] && Object.hasOwn(envelope, key)) return envelope[key];
  return undefined;
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
