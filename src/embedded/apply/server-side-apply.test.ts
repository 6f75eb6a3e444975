import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AnyObject, ManagedFieldsEntry } from '../../kube/object.ts';
import { builtInDocument } from '../discovery/built-in.ts';
import { openSchemas } from '../schema/open-schemas.ts';
import type { Schema } from '../schema/schema.ts';
import { StatusError } from '../status-error.ts';
import observed from './observed.json' with { type: 'json' };
import { type Applied, serverSideApply } from './server-side-apply.ts';
import { trackUpdate } from './track-update.ts';

const now = '2030-01-01T00:00:00Z';
const later = '2030-01-01T00:01:00Z';

const timeless = (entries: readonly ManagedFieldsEntry[]): unknown[] =>
  entries.map(({ time, ...rest }) => JSON.stringify(rest)).sort();

function refusal(act: () => unknown): { code: number; message?: string; causes?: unknown } {
  try {
    act();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const { code, message, details } = error.status;
    return { code, ...(message !== undefined && { message }), ...(details?.causes && { causes: details.causes }) };
  }
  throw new Error('nothing was refused');
}

describe(`an apply, as ${observed.server} carries it out`, () => {
  let deployment: Schema | undefined;

  beforeAll(async () => {
    const document = JSON.parse(Buffer.from((await builtInDocument('apis/apps/v1')) ?? '').toString());
    deployment = openSchemas([document]).byKind('apps', 'v1', 'Deployment');
  });

  it('knows who created a Deployment', () => {
    const { object, managedFields } = observed.created;
    const entries = trackUpdate({
      schema: deployment,
      before: undefined,
      after: object,
      manager: 'curl',
      apiVersion: 'apps/v1',
      now,
    });
    expect(timeless(entries)).toEqual(timeless(managedFields as unknown as ManagedFieldsEntry[]));
  });

  it.each(observed.applies)('$what', (fact) => {
    const apply = (): Applied =>
      serverSideApply({
        schema: deployment,
        live: fact.live as unknown as AnyObject,
        config: fact.config as unknown as AnyObject,
        manager: fact.manager,
        force: fact.force,
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        reset: { 'f:status': {} },
        now,
      });
    if (fact.refused) expect(refusal(apply)).toEqual(fact.refused);
    else
      expect(timeless(apply().managedFields)).toEqual(timeless(fact.managedFields as unknown as ManagedFieldsEntry[]));
  });
});

const text: Schema = { type: 'string' };
const configMap: Schema = {
  type: 'object',
  properties: {
    apiVersion: text,
    kind: text,
    metadata: {
      type: 'object',
      default: {},
      properties: {
        name: text,
        labels: { type: 'object', additionalProperties: text },
        finalizers: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
        managedFields: { type: 'array', items: { type: 'object' } },
      },
    },
    data: { type: 'object', additionalProperties: text },
    immutable: { type: 'boolean' },
  },
  'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'ConfigMap' }],
};

const map = (data: Record<string, unknown>, metadata: object = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  data,
});

const stored = ({ object, managedFields }: Applied): AnyObject =>
  ({ ...object, metadata: { ...object.metadata, managedFields } }) as AnyObject;

const apply = (
  live: AnyObject | undefined,
  config: AnyObject,
  manager: string,
  more: { force?: boolean; now?: string; schema?: Schema | undefined } = {},
): Applied =>
  serverSideApply({ schema: configMap, live, config, manager, force: false, apiVersion: 'v1', now, ...more });

const fieldsOf = (entries: readonly ManagedFieldsEntry[], manager: string): unknown =>
  entries.find((entry) => entry.manager === manager)?.fieldsV1;

