import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../kube/object.ts';
import { annotations } from '../../keys.ts';
import type { PartialDependency } from './dependency.ts';
import { referencesHash } from './references-hash.ts';

const configMap = (data: Readonly<Record<string, string>>, metadata: KubeObject['metadata'] = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', ...metadata },
  data,
});

const hash = (others: readonly PartialDependency[], object?: KubeObject) => referencesHash(others, () => object);
const whole: PartialDependency = { kind: 'ConfigMap', name: 'c' };
const keyX: PartialDependency = { ...whole, keys: ['x'] };

describe('the hash of what KUDO leaves out', () => {
  it('does not exist without such references', () => {
    expect(hash([], configMap({}))).toBeUndefined();
  });

  it('counts only the keys that are named', () => {
    const before = hash([keyX], configMap({ x: '1', y: '1' }));
    expect(hash([keyX], configMap({ x: '1', y: '2' }))).toBe(before);
    expect(hash([keyX], configMap({ x: '2', y: '1' }))).not.toBe(before);
  });

  it('does not count how base64 is broken into lines: the server keeps none of them', () => {
    const secret = (data: Readonly<Record<string, string>>) => {
      return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data };
    };
    const of: PartialDependency = { kind: 'Secret', name: 's', keys: ['x'] };
    const kept = hash([of], secret({ x: 'YWJjZGVm' }));
    expect(hash([of], secret({ x: 'YWJj\nZGVm\n' }))).toBe(kept);
    expect(hash([of], secret({ x: 'YWJjZGVn' }))).not.toBe(kept);
    const text = hash([whole], configMap({ x: 'YWJj ZGVm' }));
    expect(hash([whole], configMap({ x: 'YWJjZGVm' }))).not.toBe(text);
  });

  it('counts all keys where none is named', () => {
    const before = hash([whole], configMap({ x: '1', y: '1' }));
    expect(hash([whole], configMap({ y: '1', x: '1' }))).toBe(before);
    expect(hash([whole], configMap({ x: '1', y: '2' }))).not.toBe(before);
    expect(hash([whole], configMap({ x: '1', y: '1', z: '' }))).not.toBe(before);
  });

  it('does not count labels, nor how often or in which order something is named', () => {
    const before = hash([whole, keyX], configMap({ x: '1' }));
    expect(hash([keyX, whole, keyX], configMap({ x: '1' }, { labels: { a: 'b' }, uid: 'u' }))).toBe(before);
  });

  it('takes a key that is absent, an absent object and one that is opted out for nothing', () => {
    const skipped = configMap({ x: '1' }, { annotations: { [annotations.skipHash]: 'false' } });
    expect(hash([keyX], skipped)).toBe(hash([keyX]));
    expect(hash([keyX], configMap({}))).toBe(hash([keyX]));
    expect(hash([keyX])).not.toBe(hash([keyX], configMap({ x: '' })));
  });

  it('is the same for a Secret about to be applied and for the one that comes of it', () => {
    const env: PartialDependency = { kind: 'Secret', name: 's' };
    const metadata = { name: 's' };
    const written = { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { a: 'hello' }, data: { b: 'Yg==' } };
    const live = { apiVersion: 'v1', kind: 'Secret', metadata, data: { a: 'aGVsbG8=', b: 'Yg==' } };
    expect(hash([env], written)).toBe(hash([env], live));
  });

  it('does not confuse objects whose names and keys run together', () => {
    const read = (names: readonly string[]) =>
      referencesHash(
        names.map((name) => ({ kind: 'ConfigMap', name, keys: ['k'] })),
        ({ name }) => ({ ...configMap({ k: name === 'a' ? '1' : '2' }), metadata: { name } }),
      );
    expect(read(['a', 'b'])).not.toBe(read(['a', 'a']));
  });
});
