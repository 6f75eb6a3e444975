import { expect, it } from 'vitest';
import { goJson, goNumber, goPrint, goValue, quote } from './go-text.ts';

it.each([
  ['plain', '"plain"'],
  ['a"b\\c', '"a\\"b\\\\c"'],
  ['line\nbreak\ttab', '"line\\nbreak\\ttab"'],
  ['\u0000\u0007', '"\\x00\\a"'],
  ['ü €', '"ü €"'],
])('quotes %j as Go does', (text, quoted) => expect(quote(text)).toBe(quoted));

it.each([
  [1, '1'],
  [-0, '0'],
  [1.5, '1.5'],
  [0.00001, '1e-05'],
  [1e21, '1e+21'],
  [9223372036854775000, '9223372036854774784'],
])('prints the number %d as Go does', (value, text) => expect(goNumber(value)).toBe(text));

it('writes JSON with sorted keys and escaped signs', () => {
  expect(goJson({ b: '<&>', a: [1, null] })).toBe('{"a":[1,null],"b":"\\u003c\\u0026\\u003e"}');
});

it('shows values in messages', () => {
  expect([goValue('x'), goValue(1), goValue(true), goValue(null), goValue({ a: 1 })].join(' ')).toBe(
    '"x" 1 true null {"a":1}',
  );
  expect(goPrint({ b: [1, 'x'], a: null })).toBe('map[a:<nil> b:[1 x]]');
});
