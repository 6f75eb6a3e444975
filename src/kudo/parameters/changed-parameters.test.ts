import { describe, expect, it } from 'vitest';
import type { OperatorVersion, Parameter } from '../resources/operator-version.ts';
import { changedParameters } from './changed-parameters.ts';
import { isForced } from './is-forced.ts';

function version(...parameters: readonly Parameter[]): OperatorVersion {
  return { apiVersion: 'kudo.dev/v1beta1', kind: 'OperatorVersion', metadata: { name: 'v' }, spec: { parameters } };
}

const values = (record: Record<string, string>) => new Map(Object.entries(record));
const names = (parameters: readonly Parameter[]) => parameters.map(({ name }) => name);

const abc = version({ name: 'A', default: 'a' }, { name: 'B' }, { name: 'C' });

describe('changed parameters', () => {
  it('are those added, changed and removed', () => {
    const found = changedParameters({
      before: values({ B: '1', C: '1' }),
      after: values({ A: 'a', B: '2' }),
      versions: { before: abc, after: abc },
    });
    expect(found.names).toEqual(['A', 'B', 'C']);
    expect(names(found.changed)).toEqual(['A', 'B']);
    expect(names(found.removed)).toEqual(['C']);
    expect(found.unknown).toEqual([]);
  });

  it('are none when a value is written again', () => {
    const same = { before: values({ A: '1' }), after: values({ A: '1' }), versions: { before: abc, after: abc } };
    expect(changedParameters(same)).toEqual({ names: [], unknown: [], changed: [], removed: [] });
  });

  it('do not count when an upgrade brings them', () => {
    const found = changedParameters({
      before: values({}),
      after: values({ A: '1', NEW: '1' }),
      versions: { before: abc, after: version({ name: 'A' }, { name: 'NEW' }) },
    });
    expect(found.names).toEqual(['A', 'NEW']);
    expect(names(found.changed)).toEqual(['A']);
  });

  it('do not count as removed when one of those removed is unknown', () => {
    const found = changedParameters({
      before: values({ A: '1', GONE: '1' }),
      after: values({}),
      versions: { before: abc, after: abc },
    });
    expect(found.names).toEqual(['A', 'GONE']);
    expect(found.removed).toEqual([]);
  });

  it('tell those that the version does not have', () => {
    const found = changedParameters({
      before: values({ OLD: '1' }),
      after: values({ OLD: '1', Z: '1', X: '1' }),
      versions: { before: abc, after: abc },
    });
    expect(found.unknown).toEqual(['X', 'Z']);
  });
});

describe('a forced restart', () => {
  const quiet = version(
    { name: 'QUIET', forcePodRestart: false },
    { name: 'HUSHED', forcePodRestart: false },
    { name: 'LOUD', forcePodRestart: true },
    { name: 'PLAIN' },
  );

  it.each<[string, readonly string[], boolean]>([
    ['not when nothing changed', [], false],
    ['not when all that changed say no', ['QUIET', 'HUSHED'], false],
    ['when one says yes', ['QUIET', 'LOUD'], true],
    ['when one says nothing', ['HUSHED', 'PLAIN'], true],
    ['when one is unknown', ['QUIET', 'GONE'], true],
  ])('is demanded %s', (_, changed, forced) => {
    expect(isForced(changed, quiet)).toBe(forced);
  });
});
