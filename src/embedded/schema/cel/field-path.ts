import type { Schema } from '../schema.ts';

/**
 * A rule's `fieldPath` (`.spec['my-field'].x`) as Kubernetes writes it in errors (`spec.my-field.x`), or `undefined`
 * when it leads to no field of the schema.
 */
export function fieldPathOf(schema: Schema, path: string): string | undefined {
  let at: Schema | undefined = schema;
  let out = '';
  let rest = path;
  while (rest !== '') {
    const found = /^(?:\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\])/.exec(rest);
    if (!found || !at) return undefined;
    rest = rest.slice(found[0].length);
    const name = found[1] ?? (found[2] ?? '').replace(/\\(.)/g, '$1');
    if (at.properties) {
      at = Object.hasOwn(at.properties, name) ? at.properties[name] : undefined;
      out = out === '' ? name : `${out}.${name}`;
    } else if (typeof at.additionalProperties === 'object') {
      at = at.additionalProperties;
      out = `${out}[${name}]`;
    } else {
      at = undefined;
    }
    if (!at) return undefined;
  }
  return out === '' ? undefined : out;
}
