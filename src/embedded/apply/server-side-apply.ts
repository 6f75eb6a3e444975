import type { AnyObject, ManagedFieldsEntry } from '../../kube/object.ts';
import type { Draft } from '../resource.ts';
import { equal } from '../schema/equal.ts';
import { copy, isFields } from '../schema/json.ts';
import type { Schema } from '../schema/schema.ts';
import { badRequest, StatusError } from '../status-error.ts';
import { applyConflict } from './apply-conflict.ts';
import { checkConfig } from './check-config.ts';
import { compare } from './compare.ts';
import { difference, type FieldSet, intersection, isEmpty, union, without } from './field-set.ts';
import { fieldsOf } from './fields-of.ts';
import { type Manager, managerId, readManagers, writeManagers } from './managers.ts';
import { merge } from './merge.ts';
import { type MergeType, mergeType } from './merge-type.ts';
import { serverFields } from './own-fields.ts';
import { remove, withNamedFields } from './remove.ts';
import { conflictsWith, takeOver } from './take-over.ts';
import { managedFieldsOf, recordUpdate, tracked } from './track-update.ts';

export interface Apply {
  readonly schema: Schema | undefined;
  /** The stored object; `undefined` when the apply creates it. */
  readonly live: AnyObject | undefined;
  readonly config: AnyObject;
  readonly manager: string;
  readonly force: boolean;
  readonly apiVersion: string;
  /** The kind that the endpoint serves, if it is to be checked. */
  readonly kind?: string | undefined;
  /** `status`, `scale`; empty or absent for the object itself. */
  readonly subresource?: string | undefined;
  /**
   * Fields that this endpoint ignores: `{ 'f:status': {} }` on an object whose status has its own endpoint. By default
   * `status` ignores metadata and spec, other endpoints ignore nothing.
   */
  readonly reset?: FieldSet | undefined;
  /** The time, as Kubernetes writes it: `2030-01-01T00:00:00Z`. */
  readonly now: string;
}

export interface Applied {
  /** The merged object, without `managedFields`: a copy, free to be changed. */
  readonly object: Draft;
  /** Whether the object differs from the live one; the managers may differ all the same. */
  readonly changed: boolean;
  readonly managedFields: ManagedFieldsEntry[];
}

/**
 * Server-side apply: the configuration's fields become the manager's, what it applied before and no longer mentions
 * goes unless someone else owns it, and what others own and it would change is a conflict unless forced. Equal values
 * are shared, not fought over.
 *
 * Throws a `StatusError`: 409 for conflicts, 400 and 500 for configurations that cannot be merged, as the API server.
 */
export function serverSideApply(apply: Apply): Applied {
  const { live, config, now } = apply;
  const type = mergeType(apply.schema);
  checkApply(apply, type);

  const managers = managersBefore(type, apply);
  const entry: ManagedFieldsEntry = {
    manager: apply.manager,
    operation: 'Apply',
    apiVersion: apply.apiVersion,
    ...(apply.subresource && { subresource: apply.subresource }),
  };
  const self = managerId(entry);
  const last = managers.get(self);
  const existing = live ? tracked(live) : emptyLike(config);

  const reset = apply.reset ?? (apply.subresource === 'status' ? statusOnly : {});
  const claimed = without(fieldsOf(type, config), reset);
  managers.set(self, { entry: { ...entry, ...timeOf(last) }, fields: claimed });
  const merged = merge(type, existing, config) as AnyObject;
  // Merged again, because a map or list that is applied empty is dropped with the last of its abandoned parts.
  const object = last ? (merge(type, dropAbandoned(type, merged, managers, last.fields), config) as AnyObject) : merged;

  const change = compare(type, existing, object);
  const conflicts = allowedByForce(apply, type, conflictsWith(managers, self, change));
  if (conflicts.size > 0) throw applyConflict(managers, conflicts);
  takeOver(managers, self, change);

  const changed = live === undefined || !equal(existing, object);
  const fields = difference(claimed, serverFields);
  if (isEmpty(fields)) managers.delete(self);
  else managers.set(self, { entry: { ...entry, ...(changed ? { time: now } : timeOf(last)) }, fields });
  return { object: copy(object) as Draft, changed, managedFields: writeManagers(managers) };
}

