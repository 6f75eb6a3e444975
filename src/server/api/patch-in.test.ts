import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../http/refusal.ts';
import { patchIn } from './patch-in.ts';

describe('patchIn', () => {
  it('reads YAML and JSON', () => {
    expect(patchIn('spec:\n  job:\n    parallelism: 4')).toEqual({ spec: { job: { parallelism: 4 } } });
    expect(patchIn('{"spec":{"a":null}}')).toEqual({ spec: { a: null } });
  });

  it.each([
    ['', 'must be a mapping'],
    ['- a', 'must be a mapping'],
    ['just text', 'must be a mapping'],
    ['[1]', 'must be a mapping'],
    ['a: [', 'cannot be read'],
    ['a: 1\na: 2', 'cannot be read'],
    ['x'.repeat(300_000), 'at most 262144 characters'],
    [`a: ${'x'.repeat(10_000)}`, 'Write a longer one in JSON'],
    ['['.repeat(8_000), 'nested at most'],
    [`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 'nested at most'],
    [`${'{a: '.repeat(100)}1${'}'.repeat(100)}`, 'nested at most'],
    [`a: ${'- '.repeat(4_000)}x`, 'nested at most'],
    ['? '.repeat(4_000), 'nested at most'],
    ['- ? '.repeat(2_000), 'nested at most'],
    [Array.from({ length: 120 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'), 'nested at most'],
  ])('refuses case %#', (text, why) => {
    expect(() => patchIn(text)).toThrow(Refusal);
    expect(() => patchIn(text)).toThrow(why);
  });

  it('refuses aliases that would grow without end, fast', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let at = 1; at < 20; at++)
      lines.push(
        `a${at}: &a${at} [${Array(10)
          .fill(`*a${at - 1}`)
          .join(', ')}]`,
      );
    expect(() => patchIn(lines.join('\n'))).toThrow('cannot be read');
  });

  it('takes what is tagged as bytes or a date for the text that it is', () => {
    expect(patchIn('a: !!binary aGk=\nb: !!timestamp 2026-01-01')).toEqual({ a: 'aGk=', b: '2026-01-01' });
    expect(() => patchIn('!!binary aGk=')).toThrow('must be a mapping');
  });

  it('leaves prototypes alone', () => {
    const patch = patchIn('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.keys(patch)).toEqual(['__proto__', 'constructor']);
  });

  it('answers or refuses, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ':', ' ', '\n', '-', '[', '{', '&', '*', '?', '|', '"', '!', '%') }),
        (text) => {
          try {
            expect(typeof patchIn(text)).toBe('object');
          } catch (error) {
            expect(error).toBeInstanceOf(Refusal);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
