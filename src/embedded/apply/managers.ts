import type { JsonObject, ManagedFieldsEntry } from '../../kube/object.ts';
import { isFields } from '../schema/json.ts';
import { decode, encode, type FieldSet, isEmpty } from './field-set.ts';

/** Who manages what: one entry per manager, operation, subresource and, for updates, API version. */
export type Managers = ReadonlyMap<string, Manager>;

export interface Manager {
  readonly entry: ManagedFieldsEntry;
  readonly fields: FieldSet;
}

/** What tells one entry from another. An applier is the same in every version. */
export function managerId(entry: ManagedFieldsEntry): string {
  const version = entry.operation === 'Apply' ? '' : (entry.apiVersion ?? '');
  return JSON.stringify([entry.manager ?? '', entry.operation ?? '', version, entry.subresource ?? '']);
}

/** Reads `metadata.managedFields`; `undefined` when it is not what the API server would have written. */
export function readManagers(entries: unknown): Map<string, Manager> | undefined {
  const managers = new Map<string, Manager>();
  if (entries === undefined || entries === null) return managers;
  if (!Array.isArray(entries)) return undefined;
  for (const entry of entries as readonly ManagedFieldsEntry[]) {
    if (!isFields(entry) || (entry.operation !== 'Apply' && entry.operation !== 'Update')) return undefined;
    if (!entry.apiVersion || entry.fieldsType !== 'FieldsV1') return undefined;
    const fields = decode(entry.fieldsV1);
    if (!fields) return undefined;
    managers.set(managerId(entry), { entry, fields });
  }
  return managers;
}

/** Writes them in the API server's order. Managers of nothing are gone. */
export function writeManagers(managers: Managers): ManagedFieldsEntry[] {
  const entries: ManagedFieldsEntry[] = [];
  for (const { entry, fields } of managers.values()) {
    if (isEmpty(fields)) continue;
    const { manager, operation, apiVersion, time, subresource } = entry;
    entries.push({
      ...(manager !== undefined && { manager }),
      ...(operation !== undefined && { operation }),
      ...(apiVersion !== undefined && { apiVersion }),
      ...(time !== undefined && { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: encode(fields) as JsonObject,
      ...(subresource !== undefined && subresource !== '' && { subresource }),
    });
  }
  return entries.length > 1 ? entries.sort(byAge) : entries;
}

/** Appliers first, then by age and name. */
function byAge(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    order(a.operation, b.operation) ||
    seconds(a) - seconds(b) ||
    order(a.manager, b.manager) ||
    order(a.apiVersion, b.apiVersion) ||
    order(a.subresource, b.subresource)
  );
}

const order = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);

export function seconds(entry: ManagedFieldsEntry): number {
  return entry.time === undefined ? 0 : Math.floor(Date.parse(entry.time) / 1000) || 0;
}
