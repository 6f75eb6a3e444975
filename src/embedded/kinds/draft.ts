import type { Draft } from '../resource.ts';
import { type Fields, isFields } from '../schema/json.ts';

/** The value if it is a JSON object. Drafts are not validated yet: every step into one must be checked. */
export function fields(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined;
}

/** The value's members that are JSON objects, if it is an array. */
export function each(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** The object under `name`, made when absent; undefined when something else stands there. */
export function inside(parent: Draft | Fields, name: string): Fields | undefined {
  parent[name] ??= {};
  return fields(parent[name]);
}

/** Sets what is absent or `null`. */
export function fill(target: Fields | undefined, values: Readonly<Fields>): void {
  if (!target) return;
  for (const [name, value] of Object.entries(values)) target[name] ??= value;
}

/** Sets what is absent, `null`, empty text or zero: Kubernetes cannot tell those apart in fields that are not pointers. */
export function fillEmpty(target: Fields | undefined, values: Readonly<Fields>): void {
  if (!target) return;
  for (const [name, value] of Object.entries(values)) {
    if (target[name] === '' || target[name] === 0) target[name] = value;
    else target[name] ??= value;
  }
}

/** Keeps `before`'s value of a field that this kind of request may not change; absent there, it is absent here. */
export function keep(draft: Draft | Fields, before: { readonly [field: string]: unknown }, name: string): void {
  if (before[name] === undefined) delete draft[name];
  else draft[name] = structuredClone(before[name]);
}
