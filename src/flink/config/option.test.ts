import { describe, expect, it } from 'vitest';
import { blueGreenOptions, idleBlueGreenOptions } from './blue-green-options.ts';
import { flatConfig } from './flink-config.ts';
import { flinkOptions } from './flink-options.ts';
import { idleOptions } from './idle-options.ts';
import { isOnlyForOperator, operatorOptions } from './operator-options.ts';
import { isSet, type Option, problemsWith, problemWith, read } from './option.ts';

const interval = operatorOptions.reconcileInterval;

describe('reading an option', () => {
  it('gives its value, else its default', () => {
    expect(read(flatConfig({ [interval.key]: '15 s' }), interval)).toBe(15_000);
    expect(read(flatConfig({}), interval)).toBe(60_000);
  });

  it('takes an older name only when the present one is not set', () => {
    const { checkpointsDirectory } = flinkOptions;
    expect(read(flatConfig({ 'state.checkpoints.dir': 'old' }), checkpointsDirectory)).toBe('old');
    expect(
      read(flatConfig({ 'state.checkpoints.dir': 'old', 'execution.checkpointing.dir': 'new' }), checkpointsDirectory),
    ).toBe('new');
  });

  it('counts a value that cannot be read as not set, and says what is wrong with it', () => {
    const config = flatConfig({ [interval.key]: 'abc', 'high-availability': 'kubernetes' });
    expect(read(config, interval)).toBe(60_000);
    expect(isSet(config, interval)).toBe(true);
    expect(problemWith(config, interval)).toBe(
      'kubernetes.operator.reconcile.interval: "abc" is not a duration; write for example "30 s"',
    );
    expect(problemsWith(config, operatorOptions)).toHaveLength(1);
    expect(problemsWith(config, flinkOptions)).toEqual([]);
  });

  it('names the key that was written', () => {
    expect(problemWith(flatConfig({ 'kubernetes.taskmanager.cpu': 'two' }), flinkOptions.taskManagerCpu)).toContain(
      'kubernetes.taskmanager.cpu: "two"',
    );
  });

  it.each([
    ['true', true],
    [' FALSE ', false],
    ['no', true],
  ])('reads the boolean %s, or falls back', (text, value) => {
    expect(read(flatConfig({ [operatorOptions.startupProbe.key]: text }), operatorOptions.startupProbe)).toBe(value);
  });

  it('reads enumerations in any case', () => {
    const { savepointFormat } = operatorOptions;
    expect(read(flatConfig({ [savepointFormat.key]: 'native' }), savepointFormat)).toBe('NATIVE');
    expect(problemWith(flatConfig({ [savepointFormat.key]: 'zip' }), savepointFormat)).toContain(
      'one of CANONICAL, NATIVE',
    );
  });

  it('refuses ranges where one port is needed', () => {
    const { blobPort } = flinkOptions;
    expect(problemWith(flatConfig({ 'blob.server.port': '50100-50200' }), blobPort)).toContain('not a single port');
    expect(problemWith(flatConfig({ 'blob.server.port': '0' }), blobPort)).toBeUndefined();
    expect(problemWith(flatConfig({ 'blob.server.port': '70000' }), blobPort)).toContain('not a single port');
  });
});

describe('a map of regular expressions', () => {
  const { errorLabels } = operatorOptions;
  const labelled = (value: string, text: string): readonly string[] =>
    read(flatConfig({ [errorLabels.key]: value }), errorLabels).flatMap(([pattern, label]) =>
      pattern.test(text) ? [label] : [],
    );

  it('is read in the notation of Flink, with the flags of Java in front', () => {
    expect(labelled('No such (file|bucket):storage,(?i)TIMEOUT:slow', 'timeout: No such bucket')).toEqual([
      'storage',
      'slow',
    ]);
    expect(labelled('TIMEOUT:slow', 'timeout')).toEqual([]);
  });

  it('is refused as a whole when one of them is none', () => {
    const config = flatConfig({ [errorLabels.key]: 'fine:a,(open:b' });
    expect(read(config, errorLabels)).toEqual([]);
    expect(problemWith(config, errorLabels)).toContain('is not a map of regular expressions');
    expect(problemWith(flatConfig({ [errorLabels.key]: 'nothing' }), errorLabels)).toContain('is not a map');
  });
});

describe('the tables', () => {
  const all: readonly (readonly [string, Option<unknown>])[] = Object.entries({
    ...operatorOptions,
    ...idleOptions,
    ...blueGreenOptions,
    ...idleBlueGreenOptions,
    ...flinkOptions,
  } as unknown as Record<string, Option<unknown>>);

  it.each(all)('%s: its default can be written and read', (_, { kind, otherwise }) => {
    if (otherwise === undefined) return;
    expect(kind.parse(kind.show(otherwise))).toEqual(otherwise);
  });

  it('give an example that can be read, for every kind', () => {
    for (const [, { kind }] of all) expect(kind.parse(kind.example)).toBeDefined();
  });

  it('have each key once and say what it does', () => {
    const tables = [operatorOptions, idleOptions, blueGreenOptions, idleBlueGreenOptions];
    const keys = tables.flatMap((table) => Object.values(table).map(({ key }) => key));
    expect(new Set(keys).size).toBe(keys.length);
    for (const [, { says }] of all) expect(says).toMatch(/^[A-Z].*\.$/);
  });
  it('let nobody but the operator set what has no effect', () => {
    for (const { key, scope } of Object.values(idleOptions)) {
      expect([key, scope]).toEqual([key, 'operator']);
      expect(isOnlyForOperator(key)).toBe(true);
    }
  });
});
