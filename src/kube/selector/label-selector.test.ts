import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSelector, formatSelector, type LabelSelector, matches } from './label-selector.ts';
import { parseSelector } from './parse-selector.ts';

const selects = (selector: string, labels: Record<string, string>): boolean => matches(selector, labels);

describe('a label selector in string form', () => {
  it.each([
    ['', {}, true],
    ['', { a: 'b' }, true],
    ['app=web', { app: 'web' }, true],
    ['app==web', { app: 'web' }, true],
    ['app = web , tier=x', { app: 'web', tier: 'x' }, true],
    ['app=web,tier=x', { app: 'web' }, false],
    ['app=', { app: '' }, true],
    ['app=', {}, false],
    ['app!=web', {}, true],
    ['app!=web', { app: 'db' }, true],
    ['app!=web', { app: 'web' }, false],
    ['app in (web,db)', { app: 'db' }, true],
    ['app in (web,db)', {}, false],
    ['app in ()', { app: '' }, true],
    ['app in (a,,b)', { app: '' }, true],
    ['app notin (web)', {}, true],
    ['app notin (web)', { app: 'web' }, false],
    ['app', { app: '' }, true],
    ['app', {}, false],
    ['!app', {}, true],
    ['!app', { app: 'x' }, false],
    ['weight>5', { weight: '6' }, true],
    ['weight>5', { weight: '5' }, false],
    ['weight<5', { weight: '-1' }, true],
    ['weight<5', { weight: 'light' }, false],
    ['weight<5', {}, false],
    ['in in (in)', { in: 'in' }, true],
    ['example.com/app=web', { 'example.com/app': 'web' }, true],
    ['constructor', {}, false],
    ['!toString', {}, true],
  ] as const)('%j on %j: %s', (selector, labels, expected) => {
    expect(selects(selector, labels as Record<string, string>)).toBe(expected);
  });

  it.each([
    ['app web', "unable to parse requirement: found 'web', expected: in, notin, =, ==, !=, gt, lt"],
    ['=web', "found '=', expected: !, identifier, or 'end of string'"],
    ['app=web,', "found '', expected: identifier after ','"],
    ['app in web', "unable to parse requirement: found 'web' expected: '('"],
    ['app in (web', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['!app=web', "found '=', expected: ',' or 'end of string'"],
    ['app=a b', "found 'b', expected: ',' or 'end of string'"],
    ['app=(', "unable to parse requirement: found '(', expected: identifier"],
    ['a/b/c=d', 'unable to parse requirement: <nil>: Invalid value: "a/b/c": a valid label key must consist of'],
    ['-a=d', 'unable to parse requirement: <nil>: Invalid value: "-a": name part must consist of'],
    ['a=-d', 'unable to parse requirement: values[0][a]: Invalid value: "-d": a valid label must be an empty string'],
    ['a>b', "unable to parse requirement: values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the value must"],
  ])('refuses %j in the words of the API server', (selector, message) => {
    expect(() => parseSelector(selector)).toThrow(
      expect.objectContaining({ kind: 'refused', message: expect.stringContaining(message) }),
    );
  });
});

describe('a label selector in object form', () => {
  it('wants all of matchLabels and matchExpressions', () => {
    const selector: LabelSelector = {
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['a', 'b'] },
        { key: 'canary', operator: 'DoesNotExist' },
      ],
    };
    expect(formatSelector(selector)).toBe('app=web,tier in (a,b),!canary');
    const selected = compileSelector(selector);
    expect(selected({ app: 'web', tier: 'b' })).toBe(true);
    expect(selected({ app: 'web', tier: 'b', canary: '' })).toBe(false);
    expect(selected({ app: 'web' })).toBe(false);
    expect(selected(undefined)).toBe(false);
  });

  it('refuses a set without values, and values where there is no set', () => {
    expect(() => matches({ matchExpressions: [{ key: 'a', operator: 'In' }] }, {})).toThrow(
      "values set can't be empty",
    );
    expect(() => matches({ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] }, {})).toThrow(
      'must be empty',
    );
  });

  it('means the same in both forms', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9]{0,2}$/);
    const key = fc.constantFrom('a', 'b', 'c');
    const expression = fc.oneof(
      fc.record({
        key,
        operator: fc.constantFrom('In' as const, 'NotIn' as const),
        values: fc.array(word, { minLength: 1, maxLength: 3 }),
      }),
      fc.record({ key, operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
    );
    const selector = fc.record({ matchLabels: fc.dictionary(key, word), matchExpressions: fc.array(expression) });
    fc.assert(
      fc.property(selector, fc.dictionary(key, word), (object, labels) => {
        expect(matches(formatSelector(object), labels)).toBe(matches(object, labels));
      }),
    );
  });
});

it('never throws anything but a refusal, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab=!(),<> in/-.') }), (text) => {
      try {
        parseSelector(text);
      } catch (error) {
        expect(error).toMatchObject({ name: 'KubeError', kind: 'refused' });
      }
    }),
  );
});
