import * as z from 'zod';
import { DefinitionError } from './definition-error.ts';
import type { Annotations, Extensions } from './field.ts';

declare module 'zod' {
  interface GlobalMeta extends Extensions, Pick<Annotations, 'change' | 'secret'> {}
}

/** What a field's metadata may say; all other keys are refused, because a misspelt `change` would be silently ignored. */
export type Meta = Extensions & Annotations & { readonly title?: string; readonly description?: string };

const known = new Set<string>([
  'title',
  'description',
  'deprecated',
  'change',
  'secret',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] satisfies (keyof Meta)[]);

/** Zod's own bookkeeping: a name for `$ref`, which CRDs do not have, and examples. */
const dropped = new Set(['id', 'examples']);

/** The metadata given to this very schema with `.meta()` or `.describe()`. */
export function metaOf(schema: z.core.$ZodType, path: string): Meta {
  const meta = z.globalRegistry.get(schema) ?? {};
  for (const key of Object.keys(meta)) {
    if (!known.has(key) && !dropped.has(key)) throw new DefinitionError(path, `unknown metadata "${key}"`);
  }
  return Object.fromEntries(Object.entries(meta).filter(([key]) => known.has(key)));
}
