import { stringFormat } from '../schema/formats.ts';
import { quote } from '../schema/go-text.ts';
import type { Schema } from '../schema/schema.ts';
import type { Definition } from './definition.ts';

/** What the author of a definition should know, although it is accepted. */
export function definitionWarnings({ spec }: Definition): readonly string[] {
  const formats: string[] = [];
  const sets = new Set<string>();
  for (const { schema } of spec.versions) {
    if (!schema?.openAPIV3Schema) continue;
    for (const part of partsOf(schema.openAPIV3Schema)) {
      if (part.format && !isKnown(part)) formats.push(`unrecognized format ${quote(part.format)}`);
      const item = part.items?.type;
      if (part['x-kubernetes-list-type'] === 'set' && (item === 'object' || item === 'array')) {
        const what = `x-kubernetes-list-type: set for items of type ${quote(item)}`;
        sets.add(`${what} is not supported by server-side apply or CEL validation rules`);
      }
    }
  }
  return [...new Set(formats), ...[...sets].sort()];
}

function isKnown({ type, format = '' }: Schema): boolean {
  switch (type) {
    case undefined:
    case 'string':
      return stringFormat(format) !== undefined;
    case 'integer':
      return format === 'int32' || format === 'int64';
    case 'number':
      return format === 'float' || format === 'double';
    default:
      return false;
  }
}

/** A schema and every schema within it. Schemas of definitions are trees: they came as JSON. */
export function* partsOf(schema: Schema): Generator<Schema> {
  yield schema;
  const { items, properties = {}, additionalProperties: more, allOf = [], anyOf = [], oneOf = [], not } = schema;
  const nested = [items, typeof more === 'object' ? more : undefined, not, ...allOf, ...anyOf, ...oneOf];
  for (const child of [...nested, ...Object.values(properties)]) if (child) yield* partsOf(child);
}
