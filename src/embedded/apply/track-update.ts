import type { ManagedFieldsEntry } from '../../kube/object.ts';
import { isFields } from '../schema/json.ts';
import type { Schema } from '../schema/schema.ts';
import { compare } from './compare.ts';
import { difference, isEmpty, union } from './field-set.ts';
import { type Manager, managerId, readManagers, seconds, writeManagers } from './managers.ts';
import { type MergeType, mergeType } from './merge-type.ts';
import { serverFields } from './own-fields.ts';
import { takeOver } from './take-over.ts';

/** How many managers may keep entries for updates; the oldest are merged into one beyond that. */
const mostUpdaters = 10;

export interface Update {
  readonly schema: Schema | undefined;
  /** The stored object; `undefined` for a create. */
  readonly before: object | undefined;
  /** What will be stored, with the `managedFields` that the request carried. */
  readonly after: object;
  readonly manager: string;
  readonly apiVersion: string;
  /** `status`, `scale`; empty or absent for the object itself. */
  readonly subresource?: string | undefined;
  /** The time, as Kubernetes writes it: `2030-01-01T00:00:00Z`. */
  readonly now: string;
}

/**
 * Who manages what after a create, update or patch: what it added or changed becomes the manager's and is no one
 * else's any more; what it removed is nobody's. The manager's time changes only when it took something.
 *
 * A request may replace the entries by carrying others, and clear them with `[]` or `[{}]`; from then on, until the
 * next apply, nothing is tracked. Requests that carry none, or broken ones, leave them as they are.
 */
export function trackUpdate(update: Update): ManagedFieldsEntry[] {
  const { before, after, subresource, now } = update;
  const managers = currentManagers(before, after, Boolean(subresource));
  if (managers.size === 0 && before !== undefined) return [];
  const entry: ManagedFieldsEntry = {
    manager: update.manager || 'unknown',
    operation: 'Update',
    apiVersion: update.apiVersion,
    ...(subresource && { subresource }),
  };
  recordUpdate(mergeType(update.schema), managers, entry, before ?? {}, after, now);
  return writeManagers(capUpdaters(managers));
}

/** Records in `managers` that `entry`'s manager brought the object from one state to another. */
export function recordUpdate(
  type: MergeType,
  managers: Map<string, Manager>,
  entry: ManagedFieldsEntry,
  before: object,
  after: object,
  now: string,
): void {
  const change = compare(type, tracked(before), tracked(after));
  const nobody = '';
  takeOver(managers, nobody, change);
  const taken = difference(union(change.modified, change.added), serverFields);
  if (isEmpty(taken)) return;
  const id = managerId(entry);
  const mine = managers.get(id);
  managers.set(id, {
    entry: { ...entry, time: now },
    fields: mine ? union(taken, mine.fields) : taken,
  });
}

/** The object without its managed fields, which manage nothing of themselves. */
export function tracked(object: object): object {
  const { metadata } = object as { readonly metadata?: unknown };
  if (!isFields(metadata) || !Object.hasOwn(metadata, 'managedFields')) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

export function managedFieldsOf(object: object | undefined): unknown {
  const metadata = (object as { readonly metadata?: unknown } | undefined)?.metadata;
  return isFields(metadata) ? metadata.managedFields : undefined;
}

function currentManagers(before: object | undefined, after: object, subresource: boolean): Map<string, Manager> {
  const live = (): Map<string, Manager> => readManagers(managedFieldsOf(before)) ?? new Map();
  if (subresource) return live();
  const asked = managedFieldsOf(after);
  if (isReset(asked)) return new Map();
  const managers = readManagers(asked);
  return managers && managers.size > 0 ? managers : live();
}

function isReset(entries: unknown): boolean {
  if (!Array.isArray(entries) || entries.length > 1) return false;
  return entries.length === 0 || (isFields(entries[0]) && Object.keys(entries[0]).length === 0);
}

/** Merges the oldest updaters of each version into one, called `ancient-changes`, until they are few enough. */
function capUpdaters(managers: Map<string, Manager>): Map<string, Manager> {
  const updaters = [...managers].filter(([, { entry }]) => entry.operation === 'Update');
  let left = updaters.length;
  if (left <= mostUpdaters) return managers;
  updaters.sort(([a, one], [b, other]) => seconds(one.entry) - seconds(other.entry) || (a < b ? -1 : 1));
  const first = new Map<string, string>();
  for (const [id, { entry, fields }] of updaters) {
    if (left <= mostUpdaters) break;
    const version = entry.apiVersion ?? '';
    const oldest = first.get(version);
    if (oldest === undefined) {
      first.set(version, id);
      continue;
    }
    const bucket: ManagedFieldsEntry = {
      manager: 'ancient-changes',
      operation: 'Update',
      apiVersion: version,
      ...(entry.time !== undefined && { time: entry.time }),
    };
    const bucketId = managerId(bucket);
    const there = managers.get(bucketId) ?? managers.get(oldest);
    if (oldest !== bucketId && !managers.has(bucketId)) managers.delete(oldest);
    managers.delete(id);
    managers.set(bucketId, { entry: bucket, fields: there ? union(fields, there.fields) : fields });
    left--;
  }
  return managers;
}
