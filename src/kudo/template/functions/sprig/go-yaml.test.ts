import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { GoInt, type GoValue } from '../../value.ts';
import { goYaml } from './go-yaml.ts';

const map = (entries: Readonly<Record<string, GoValue>>) => new Map(Object.entries(entries));

describe('goYaml', () => {
  it.each([
    ['FancyValue', 'OtherFancyValue', '6fa812afe527bdb6c9a5fbfcba8193bb'],
    ['ChangedValue', 'OtherFancyValue', 'da9f56a62d3c4af2596bebace008d845'],
    ['ChangedValue', 'SecondChangedValue', '1510654b540619228b477bdd56d44175'],
  ])('gives the text over which KUDO computed the hash of a ConfigMap with %s and %s', (valueA, valueB, hash) => {
    const configMap = map({
      apiVersion: '',
      kind: '',
      data: map({ valueA, valueB }),
      metadata: map({
        name: 'configdata',
        labels: map({
          heritage: 'kudo',
          'kudo.dev/instance': 'depop',
          'kudo.dev/operator': 'dep-operator',
        }),
        annotations: map({}),
        finalizers: [],
        managedFields: [],
        ownerReferences: [],
        deletionGracePeriodSeconds: 0,
        remainingItemCount: 0,
      }),
    });
    const content = createHash('md5')
      .update(goYaml(map({ object: configMap })))
      .digest();
    expect(createHash('md5').update(content).digest('hex')).toBe(hash);
  });

  it('does not indent a list under its key, and goes on behind the dash', () => {
    const value = map({ list: [map({ a: 'x', b: ['y'] }), ['z', 'zz']] });
    expect(goYaml(value)).toBe('list:\n- a: x\n  b:\n  - "y"\n- - z\n  - zz\n');
  });

  it('writes integers as they are and floats as Go does', () => {
    const numbers = [new GoInt('int64', 1_000_000n), 1_000_000, 0.1, -0, Number.POSITIVE_INFINITY, Number.NaN];
    expect(goYaml(numbers)).toBe('- 1000000\n- 1e+06\n- 0.1\n- -0\n- .inf\n- .nan\n');
    expect(goYaml(Number.NEGATIVE_INFINITY)).toBe('-.inf\n');
  });

  it('does not fold long lines', () => {
    const long = 'word '.repeat(60).trim();
    expect(goYaml(map({ long }))).toBe(`long: ${long}\n`);
  });

  it('puts a question mark before a key that is longer than 128 bytes', () => {
    expect(goYaml(map({ ['k'.repeat(128)]: 1 }))).toBe(`${'k'.repeat(128)}: 1\n`);
    expect(goYaml(map({ ['k'.repeat(129)]: 1 }))).toBe(`? ${'k'.repeat(129)}\n: 1\n`);
    expect(goYaml(map({ ['é'.repeat(65)]: 1 }))).toBe(`? ${'é'.repeat(65)}\n: 1\n`);
  });

  it('gives the same text for the same map, however it was made, also where the order of Go runs in a circle', () => {
    const keys = ['a9', 'a10', 'a1b'];
    const texts = [keys, keys.toReversed(), ['a10', 'a9', 'a1b']].map((order) =>
      goYaml(new Map(order.map((key) => [key, 1]))),
    );
    expect(new Set(texts).size).toBe(1);
  });

  it('refuses a value that contains itself', () => {
    const endless = map({});
    endless.set('self', endless);
    expect(() => goYaml(endless)).toThrow('the value is nested deeper than 500 levels, or contains itself');
  });

  it('writes what is nested just as deep as it may be', () => {
    let value: GoValue = 'x';
    for (let i = 0; i < 500; i += 1) value = [value];
    expect(goYaml(value)).toBe(`${'- '.repeat(500)}x\n`);
    expect(() => goYaml([value])).toThrow('deeper than 500');
  });
});
