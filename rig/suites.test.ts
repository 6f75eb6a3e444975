import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCode, outcomeOf, total } from '../test/real/outcome.ts';
import { SUITES, selectSuites } from '../test/real/suites.ts';

const named = (name: string, onlyWhenNamed = false) => ({ name, files: [], onlyWhenNamed });

describe('which real suites run', () => {
  const table = [named('a'), named('b'), named('installed', true)];

  it('takes all but those that must be named', () => {
    expect(selectSuites([], table).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(selectSuites(['installed', 'a'], table).map(({ name }) => name)).toEqual(['a', 'installed']);
  });

  it('refuses a name that no suite has, and says which there are', () => {
    expect(() => selectSuites(['a', 'c'], table)).toThrow('no such suite: c (there are a, b, installed)');
  });

  it('names each suite once, with files that exist', () => {
    expect(new Set(SUITES.map(({ name }) => name)).size).toBe(SUITES.length);
    const files = SUITES.flatMap((suite) => suite.files);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('what comes of a real run', () => {
  const report = (passed: number, failed: number) =>
    JSON.stringify({ numPassedTests: passed, numFailedTests: failed, numPendingTests: 0, numTodoTests: 0 });

  it('counts tests, and a run without a result as a failure', () => {
    expect(outcomeOf(report(3, 0), 0)).toEqual({ kind: 'ran', passed: 3, failed: 0, skipped: 0 });
    expect(outcomeOf(report(3, 2), 1)).toMatchObject({ passed: 3, failed: 2 });
    expect(outcomeOf(report(3, 0), 1)).toMatchObject({ passed: 3, failed: 1 });
    expect(outcomeOf(undefined, null)).toMatchObject({ passed: 0, failed: 1 });
  });

  it('lets a missing part pass on a developer machine, not in CI', () => {
    const outcomes = [outcomeOf(report(3, 0), 0), { kind: 'skipped' as const, reason: 'needs root' }];
    expect(total(outcomes)).toEqual({ passed: 3, failed: 0, skipped: 1 });
    expect(exitCode(outcomes, false)).toBe(0);
    expect(exitCode(outcomes, true)).toBe(1);
    expect(exitCode([outcomeOf(report(0, 1), 1)], false)).toBe(1);
    expect(exitCode([outcomeOf(report(3, 0), 0)], true)).toBe(0);
  });

  it('lets no test be skipped in CI', () => {
    const pending = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0 };
    for (const skipping of [pending, { ...pending, numPendingTests: 0, numTodoTests: 1 }]) {
      const outcomes = [outcomeOf(JSON.stringify(skipping), 0)];
      expect(exitCode(outcomes, false)).toBe(0);
      expect(exitCode(outcomes, true)).toBe(1);
    }
  });
});