const statusOnly: FieldSet = { 'f:metadata': {}, 'f:spec': {} };

function checkApply({ config, apiVersion, kind, schema }: Apply, type: MergeType): void {
  const { metadata } = config;
  const version = textOf(config.apiVersion);
  const what = `${version.includes('/') ? '' : '/'}${version}, Kind=${textOf(config.kind)}`;
  if (config.apiVersion !== apiVersion || (kind !== undefined && config.kind !== kind)) {
    throw badRequest(`invalid object type: ${what}`);
  }
  if (isFields(metadata) && Array.isArray(metadata.managedFields)) {
    throw badRequest('metadata.managedFields must be nil');
  }
  if (!schema) return;
  const problems = checkConfig(type, config);
  if (problems.length === 0) return;
  const list = problems.length === 1 ? problems[0] : `errors:\n${problems.map((line) => `  ${line}`).join('\n')}`;
  const which = `${textOf(metadata.namespace)}/${textOf(metadata.name)}; ${what}`;
  throw new StatusError(500, '', `failed to create typed patch object (${which}): ${list}`);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** An object that was never applied to belongs, until now, to one manager of everything. */
function managersBefore(type: MergeType, { live, apiVersion, now }: Apply): Map<string, Manager> {
  const managers = readManagers(managedFieldsOf(live));
  if (!managers) throw new StatusError(500, '', 'failed to decode managed fields');
  if (managers.size === 0 && live) {
    const entry: ManagedFieldsEntry = { manager: 'before-first-apply', operation: 'Update', apiVersion };
    recordUpdate(type, managers, entry, {}, live, now);
  }
  return managers;
}

function emptyLike({ apiVersion, kind }: AnyObject): object {
  return { apiVersion, kind };
}

const timeOf = (manager: Manager | undefined): { readonly time?: string } =>
  manager?.entry.time === undefined ? {} : { time: manager.entry.time };

/** Removes what the manager applied last time, does not apply now, and nobody else owns. */
function dropAbandoned(
  type: MergeType,
  merged: AnyObject,
  managers: ReadonlyMap<string, Manager>,
  last: FieldSet,
): AnyObject {
  if (isEmpty(last)) return merged;
  const named = (set: FieldSet): FieldSet => withNamedFields(type, set);
  const before = named(last);
  const all = named(fieldsOf(type, merged));
  const bare = named(fieldsOf(type, remove(type, merged, before)));
  const owned = named([...managers.values()].reduce<FieldSet>((set, { fields }) => union(set, fields), {}));
  const kept = remove(type, merged, difference(all, union(bare, owned)));
  const dropped = intersection(difference(all, named(fieldsOf(type, kept))), before);
  return remove(type, merged, dropped) as AnyObject;
}

/**
 * `force` takes over. Without it, `kubectl apply --server-side` may still take what `kubectl apply` wrote earlier: the
 * fields in the last-applied annotation that the live object still has unchanged.
 */
function allowedByForce(
  { force, manager, live, apiVersion }: Apply,
  type: MergeType,
  conflicts: Map<string, FieldSet>,
): Map<string, FieldSet> {
  if (force) return new Map();
  if (manager !== 'kubectl' || conflicts.size === 0) return conflicts;
  const allowed = live && lastAppliedFields(type, live, apiVersion);
  if (!allowed) return conflicts;
  const rest = [...conflicts].map(([id, fields]) => [id, difference(fields, allowed)] as const);
  return new Map(rest.filter(([, fields]) => !isEmpty(fields)));
}

function lastAppliedFields(type: MergeType, live: AnyObject, apiVersion: string): FieldSet | undefined {
  const text = live.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'];
  if (!text) return undefined;
  try {
    const applied: unknown = JSON.parse(text);
    if (!isFields(applied) || applied.apiVersion !== apiVersion) return undefined;
    const change = compare(type, applied, tracked(live));
    const stale = union(union(change.modified, change.added), change.removed);
    return difference(fieldsOf(type, applied), stale);
  } catch {
    return undefined;
  }
}
