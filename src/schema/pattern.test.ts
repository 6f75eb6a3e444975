import { expect, it } from 'vitest';
import { patternProblem } from './pattern.ts';

it.each([/^[a-z]([-a-z0-9]*[a-z0-9])?$/, /^\d{1,1000}$/, /[(?=]/, /\(\?=/, /(?:a|b)\.\\1/, /(?<name>a)/, /[\]{2000}]/])(
  'the server can use %s',
  (pattern) => {
    expect(patternProblem(pattern)).toBeUndefined();
  },
);

it.each([
  [/(?=a)/, 'look-around'],
  [/(?!a)/, 'look-around'],
  [/(?<=a)b/, 'look-around'],
  [/(?<!a)b/, 'look-around'],
  [/(a)\1/, 'a back-reference'],
  [/(?<n>a)\k<n>/, 'a named back-reference'],
  [/\u0041/, 'the escape "\\u"'],
  [/a{1001}/, 'more than 1000 repetitions'],
  [/a{1,1001}/, 'more than 1000 repetitions'],
  // biome-ignore lint/correctness/noEmptyCharacterClassInRegex: this is what the server refuses
  [/[^]/, 'an empty character class'],
  [/a/i, 'the flag "i"'],
])('the server cannot use %s: %s', (pattern, problem) => {
  expect(patternProblem(pattern)).toBe(problem);
});
