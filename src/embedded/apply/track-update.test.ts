import { describe, expect, it } from 'vitest';
import type { AnyObject, ManagedFieldsEntry } from '../../kube/object.ts';
import type { Schema } from '../schema/schema.ts';
import { trackUpdate } from './track-update.ts';

const text: Schema = { type: 'string' };
const schema: Schema = {
  type: 'object',
  properties: {
    metadata: { type: 'object', properties: { name: text, labels: { type: 'object', additionalProperties: text } } },
    data: { type: 'object', additionalProperties: text },
    status: { type: 'object', properties: { phase: text } },
  },
};

const time = (minute: number): string => `2030-01-01T00:${String(minute).padStart(2, '0')}:00Z`;

const object = (data: Record<string, string>, managedFields?: unknown): AnyObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', ...(managedFields !== undefined && { managedFields }) },
    data,
  }) as unknown as AnyObject;

const track = (
  before: AnyObject | undefined,
  after: AnyObject,
  manager: string,
  more: { subresource?: string; minute?: number } = {},
): ManagedFieldsEntry[] =>
  trackUpdate({
    schema,
    before,
    after,
    manager,
    apiVersion: 'v1',
    subresource: more.subresource,
    now: time(more.minute ?? 0),
  });

const owned = (entries: readonly ManagedFieldsEntry[]): Record<string, unknown> =>
  Object.fromEntries(entries.map(({ manager, fieldsV1 }) => [manager, fieldsV1]));

describe('trackUpdate', () => {
  const created = object({ a: '1', b: '2' }, track(undefined, object({ a: '1', b: '2' }), 'creator'));

  it('gives a new object to its creator, without what the server sets', () => {
    expect(created.metadata.managedFields).toEqual([
      {
        manager: 'creator',
        operation: 'Update',
        apiVersion: 'v1',
        time: time(0),
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } },
      },
    ]);
  });

  it('moves what changed to whoever changed it, and what was removed to nobody', () => {
    const entries = track(created, object({ a: '9', c: '3' }), 'editor', { minute: 1 });
    expect(owned(entries)).toEqual({
      creator: { 'f:data': {} },
      editor: { 'f:data': { 'f:a': {}, 'f:c': {} } },
    });
    expect(entries.map((entry) => entry.time)).toEqual([time(0), time(1)]);
  });

  it('keeps the time of a manager that took nothing', () => {
    const entries = track(created, object({ a: '1' }), 'creator', { minute: 1 });
    expect(owned(entries)).toEqual({ creator: { 'f:data': { '.': {}, 'f:a': {} } } });
    expect(entries[0]?.time).toBe(time(0));
  });

  it('calls a manager without a name unknown', () => {
    expect(track(undefined, object({ a: '1' }), '')[0]?.manager).toBe('unknown');
  });

  it.each([[[]], [[{}]]])('forgets all managers when the request says %j, and tracks no more', (reset) => {
    const entries = track(created, object({ a: '2' }, reset), 'editor');
    expect(entries).toEqual([]);
    expect(track(object({ a: '2' }), object({ a: '3' }), 'editor')).toEqual([]);
  });

  it('takes managers from the request when they are well formed, and from the object otherwise', () => {
    const mine = [
      {
        manager: 'x',
        operation: 'Update',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:b': {} } },
      },
    ];
    expect(Object.keys(owned(track(created, object({ a: '1', b: '2' }, mine), 'editor')))).toEqual(['x']);
    for (const broken of [[{ manager: 'x', operation: 'Frob' }], [1], 'x', [{ ...mine[0], fieldsV1: { bad: {} } }]]) {
      expect(Object.keys(owned(track(created, object({ a: '1', b: '2' }, broken), 'editor')))).toEqual(['creator']);
    }
  });

  it('ignores managers in a request to a subresource, and keeps its entries apart', () => {
    const after = { ...object({ a: '1', b: '2' }, []), status: { phase: 'Up' } } as AnyObject;
    const entries = track(created, after, 'creator', { subresource: 'status' });
    expect(entries.map(({ manager, subresource, fieldsV1 }) => [manager, subresource, fieldsV1])).toEqual([
      ['creator', undefined, { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } }],
      ['creator', 'status', { 'f:status': { '.': {}, 'f:phase': {} } }],
    ]);
  });

  it('merges the oldest updaters beyond ten into one', () => {
    let live = object({}, track(undefined, object({ k0: '0' }), 'm0'));
    const data: Record<string, string> = { k0: '0' };
    live = object({ ...data }, live.metadata.managedFields);
    for (let i = 1; i <= 12; i++) {
      data[`k${i}`] = String(i);
      live = object({ ...data }, track(live, object({ ...data }), `m${i}`, { minute: i }));
    }
    const entries = live.metadata.managedFields ?? [];
    expect(entries.map(({ manager }) => manager)).toEqual([
      'ancient-changes',
      ...Array.from({ length: 9 }, (_, i) => `m${i + 4}`),
    ]);
    expect(entries[0]?.fieldsV1).toEqual({ 'f:data': { '.': {}, 'f:k0': {}, 'f:k1': {}, 'f:k2': {}, 'f:k3': {} } });
    expect(entries[0]?.time).toBe(time(3));
  });
});