describe('serverSideApply', () => {
  it('creates, owns, and drops what is no longer applied', () => {
    const first = apply(undefined, map({ a: '1', b: '2' }, { labels: { x: '1' } }), 'm');
    expect(fieldsOf(first.managedFields, 'm')).toEqual({
      'f:data': { 'f:a': {}, 'f:b': {} },
      'f:metadata': { 'f:labels': { 'f:x': {} } },
    });
    const second = apply(stored(first), map({ a: '1' }), 'm', { now: later });
    expect(second.object).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: '1' } });
    expect(second.managedFields).toMatchObject([{ manager: 'm', operation: 'Apply', time: later }]);
  });

  it('changes nothing, not even a time, when applied again', () => {
    const first = stored(apply(undefined, map({ a: '1' }), 'm'));
    const again = apply(first, map({ a: '1' }), 'm', { now: later });
    expect(again.changed).toBe(false);
    expect(stored(again)).toEqual(first);
  });

  it('lets several managers share a value, and keeps it until the last one leaves', () => {
    const both = stored(apply(stored(apply(undefined, map({ a: '1' }), 'm1')), map({ a: '1' }), 'm2'));
    const { data: _, ...nothing } = map({});
    const one = stored(apply(both, nothing as AnyObject, 'm1'));
    expect(one.data).toEqual({ a: '1' });
    expect(apply(one, nothing as AnyObject, 'm2').object.data).toBeUndefined();
  });

  it('refuses to change what another owns, and takes it by force', () => {
    const live = stored(apply(undefined, map({ a: '1', b: '2' }), 'm1'));
    expect(refusal(() => apply(live, map({ a: '9' }), 'm2'))).toEqual({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "m1": .data.a',
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.data.a' }],
    });
    expect(refusal(() => apply(live, map({ a: '9', b: '9' }), 'm2')).message).toBe(
      'Apply failed with 2 conflicts: conflicts with "m1":\n- .data.a\n- .data.b',
    );
    const forced = apply(live, map({ a: '9' }), 'm2', { force: true });
    expect(forced.object.data).toEqual({ a: '9', b: '2' });
    expect(fieldsOf(forced.managedFields, 'm1')).toEqual({ 'f:data': { 'f:b': {} } });
    expect(fieldsOf(forced.managedFields, 'm2')).toEqual({ 'f:data': { 'f:a': {} } });
  });

  it('keeps what an updater added beside it', () => {
    const live = stored(apply(undefined, map({ a: '1' }), 'm'));
    const after = { ...live, data: { a: '1', b: '2' } };
    const managedFields = trackUpdate({ schema: configMap, before: live, after, manager: 'u', apiVersion: 'v1', now });
    const next = apply({ ...after, metadata: { ...after.metadata, managedFields } }, map({ a: '2' }), 'm');
    expect(next.object.data).toEqual({ a: '2', b: '2' });
    expect(fieldsOf(next.managedFields, 'u')).toEqual({ 'f:data': { 'f:b': {} } });
  });

  it('gives an object that was never applied to one manager of everything', () => {
    const { managedFields } = apply(map({ a: '1' }), map({ b: '1' }), 'm');
    expect(fieldsOf(managedFields, 'before-first-apply')).toEqual({ 'f:data': { '.': {}, 'f:a': {} } });
  });

  it('takes over from kubectl apply what that wrote and nobody changed since', () => {
    const applied = JSON.stringify(map({ a: '1', b: '1' }));
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': applied };
    const schema = {
      ...configMap,
      properties: {
        ...configMap.properties,
        metadata: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    } as Schema;
    const live = map({ a: '1', b: '1' }, { annotations });
    const managedFields = trackUpdate({
      schema,
      before: undefined,
      after: live,
      manager: 'kubectl-client-side-apply',
      apiVersion: 'v1',
      now,
    });
    const tracked = { ...live, metadata: { ...live.metadata, managedFields } } as AnyObject;
    expect(apply(tracked, map({ a: '2' }), 'kubectl', { schema }).object.data).toEqual({ a: '2', b: '1' });
    expect(refusal(() => apply(tracked, map({ a: '2' }), 'other', { schema })).code).toBe(409);
    const touched = { ...tracked, data: { a: '5', b: '1' } } as AnyObject;
    expect(refusal(() => apply(touched, map({ a: '2' }), 'kubectl', { schema })).code).toBe(409);
  });

  it.each([
    [map({ a: '1' }, { managedFields: [] }), 400, 'metadata.managedFields must be nil'],
    [{ ...map({}), apiVersion: 'v2' }, 400, 'invalid object type: /v2, Kind=ConfigMap'],
    [
      { ...map({}), dada: {} },
      500,
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .dada: field not declared in schema',
    ],
    [
      map({ a: 7 }),
      500,
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .data.a: expected string, got &value.valueUnstructured{Value:7}',
    ],
    [
      { ...map({}), immutable: 'x' },
      500,
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .immutable: expected boolean, got &{x}',
    ],
    [
      { ...map({}), data: ['a'] },
      500,
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .data: expected map, got &{[a]}',
    ],
    [
      map({}, { finalizers: ['x', 'x'] }),
      500,
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .metadata.finalizers: duplicate entries for key [="x"]',
    ],
  ])('refuses %j', (config, code, message) => {
    expect(refusal(() => apply(undefined, config as AnyObject, 'm'))).toEqual({ code, message });
  });

  it('merges an object without a schema as its values suggest', () => {
    const first = stored(
      apply(undefined, { ...map({}), data: { list: [1, 2], deep: { a: 1 } } } as AnyObject, 'm', { schema: undefined }),
    );
    const second = apply(first, { ...map({}), data: { deep: { b: 2 } } } as AnyObject, 'other', { schema: undefined });
    expect(second.object.data).toEqual({ list: [1, 2], deep: { a: 1, b: 2 } });
    expect(fieldsOf(second.managedFields, 'm')).toMatchObject({ 'f:data': { 'f:list': {}, 'f:deep': { 'f:a': {} } } });
  });

  it('keeps entries of the status apart', () => {
    const schema = {
      ...configMap,
      properties: { ...configMap.properties, status: { type: 'object', additionalProperties: text } },
    } as Schema;
    const live = stored(apply(undefined, map({ a: '1' }), 'm'));
    const status = serverSideApply({
      schema,
      live,
      config: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a', labels: { ignored: '1' } },
        status: { s: '1' },
      } as AnyObject,
      manager: 'm',
      force: false,
      apiVersion: 'v1',
      subresource: 'status',
      now,
    });
    expect(status.managedFields.map(({ manager, subresource, fieldsV1 }) => [manager, subresource, fieldsV1])).toEqual([
      ['m', undefined, { 'f:data': { 'f:a': {} } }],
      ['m', 'status', { 'f:status': { 'f:s': {} } }],
    ]);
  });

  it('never changes its arguments', () => {
    const live = stored(apply(undefined, map({ a: '1' }), 'm'));
    const config = map({ a: '2' });
    const before = JSON.stringify([live, config]);
    const { object } = apply(live, config, 'm');
    object.data.a = 'changed';
    object.metadata.name = 'changed';
    expect(JSON.stringify([live, config])).toBe(before);
  });
});

describe('whatever is applied', () => {
  const data = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), fc.constantFrom('1', '2'), {
    noNullPrototype: true,
  });

  it('applied twice is applied once', () => {
    fc.assert(
      fc.property(data, data, (before, config) => {
        const live = stored(apply(undefined, map(before), 'm'));
        const once = stored(apply(live, map(config), 'm'));
        expect(stored(apply(once, map(config), 'm', { now: later }))).toEqual(once);
      }),
    );
  });

  it('is what the object says of it, and equal values never conflict', () => {
    fc.assert(
      fc.property(data, data, (before, config) => {
        const live = stored(apply(undefined, map(before), 'm1'));
        const { object } = apply(live, map(config), 'm2', { force: true });
        const result = stored(apply(live, map(config), 'm2', { force: true }));
        for (const key of Object.keys(config)) expect(object.data[key]).toBe(config[key]);
        for (const key of Object.keys(before)) {
          if (!Object.hasOwn(config, key)) expect(object.data[key]).toBe(before[key]);
        }
        expect(() => apply(result, map(config), 'm3')).not.toThrow();
      }),
    );
  });
});
