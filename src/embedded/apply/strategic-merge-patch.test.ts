import { beforeAll, describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { builtInDocument } from '../discovery/built-in.ts';
import { openSchemas } from '../schema/open-schemas.ts';
import type { Schema } from '../schema/schema.ts';
import type { StatusError } from '../status-error.ts';
import observed from './observed.json' with { type: 'json' };
import { strategicMergePatch } from './strategic-merge-patch.ts';

describe(`a strategic merge patch, as ${observed.server} carries it out`, () => {
  let deployment: Schema | undefined;

  beforeAll(async () => {
    const document = JSON.parse(Buffer.from((await builtInDocument('apis/apps/v1')) ?? '').toString());
    deployment = openSchemas([document]).byKind('apps', 'v1', 'Deployment');
  });

  it.each(observed.patches)('$what', ({ object, patch, result, refused }) => {
    const act = (): Record<string, unknown> => strategicMergePatch(deployment, object as unknown as AnyObject, patch);
    if (refused) {
      expect(act).toThrow(refused.message);
      try {
        act();
      } catch (error) {
        expect((error as StatusError).status.code).toBe(refused.code);
      }
    } else {
      expect(act()).toMatchObject(result ?? {});
      expect(act().spec).toEqual(result?.spec);
    }
  });
});

const keyed = (items: Schema): Schema => ({
  type: 'array',
  items,
  'x-kubernetes-patch-strategy': 'merge',
  'x-kubernetes-patch-merge-key': 'name',
});
const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        containers: keyed({ type: 'object', properties: { env: keyed({ type: 'object' }) } }),
        tolerations: { type: 'array', items: { type: 'object' } },
        finalizers: { type: 'array', items: { type: 'string' }, 'x-kubernetes-patch-strategy': 'merge' },
      },
    },
  },
};

const patched = (spec: unknown, patch: unknown): unknown =>
  strategicMergePatch(schema, { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec } as AnyObject, { spec: patch }).spec;

describe('strategicMergePatch', () => {
  it.each([
    [
      'adds a container in front',
      { containers: [{ name: 'a' }] },
      { containers: [{ name: 'b' }] },
      { containers: [{ name: 'b' }, { name: 'a' }] },
    ],
    [
      'merges a container by name, and its environment by name',
      { containers: [{ name: 'a', image: 'x', env: [{ name: 'A', value: '1' }] }, { name: 'b' }] },
      { containers: [{ name: 'a', env: [{ name: 'A', value: '2' }, { name: 'B' }] }] },
      { containers: [{ name: 'a', image: 'x', env: [{ name: 'A', value: '2' }, { name: 'B' }] }, { name: 'b' }] },
    ],
    [
      'replaces a list without a strategy',
      { tolerations: [{ key: 'a' }] },
      { tolerations: [{ key: 'b' }] },
      { tolerations: [{ key: 'b' }] },
    ],
    [
      'merges plain values as a set',
      { finalizers: ['a', 'b'] },
      { finalizers: ['c', 'a'] },
      { finalizers: ['c', 'a', 'b'] },
    ],
    [
      'deletes plain values',
      { finalizers: ['a', 'b'] },
      { '$deleteFromPrimitiveList/finalizers': ['a'] },
      { finalizers: ['b'] },
    ],
    ['deletes with null', { a: 1, b: 2 }, { a: null, c: null }, { b: 2 }],
    [
      'brings no nulls and no directives along',
      {},
      { new: { x: null, y: 1, z: { $patch: 'delete' } } },
      { new: { y: 1 } },
    ],
    [
      'orders items as asked',
      { containers: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
      { '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }], containers: [{ name: 'c', image: 'z' }] },
      { containers: [{ name: 'b' }, { name: 'c', image: 'z' }, { name: 'a' }] },
    ],
    ['replaces a map', { m: { a: 1 } }, { m: { $patch: 'replace', b: 2 } }, { m: { b: 2 } }],
    ['empties a map', { m: { a: 1 } }, { m: { $patch: 'delete' } }, { m: {} }],
  ])('%s', (_, spec, patch, result) => {
    const before = JSON.stringify([spec, patch]);
    expect(patched(spec, patch)).toEqual(result);
    expect(JSON.stringify([spec, patch])).toBe(before);
  });

  it('treats __proto__ as a field like any other', () => {
    const result = patched({ m: {} }, JSON.parse('{"m":{"__proto__":{"polluted":true}}}')) as { m: object };
    expect(Object.getPrototypeOf(result.m)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
