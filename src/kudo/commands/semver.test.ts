import { describe, expect, it } from 'vitest';
import { compareVersions } from './semver.ts';

describe('compareVersions', () => {
  it('knows the order of semantic versions', () => {
    const ordered = [
      '0.9',
      'v1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0',
      '1.0.1',
      '1.2',
      '1.10.0',
      '2',
    ];
    for (const [index, version] of ordered.entries()) {
      const after = ordered.slice(index + 1);
      expect(
        after.filter(
          (later) => !((compareVersions(version, later) ?? 0) < 0 && (compareVersions(later, version) ?? 0) > 0),
        ),
      ).toEqual([]);
    }
  });

  it.each([
    ['1.2', 'v1.2.0'],
    ['1.0.0+build.1', '1.0.0'],
    ['1.0.0-rc.1', '1.0.0-rc.1'],
  ])('takes %s and %s for the same', (a, b) => {
    expect(compareVersions(a, b)).toBe(0);
  });

  it.each(['', 'latest', '1.2.3.4', '1..2', '99999999999.0.0'])('knows that %j is no version', (text) => {
    expect(compareVersions(text, '1.0.0')).toBeUndefined();
  });
});
