import { describe, expect, it } from 'vitest';
import { builtInSchema } from '../discovery/built-in.ts';
import type { Fields } from '../schema/json.ts';
import type { Schema } from '../schema/schema.ts';
import { typed, typedMetadata } from './typed.ts';

const wrongIn = (group: string, version: string, kind: string, draft: Fields): string | undefined =>
  typed(builtInSchema(group, version, kind) as Schema, draft, kind).wrong;

describe('a draft of a built-in kind', () => {
  it.each([
    [{ metadata: { labels: 'x' } }, 'string into Go struct field ObjectMeta.metadata.labels of type map[string]string'],
    [{ metadata: { finalizers: 'x' } }, 'string into Go struct field ObjectMeta.metadata.finalizers of type []string'],
    [{ metadata: { uid: 5 } }, 'number into Go struct field ObjectMeta.metadata.uid of type types.UID'],
    [
      { metadata: { ownerReferences: [{ name: 1 }] } },
      'number into Go struct field OwnerReference.metadata.ownerReferences.name of type string',
    ],
    [{ data: { a: { b: 1 } } }, 'object into Go struct field ConfigMap.data of type string'],
  ])('is refused in the words of a typed decoder: %j', (draft, why) => {
    expect(wrongIn('', 'v1', 'ConfigMap', draft)).toBe(`json: cannot unmarshal ${why}`);
  });

  it('cannot hold numbers, bytes and quantities that are none', () => {
    const spec = { leaseDurationSeconds: 3_000_000_000 };
    expect(wrongIn('coordination.k8s.io', 'v1', 'Lease', { spec })).toBe(
      'json: cannot unmarshal number 3000000000 into Go struct field LeaseSpec.spec.leaseDurationSeconds of type int32',
    );
    expect(wrongIn('', 'v1', 'Secret', { data: { a: 'YW*j' } })).toBe('illegal base64 data at input byte 2');
    expect(wrongIn('', 'v1', 'Secret', { data: { a: 'YWJj\nYWI=' } })).toBeUndefined();
    const containers = [{ resources: { limits: { cpu: 'much' } } }];
    expect(wrongIn('', 'v1', 'Pod', { spec: { containers } })).toMatch(/^quantities must match/);
  });

  it('tells times in UTC, to the precision of the field', () => {
    const lease = { spec: { renewTime: '2026-01-01T02:00:00.000001+02:00' } };
    expect(wrongIn('coordination.k8s.io', 'v1', 'Lease', lease)).toBeUndefined();
    expect(lease.spec.renewTime).toBe('2026-01-01T00:00:00.000001Z');
    const bad = { spec: { renewTime: '2026-01-01T02:00:00Z' } };
    expect(wrongIn('coordination.k8s.io', 'v1', 'Lease', bad)).toMatch(/cannot parse "Z" as "\.000000"$/);
  });

  it('keeps the keys of maps whose value is null, and drops fields that are', () => {
    const draft = { metadata: { labels: { a: null }, annotations: null }, data: { x: null } };
    expect(wrongIn('', 'v1', 'ConfigMap', draft)).toBeUndefined();
    expect(draft).toEqual({ metadata: { labels: { a: '' } }, data: { x: '' } });
  });
});

describe('the metadata of a custom resource', () => {
  it('is judged in the order of names', () => {
    expect(typedMetadata({ labels: { a: 1 }, annotations: { b: true } })).toBe(
      'json: cannot unmarshal bool into Go struct field ObjectMeta.annotations of type string',
    );
  });

  it('keeps what has no type: that is for validation to report', () => {
    const metadata = { name: 'a', color: { red: 1 }, labels: null };
    expect(typedMetadata(metadata)).toBeUndefined();
    expect(metadata).toEqual({ name: 'a', color: { red: 1 } });
  });

  it('is not fooled by keys that objects inherit', () => {
    const metadata = JSON.parse('{"__proto__": {"name": 1}, "constructor": 1, "name": "a"}');
    expect(typedMetadata(metadata)).toBeUndefined();
    expect(Object.keys(metadata)).toEqual(['__proto__', 'constructor', 'name']);
  });
});
