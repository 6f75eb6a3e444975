import type { AnyObject } from '../../kube/object.ts';
import type { Draft } from '../resource.ts';
import { equal } from '../schema/equal.ts';
import { goPrint, goType } from '../schema/go-text.ts';
import { copy, type Fields, getField, isFields, setField } from '../schema/json.ts';
import type { Schema } from '../schema/schema.ts';
import { badRequest, StatusError } from '../status-error.ts';
import { checkOrder, type ListRule, mergeItems, orderItems } from './strategic-list.ts';

const directive = '$patch';
const deletion = '$deleteFromPrimitiveList';
const order = '$setElementOrder';
const retain = '$retainKeys';

/**
 * A strategic merge patch: like a merge patch, but lists that the schema marks with a merge strategy are merged by key
 * (`x-kubernetes-patch-merge-key`) or, for plain values, as sets. Understands `$patch: delete | replace | merge`,
 * `$deleteFromPrimitiveList`, `$setElementOrder` and `$retainKeys`. Changes neither argument.
 */
export function strategicMergePatch(schema: Schema | undefined, object: AnyObject, patch: unknown): Draft {
  if (!isFields(patch)) {
    const what = Array.isArray(patch) ? 'array' : typeof patch === 'boolean' ? 'bool' : typeof patch;
    throw badRequest(`json: cannot unmarshal ${what} into Go value of type map[string]interface {}`);
  }
  return mergeFields(schema, copy(object) as Fields, copy(patch)) as Draft;
}

/** Merges a patch into fields that may be changed, and are. */
function mergeFields(schema: Schema | undefined, target: Fields, patch: Fields): Fields {
  if (Object.hasOwn(patch, directive)) return obey(patch);
  retainKeys(target, patch);
  mergeOrdered(schema, target, patch);
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (key.startsWith(deletion)) deleteValues(target, nameIn(key, deletion), value);
    else if (value === null) delete target[key];
    else mergeField(schema, target, key, value);
  }
  return target;
}

function obey(patch: Fields): Fields {
  const { [directive]: what, ...rest } = patch;
  if (what === 'replace') return rest;
  if (what === 'delete') return {};
  throw failure(`unknown patch type: ${goPrint(what)} in map: ${goPrint(patch)}`);
}

function mergeField(schema: Schema | undefined, target: Fields, key: string, value: unknown): void {
  const there = getField(target, key);
  const field = fieldSchema(schema, key);
  if (isFields(there) && isFields(value)) {
    const merged = strategies(field).includes('replace') ? value : mergeFields(field, there, value);
    setField(target, key, merged);
  } else if (Array.isArray(there) && Array.isArray(value)) {
    const rule = listRule(field, key);
    setField(target, key, rule.merges ? mergeItems(rule, there, value, mergeFields) : value);
  } else {
    const clean = withoutDirectives(value);
    if (clean === undefined) delete target[key];
    else setField(target, key, clean);
  }
}

function fieldSchema(schema: Schema | undefined, key: string): Schema | undefined {
  const { properties, additionalProperties: more } = schema ?? {};
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  return typeof more === 'object' ? more : undefined;
}

const strategies = (schema: Schema | undefined): readonly string[] =>
  schema?.['x-kubernetes-patch-strategy']?.split(',') ?? [];

function listRule(schema: Schema | undefined, name: string): ListRule {
  return {
    name,
    merges: strategies(schema).includes('merge'),
    key: schema?.['x-kubernetes-patch-merge-key'],
    items: schema?.items,
  };
}

/** Values that were not there before come in without nulls and without what only directs the merge. */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((item) => item !== undefined);
  }
  if (!isFields(value)) return value;
  if (Object.hasOwn(value, directive)) return undefined;
  const out: Fields = {};
  for (const key of Object.keys(value)) {
    const child = value[key] === null ? undefined : withoutDirectives(value[key]);
    if (child !== undefined) setField(out, key, child);
  }
  return out;
}

/** `$setElementOrder/x` says in which order the items of `x` shall stand, those included that the patch leaves alone. */
function mergeOrdered(schema: Schema | undefined, target: Fields, patch: Fields): void {
  for (const directiveKey of Object.keys(patch).filter((key) => key.startsWith(order))) {
    const wanted = patch[directiveKey];
    delete patch[directiveKey];
    const key = nameIn(directiveKey, order);
    if (!Array.isArray(wanted)) throw notList(wanted);
    const live = getField(target, key);
    const changes = getField(patch, key);
    if (live !== undefined && !Array.isArray(live)) throw notList(live);
    if (changes === undefined ? live === undefined : changes === null) continue;
    if (changes !== undefined && !Array.isArray(changes)) throw notList(changes);
    delete patch[key];
    const rule = listRule(fieldSchema(schema, key), key);
    if (changes) checkOrder(rule, changes, wanted);
    const merged = changes ? mergeList(rule, live, changes) : (live ?? []);
    setField(target, key, orderItems(rule, merged, wanted, live ?? []));
  }
}

function mergeList(rule: ListRule, live: unknown[] | undefined, changes: unknown[]): unknown[] {
  if (!live) return withoutDirectives(changes) as unknown[];
  return rule.merges ? mergeItems(rule, live, changes, mergeFields) : changes;
}

function deleteValues(target: Fields, key: string, values: unknown): void {
  const there = getField(target, key);
  if (!Array.isArray(values)) throw badRequest('invalid patch format of primitive list');
  if (!Array.isArray(there)) return;
  setField(
    target,
    key,
    there.filter((item) => !values.some((value) => equal(value, item))),
  );
}

/** `$retainKeys` lists the only fields that may stay: how a change of a union's member clears the other members. */
function retainKeys(target: Fields, patch: Fields): void {
  if (!Object.hasOwn(patch, retain)) return;
  const keys = patch[retain];
  delete patch[retain];
  if (!Array.isArray(keys)) throw badRequest('invalid patch format of retainKeys');
  for (const key of Object.keys(patch)) {
    const directs = patch[key] === null || key.startsWith(deletion) || key.startsWith(order);
    if (!directs && !keys.includes(key)) throw badRequest('invalid patch format of retainKeys');
  }
  for (const key of Object.keys(target)) if (!keys.includes(key)) delete target[key];
}

function nameIn(key: string, prefix: string): string {
  if (key.startsWith(`${prefix}/`)) return key.slice(prefix.length + 1);
  const what = prefix === deletion ? 'primitive list' : 'setElementOrder list';
  throw badRequest(`invalid patch format of ${what}`);
}

/** The API server answers 500 to patches that it cannot make sense of. */
function failure(message: string): StatusError {
  return new StatusError(500, '', message);
}

function notList(value: unknown): StatusError {
  return failure(`expected a []interface {}, but received a ${value === null ? 'nil' : goType(value)}`);
}
