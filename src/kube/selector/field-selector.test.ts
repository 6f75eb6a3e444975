import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatFieldSelector, matchesFields, parseFieldSelector } from './field-selector.ts';

it.each([
  ['', {}, true],
  ['metadata.name=a', { 'metadata.name': 'a' }, true],
  ['metadata.name==a', { 'metadata.name': 'a' }, true],
  ['metadata.name!=a', { 'metadata.name': 'a' }, false],
  ['metadata.name=a,status.phase!=Running', { 'metadata.name': 'a', 'status.phase': 'Pending' }, true],
  ['spec.nodeName=', {}, true],
  ['a=b\\,c', { a: 'b,c' }, true],
  ['toString=', {}, true],
] as const)('%j on %j: %s', (text, fields, expected) => {
  expect(matchesFields(parseFieldSelector(text), fields)).toBe(expected);
});

it.each([
  ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
  ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
  ['a=b\\x', 'invalid field selector: invalid escape sequence: \\x'],
  ['a=b\\\nc=d', 'invalid field selector: invalid escape sequence: \\\n'],
  ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
])('refuses %j in the words of the API server', (text, message) => {
  expect(() => parseFieldSelector(text)).toThrow(expect.objectContaining({ kind: 'refused', message }));
});

it('reads back what it formats, whatever the value', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      expect(parseFieldSelector(formatFieldSelector({ 'metadata.name': value }))).toEqual([
        { field: 'metadata.name', value, not: false },
      ]);
    }),
  );
});
