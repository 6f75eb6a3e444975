import { envelope, objectMeta } from '../schema/object-meta.ts';
import type { Schema } from '../schema/schema.ts';

const remembered = new WeakMap<Schema, Schema>();

/**
 * The schema of whole objects: a definition's schema says nothing of `apiVersion` and `kind`, and of `metadata` at most
 * what names are allowed. The same schema gives the same object, so that what others compiled for it stays compiled.
 */
export function servedSchema(schema: Schema | undefined): Schema | undefined {
  if (!schema) return undefined;
  let whole = remembered.get(schema);
  if (!whole) {
    const { metadata } = schema.properties ?? {};
    whole = {
      ...schema,
      properties: {
        ...schema.properties,
        ...envelope,
        ...(metadata && {
          metadata: { ...objectMeta, properties: { ...objectMeta.properties, ...metadata.properties } },
        }),
      },
    };
    remembered.set(schema, whole);
  }
  return whole;
}
