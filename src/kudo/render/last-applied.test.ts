import { expect, it } from 'vitest';
import type { KubeObject } from '../../kube/object.ts';
import { appliedAnnotations } from './last-applied.ts';

const map = (note: number, data: number): KubeObject & { readonly data: object } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', annotations: { note: 'n'.repeat(note) } },
  data: { text: 'd'.repeat(data) },
});

const total = (object: KubeObject): number =>
  Object.entries({ ...object.metadata.annotations, ...appliedAnnotations(object) }).reduce(
    (sum, [key, value]) => sum + key.length + value.length,
    0,
  );

it.each([
  [0, 1000],
  [0, 300_000],
  [60_000, 100_000],
  [120_000, 50_000],
  [200_000, 10],
])('all annotations fit together, with a note of %i and content of %i characters', (note, data) => {
  expect(total(map(note, data))).toBeLessThan(256 << 10);
});

it('what was applied is said wherever it fits', () => {
  expect(Object.keys(appliedAnnotations(map(10, 1000)))).toEqual(['kudo.dev/last-applied-configuration']);
  expect(Object.keys(appliedAnnotations(map(60_000, 100_000)))).toEqual(['kudo.dev/last-applied-configuration']);
});
