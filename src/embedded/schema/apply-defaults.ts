import { copy, type Fields, isFields, setField } from './json.ts';
import type { Schema } from './schema.ts';

/**
 * Fills in a structural schema's defaults, in place, as the API server does for custom resources: a field that is
 * absent, or null without being nullable, gets its default; a null that may not be null and has no default is dropped.
 * Defaults apply only inside objects that exist: a default below an absent object needs a default on that object.
 *
 * Idempotent. Not for built-in kinds: their published defaults describe zero values, their real ones are code.
 */
export function applyDefaults(schema: Schema, draft: unknown): void {
  if (Array.isArray(draft)) {
    const items = schema.items;
    if (!items) return;
    for (let i = 0; i < draft.length; i++) {
      if (draft[i] === null && !items.nullable && items.default !== undefined) draft[i] = copy(items.default);
      if (typeof draft[i] === 'object' && draft[i] !== null) applyDefaults(items, draft[i]);
    }
    return;
  }
  if (!isFields(draft)) return;
  fillAbsent(schema, draft);
  const properties = schema.properties;
  const more = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  for (const key of Object.keys(draft)) {
    const child = properties && Object.hasOwn(properties, key) ? properties[key] : more;
    if (!child) continue;
    if (draft[key] === null && !child.nullable) {
      if (child.default === undefined) delete draft[key];
      else setField(draft, key, copy(child.default));
    }
    const value = draft[key];
    if (typeof value === 'object' && value !== null) applyDefaults(child, value);
  }
}

const withDefault = new WeakMap<Schema, readonly (readonly [string, unknown])[]>();

function fillAbsent(schema: Schema, draft: Fields): void {
  if (!schema.properties) return;
  let defaults = withDefault.get(schema);
  if (!defaults) {
    defaults = Object.entries(schema.properties).flatMap(([key, { default: value }]) =>
      value === undefined || value === null ? [] : [[key, value] as const],
    );
    withDefault.set(schema, defaults);
  }
  for (const [key, value] of defaults) if (!Object.hasOwn(draft, key)) setField(draft, key, copy(value));
}
