import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KubeError } from '../../src/kube/error.ts';
import { formatFieldSelector, matchesFields, parseFieldSelector } from '../../src/kube/selector/field-selector.ts';
import { formatSelector, matches } from '../../src/kube/selector/label-selector.ts';
import { parseSelector } from '../../src/kube/selector/parse-selector.ts';
import type { Requirement } from '../../src/kube/selector/requirement.ts';
import { answer, cases, ending } from './fuzz.ts';
import { hostileText, longText, mutated, trapNames } from './hostile.ts';

const words = [
  'app',
  'tier',
  'in',
  'notin',
  'example.com/name',
  'web',
  '5',
  '-5',
  '=',
  '==',
  '!=',
  '!',
  '(',
  ')',
  ',',
  '>',
  '<',
];
const valid = ['app=web,tier in (a,b),!canary,weight>5', 'a!=b,c notin (d),e', 'example.com/a==x,y<0'];
const texts = fc.oneof(
  hostileText(words),
  mutated(valid, words),
  fc.array(fc.constantFrom(...words)).map((all) => all.join(' ')),
);

const key = fc.constantFrom('app', 'example.com/name', 'constructor', 'toString', 'a.b_c-d', '0');
const value = fc.constantFrom('', 'web', '5', 'a.b', 'x'.repeat(63));
const labels = fc.dictionary(key, value);

describe('a label selector', () => {
  it('is read or refused, whatever it is', () => {
    fc.assert(
      fc.property(texts, labels, (text, some) => {
        const read = answer(() => parseSelector(text), KubeError, text.length);
        if (!('value' in read)) return;
        expect(matches(text, some)).toBe(matches(written(read.value), some));
        expect(parseSelector(written(read.value))).toEqual(read.value);
      }),
      cases(1500),
    );
  });

  it('says the same as text and as object', () => {
    const expression = fc.record({
      key,
      operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist'),
      values: fc.array(value, { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(labels, fc.array(expression, { maxLength: 3 }), labels, (matchLabels, expressions, some) => {
        const matchExpressions = expressions.map(({ key, operator, values }) =>
          operator === 'In' || operator === 'NotIn'
            ? ({ key, operator, values } as const)
            : ({ key, operator: operator as 'Exists' | 'DoesNotExist' } as const),
        );
        const selector = { matchLabels, matchExpressions };
        expect(matches(formatSelector(selector), some)).toBe(matches(selector, some));
      }),
      cases(400),
    );
  });

  it('is read to its end, however long it is', () => {
    fc.assert(
      fc.property(longText([...words, 'a.', 'a/', 'a=b,', 'a in (']), ({ text }) => {
        ending(() => answer(() => parseSelector(text), KubeError, text.length * 2));
      }),
      cases(60),
    );
  });
});

/** A selector of requirements, by this test's own hand. */
function written(requirements: readonly Requirement[]): string {
  return requirements
    .map((one) => {
      if ('values' in one) return `${one.key} ${one.operator} (${one.values.join(',')})`;
      if ('value' in one) return `${one.key} ${one.operator} ${one.value}`;
      return one.operator === 'exists' ? one.key : `!${one.key}`;
    })
    .join(' , ');
}

describe('a field selector', () => {
  const fieldWords = ['metadata.name', 'status.phase', '=', '==', '!=', ',', '\\', '\\,', '\\=', '\\\n', 'a'];

  it('is read or refused, and every part of it counts', () => {
    fc.assert(
      fc.property(
        fc.oneof(hostileText(fieldWords), mutated(['metadata.name=a,status.phase!=b\\,c'], fieldWords)),
        (text) => {
          const read = answer(() => parseFieldSelector(text), KubeError, text.length * 2);
          if ('value' in read) expect(read.value).toHaveLength(termsIn(text).length);
        },
      ),
      cases(1500),
    );
  });

  it('selects exactly what was written into it', () => {
    const field = fc.constantFrom('metadata.name', 'spec.nodeName', ...trapNames);
    fc.assert(
      fc.property(field, hostileText(fieldWords), hostileText(fieldWords), (name, wanted, other) => {
        const selector = parseFieldSelector(formatFieldSelector({ [name]: wanted }));
        expect(matchesFields(selector, { [name]: wanted })).toBe(true);
        expect(matchesFields(selector, { [name]: other })).toBe(wanted === other);
      }),
      cases(600),
    );
  });

  it('is read to its end, however long it is', () => {
    fc.assert(
      fc.property(longText(fieldWords), ({ text }) => {
        ending(() => answer(() => parseFieldSelector(text), KubeError, text.length * 2));
      }),
      cases(60),
    );
  });
});

/** What stands between commas that no backslash takes away. */
function termsIn(text: string): readonly string[] {
  const terms = [''];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === ',') terms.push('');
    else if (text[at] === '\\') terms.push(terms.pop() + text.slice(at, ++at + 1));
    else terms.push(`${terms.pop()}${text[at]}`);
  }
  return terms.filter((term) => term !== '');
}
