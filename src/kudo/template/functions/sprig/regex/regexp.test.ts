import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GoRegexp } from './regexp.ts';

const room = { charge: () => {}, work: () => {}, random: () => new Uint8Array() };
const all = (source: string, text: string) => new GoRegexp(source, room).findAll(text, -1);

/** Expressions that mean the same in JavaScript: no loops over what can be empty. */
const expression: fc.Arbitrary<string> = fc.letrec((tie) => ({
  atom: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '\\w', '\\d', 'é', '😀', '[α-ω]') },
    { weight: 1, arbitrary: fc.tuple(tie('sequence'), tie('sequence')).map(([a, b]) => `(${a}|${b})`) },
  ),
  repeated: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{2,}?'))
    .map(([atom, times]) => `${atom}${times}`),
  sequence: fc
    .tuple(tie('atom'), fc.array(tie('repeated'), { maxLength: 3 }))
    .map(([atom, rest]) => `${atom}${rest.join('')}`),
})).sequence as fc.Arbitrary<string>;

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', ' ', 'é', '😀', 'β'), maxLength: 12 });

describe('regular expressions', () => {
  it('find what JavaScript finds, where both mean the same', () => {
    fc.assert(
      fc.property(expression, text, (source, subject) => {
        const theirs = [...subject.matchAll(new RegExp(source, 'gu'))].map(([whole]) => whole);
        expect(all(source, subject)).toEqual(theirs);
      }),
      { numRuns: 500 },
    );
  });

  it('give the groups of the match they prefer', () => {
    const regexp = new GoRegexp('(?P<first>a|ab)(?P<rest>c|bcd)?', room);
    expect(
      regexp.replaceAll('abcd', (group) => `<${group('first')},${group('rest')},${group('2')},${group('nope')}>`),
    ).toBe('<a,bcd,bcd,>');
  });

  it('take the group that took part when several have the same name', () => {
    const regexp = new GoRegexp('(?P<n>a)|(?P<n>b)', room);
    expect(regexp.replaceAll('ab', (group) => `[${group('n')}]`)).toBe('[a][b]');
  });

  it('charge for what they do, however short the text is that comes out', () => {
    let units = 0;
    new GoRegexp('(a?){50}b', { ...room, work: (amount) => (units += amount) }).matches('a'.repeat(2000));
    expect(units).toBeGreaterThan(1_000_000);
  });
});
