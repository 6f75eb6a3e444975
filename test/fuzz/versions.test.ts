import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareVersions } from '../../src/kudo/commands/semver.ts';
import { cases, ending } from './fuzz.ts';
import { hostileText, longText } from './hostile.ts';

describe('versions', () => {
  const words = ['1', '.', '-', '+', 'v', 'alpha', 'rc', '0', '10', '2'];
  const version = fc.oneof(
    hostileText(words, 8),
    fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((parts) => `1.2.3-${parts.join('')}`),
    fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 }), fc.nat({ max: 3 })).map((parts) => parts.join('.')),
  );

  it('have one order', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        const [ab, ba, bc, ac] = [
          compareVersions(a, b),
          compareVersions(b, a),
          compareVersions(b, c),
          compareVersions(a, c),
        ];
        expect(compareVersions(a, a) ?? 0).toBe(0);
        if (ab === undefined || ba === undefined) {
          expect(ab).toBe(ba);
          return;
        }
        expect(Math.sign(ab) + Math.sign(ba)).toBe(0);
        if (bc !== undefined && ac !== undefined && ab <= 0 && bc <= 0) expect(ac).toBeLessThanOrEqual(0);
      }),
      cases(2000),
    );
    fc.assert(
      fc.property(longText([...words, '1.', '-.']), ({ text }) => {
        ending(() => compareVersions(text, text));
      }),
      cases(20),
    );
  });
});
