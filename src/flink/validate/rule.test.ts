import { expect, it } from 'vitest';
import { problemsOf, type Rule } from './rule.ts';

it('lets no control character of what people wrote into a message, where a terminal would obey it', () => {
  const says = 'It is never right.';
  const rule: Rule<string> = { rule: 'never', field: 'spec.name', says, check: (name) => `the name ${name} is wrong` };
  const own: Rule<string> = { ...rule, check: (name) => ({ field: `spec.names[${name}]`, message: name }) };
  expect(problemsOf([rule, own], '\u001b[2J\u2028')).toEqual([
    { rule: 'never', field: 'spec.name', message: 'the name \\u{1b}[2J\\u{2028} is wrong' },
    { rule: 'never', field: 'spec.names[\\u{1b}[2J\\u{2028}]', message: '\\u{1b}[2J\\u{2028}' },
  ]);
});
