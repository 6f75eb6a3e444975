import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../kube/object.ts';
import { annotations } from '../../keys.ts';
import { contentHash } from './content-hash.ts';
import { dependenciesHash } from './dependencies-hash.ts';

interface Content {
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly type?: string;
}

const labels = (instance: string, operator: string) => ({
  heritage: 'kudo',
  'kudo.dev/instance': instance,
  'kudo.dev/operator': operator,
});

const configMap = (name: string, data: Readonly<Record<string, string>>, metadata: KubeObject['metadata'] = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

const secret = (name: string, content: Content, metadata: KubeObject['metadata'] = {}) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, ...metadata },
  ...content,
});

const hashOf = (...objects: readonly KubeObject[]): string | undefined =>
  dependenciesHash(
    objects.map(({ kind, metadata }) => ({ kind: kind as 'ConfigMap' | 'Secret', name: metadata.name ?? '' })),
    ({ kind, name }) => objects.find((object) => object.kind === kind && object.metadata.name === name),
  );

const own = { labels: labels('dep', 'gamma') };

describe('the hash that KUDO puts on pod templates', () => {
  it.each([
    ['6fa812afe527bdb6c9a5fbfcba8193bb', 'FancyValue', 'OtherFancyValue'],
    ['da9f56a62d3c4af2596bebace008d845', 'ChangedValue', 'OtherFancyValue'],
    ['1510654b540619228b477bdd56d44175', 'ChangedValue', 'SecondChangedValue'],
  ])('is %s as in its own tests', (hash, valueA, valueB) => {
    const metadata = { labels: labels('depop', 'dep-operator') };
    expect(hashOf(configMap('configdata', { valueA, valueB }, metadata))).toBe(hash);
  });

  it.each([
    [
      '5aaf9463a4ed3d6cbedf50b00d1ebb06',
      configMap('st-conf', { 'app.conf': 'a=1\n' }, { labels: labels('st', 'beta') }),
    ],
    ['1fcb61ed4f2af6921a72d4b845a493dd', configMap('cr-cron-conf', { c: 'c' }, { labels: labels('cr', 'epsilon') })],
  ])('is %s as was recorded', (hash, object) => {
    expect(hashOf(object)).toBe(hash);
  });

  it('counts what is absent or opted out as nothing, and what others made as a whole', () => {
    const page = configMap('dep-page', { page: 'one' }, own);
    const skipped = configMap('dep-skipped', { ignored: 'x' }, { ...own, annotations: { [annotations.skipHash]: '' } });
    const wanted = ['dep-page', 'dep-skipped', 'dep-not-there'].map((name) => ({ kind: 'ConfigMap' as const, name }));
    const read = (objects: readonly KubeObject[]) =>
      dependenciesHash(wanted, ({ name }) => objects.find(({ metadata }) => metadata.name === name));
    expect(read([page, skipped])).toBe('755ab4de41954faabf617f6591b0683f');
    const page2 = configMap('dep-page', { page: 'two' }, own);
    expect(read([page2, skipped])).toBe('0b417d1fa198d1b1e10ecfa8c1207fd6');
    const foreign = configMap('dep-not-there', { foreign: '1' }, { uid: 'u', resourceVersion: '7', namespace: 'n' });
    expect(read([page2, skipped, foreign])).toBe('7a00ce019949026f2ece9b7f04c1d853');
  });

  it('does not exist without dependencies', () => {
    expect(hashOf()).toBeUndefined();
  });

  it('does not depend on the order in which they are named, but on how often', () => {
    const [a, b] = [configMap('a', { x: '1' }), secret('a', { data: { x: 'MQ==' } })];
    expect(hashOf(a, b)).toBe(hashOf(b, a));
    expect(hashOf(a, a)).not.toBe(hashOf(a));
  });

  it('goes by what was applied, whatever has become of the object', () => {
    const applied = configMap('a', { x: '1' }, own);
    const live = configMap(
      'a',
      { x: 'edited', y: 'added' },
      { ...own, annotations: { [annotations.lastApplied]: `${JSON.stringify(applied)}\n` } },
    );
    expect(hashOf(live)).toBe(hashOf(applied));
  });

  it('goes by the object when what was applied cannot be read', () => {
    for (const text of ['{', '[]', 'null', '{"metadata":1}']) {
      const live = configMap('a', { x: '1' }, { annotations: { [annotations.lastApplied]: text } });
      expect(hashOf(live)).toBe(hashOf(configMap('a', { x: '1' })));
    }
  });

  it('knows what a Secret was applied with, though a server keeps no stringData', () => {
    const applied = secret('a', { stringData: { token: 't0' }, type: 'Opaque' }, own);
    const live = secret(
      'a',
      { data: { token: 'dDA=' }, type: 'Opaque' },
      { ...own, uid: 'u', annotations: { [annotations.contentHash]: contentHash(applied) } },
    );
    expect(hashOf(live)).toBe(hashOf(applied));
    const meddled = secret('a', { data: { token: 'dDA=' } }, { annotations: { [annotations.contentHash]: 'x' } });
    expect(hashOf(meddled)).toBe(hashOf(secret('a', { data: { token: 'dDA=' } })));
  });

  it('does not see how base64 was broken into lines, nor fields that no Secret has', () => {
    const tidy = secret('a', { data: { x: 'aGVsbG8=' } });
    const untidy = { ...secret('a', { data: { x: 'aGVs\nbG8=\n' }, stringData: {} }), nonsense: 1 };
    expect(hashOf(untidy)).toBe(hashOf(tidy));
  });
});
