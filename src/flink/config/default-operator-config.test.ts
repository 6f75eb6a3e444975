import { expect, it } from 'vitest';
import { defaultOperatorConfig } from './default-operator-config.ts';
import { effectiveConfig } from './effective-config.ts';

it.each([
  ['v1_17', undefined, undefined],
  ['v1_18', 'env.java.opts.all', undefined],
  ['v1_20', undefined, 'env.java.default-opts.all'],
  ['v2_3', undefined, 'env.java.default-opts.all'],
])('opens the JDK for Flink %s under the key that this version knows', (flinkVersion, ...keys) => {
  const config = effectiveConfig(defaultOperatorConfig(), { namespace: 'x', flinkVersion });
  for (const key of ['env.java.opts.all', 'env.java.default-opts.all']) {
    expect(config.has(key)).toBe(keys.includes(key));
  }
});

it('brings a log configuration for clusters that have none', () => {
  const [name, text] = Object.entries(defaultOperatorConfig().logFiles)[0] ?? [];
  expect(name).toBe('log4j-console.properties');
  // Every appender that is referred to is defined.
  expect(text).toMatch(/^rootLogger\.appenderRef\.console\.ref = Console$/m);
  expect(text).toMatch(/^appender\.console\.name = Console$/m);
});
