import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

const text = (...lines: readonly (string | number)[]): string => lines.map((line) => `${line}\n`).join('');

/** What `patch` makes of it. */
function applied(before: string, diff: string): string {
  const old = before === '' ? [] : before.replace(/\n$/, '').split('\n');
  const result: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(0, -1)) {
    const hunk = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(line);
    if (hunk) {
      const start = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
      while (at < start) result.push(old[at++] ?? '');
      continue;
    }
    if (line[0] !== '+') expect(old[at++]).toBe(line.slice(1));
    if (line[0] !== '-') result.push(line.slice(1));
  }
  result.push(...old.slice(at));
  return result.map((line) => `${line}\n`).join('');
}

describe('unifiedDiff', () => {
  it('shows a change with three lines around it', () => {
    expect(unifiedDiff(text(1, 2, 3, 4, 5, 6, 7, 8, 9), text(1, 2, 3, 4, 'five', 6, 7, 8, 9))).toBe(
      text('@@ -2,7 +2,7 @@', ' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'),
    );
  });

  it('shows what is new as a whole, and nothing where nothing differs', () => {
    expect(unifiedDiff('', text('a', 'b'))).toBe(text('@@ -0,0 +1,2 @@', '+a', '+b'));
    expect(unifiedDiff(text('a'), '')).toBe(text('@@ -1,1 +0,0 @@', '-a'));
    expect(unifiedDiff('same', 'same')).toBe('');
  });

  it('makes two hunks of changes that are far apart, and one of those that are near', () => {
    const lines = Array.from({ length: 30 }, (_, index) => index);
    const changed = (...at: readonly number[]): string =>
      text(...lines.map((line) => (at.includes(line) ? `x${line}` : line)));
    expect(unifiedDiff(text(...lines), changed(3, 20)).match(/@@ -/g)).toHaveLength(2);
    expect(unifiedDiff(text(...lines), changed(3, 8)).match(/@@ -/g)).toHaveLength(1);
  });

  it('always leads from the one to the other', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        expect(applied(text(...before), unifiedDiff(text(...before), text(...after)))).toBe(text(...after));
      }),
    );
  });

  it('does not compare line by line what is far too long', () => {
    const long = (prefix: string): string => text(...Array.from({ length: 5000 }, (_, index) => `${prefix}${index}`));
    expect(applied(long('a'), unifiedDiff(long('a'), long('b')))).toBe(long('b'));
  });
});
