import { describe, expect, it } from 'vitest';
import { effectiveConfig, observeConfig } from './effective-config.ts';
import type { OperatorConfig } from './operator-config.ts';

const defaults = 'kubernetes.operator.default-configuration';

function operator(settings: Record<string, string>): OperatorConfig {
  return { settings, logFiles: {} };
}

describe('effective configuration', () => {
  const layered = operator({
    [`${defaults}.flink-version.v1_20.a`]: 'exactly 1.20',
    [`${defaults}.flink-version.v1_19+.a`]: 'from 1.19',
    [`${defaults}.flink-version.v1_19+.b`]: 'from 1.19',
    [`${defaults}.flink-version.v1_20+.b`]: 'from 1.20',
    [`${defaults}.flink-version.v2_0+.b`]: 'from 2.0',
    [`${defaults}.flink-version.v1_18+.c`]: 'from 1.18',
    [`${defaults}.namespace.shop.c`]: 'shop',
    [`${defaults}.namespace.shop.d.e`]: 'shop',
    [`${defaults}.namespace.shop-b.d.e`]: 'shop-b',
    d: 'operator',
    f: 'operator',
  });

  it('lets later layers win', () => {
    const config = effectiveConfig(layered, { namespace: 'shop', flinkVersion: 'v1_20' }, { f: { g: 1 }, f2: 'x' });
    expect(Object.fromEntries(config)).toEqual({
      a: 'exactly 1.20',
      b: 'from 1.20',
      c: 'from 1.18',
      'd.e': 'shop',
      d: 'operator',
      f: 'operator',
      'f.g': '1',
      f2: 'x',
    });
  });

  it('knows that 1.9 is older than 1.19, and that 2.0 is newer than 1.20', () => {
    const config = (flinkVersion: string) => effectiveConfig(layered, { namespace: 'x', flinkVersion }).get('b');
    expect(config('v1_9')).toBeUndefined();
    expect(config('v1_19')).toBe('from 1.19');
    expect(config('v2_1')).toBe('from 2.0');
  });

  it('takes what users wrote over everything, a job’s own over its session’s', () => {
    const place = { namespace: 'shop', flinkVersion: 'v1_20' };
    const config = effectiveConfig(layered, place, { a: 'session', x: 1 }, { x: 2 }, undefined);
    expect([config.get('a'), config.get('x')]).toEqual(['session', '2']);
  });

  it('lets no resource set what protects the operator', () => {
    const key = 'kubernetes.operator.user.artifacts.disallow-restricted-hosts';
    const config = effectiveConfig(operator({ [key]: 'true' }), { namespace: 'x' }, { [key]: 'false' });
    expect(config.get(key)).toBe('true');
    expect(
      effectiveConfig(operator({}), { namespace: 'x' }, { kubernetes: { operator: { 'ingress.manage': false } } }).size,
    ).toBe(0);
  });

  it('does not keep the defaults themselves', () => {
    const config = effectiveConfig(layered, { namespace: 'shop' });
    expect([...config.keys()].filter((key) => key.startsWith(defaults))).toEqual([]);
  });

  it('survives keys that are names of every object', () => {
    const config = effectiveConfig(
      operator({}),
      { namespace: 'x' },
      JSON.parse('{"__proto__": {"a": 1}, "toString": 2}'),
    );
    expect(Object.fromEntries(config)).toEqual({ '__proto__.a': '1', toString: '2' });
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });

  it('keeps lists of maps as YAML that Flink reads', () => {
    const config = effectiveConfig(operator({}), { namespace: 'x' }, { l: [{ a: 1 }], m: ['x', 'y'], n: [] });
    expect(Object.fromEntries(config)).toEqual({ l: '[{"a":1}]', m: 'x;y' });
  });

  it.each([
    ['{"a":', '}'],
    ['[', ']'],
  ])('leaves out what nests without end: %s', (open, close) => {
    const deep: unknown = JSON.parse(`${open.repeat(20_000)}1${close.repeat(20_000)}`);
    const config = effectiveConfig(operator({}), { namespace: 'x' }, { deep, plain: 1 });
    expect(Object.fromEntries(config)).toEqual({ plain: '1' });
  });
});

describe('configuration of a cluster that runs', () => {
  const place = { namespace: 'x' };

  it('takes from the present spec only what acts without a deployment', () => {
    const config = observeConfig(
      operator({ 'kubernetes.operator.a': 'operator' }),
      place,
      {
        'rest.port': 1,
        'kubernetes.operator.b': 'old',
        'kubernetes.operator.c': 'old',
        'state.savepoints.dir': 's3://a',
      },
      { 'rest.port': 2, 'kubernetes.operator.b': 'new', 'job.autoscaler.x': 'new', 'state.savepoints.dir': 's3://b' },
    );
    expect(Object.fromEntries(config)).toEqual({
      'rest.port': '1',
      'kubernetes.operator.a': 'operator',
      'kubernetes.operator.b': 'new',
      'job.autoscaler.x': 'new',
      'state.savepoints.dir': 's3://b',
    });
  });
});
