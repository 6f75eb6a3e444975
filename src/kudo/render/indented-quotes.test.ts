import { describe, expect, it } from 'vitest';
import { readYaml } from '../parameters/yaml.ts';
import { indentedQuotes } from './indented-quotes.ts';

const read = (text: string) => readYaml(indentedQuotes(text));

describe('YAML whose quoted texts are not indented', () => {
  it.each([
    ['double quotes', 'a:\n  b: "one\ntwo: x"\n  c: 1', { a: { b: 'one two: x', c: 1 } }],
    ['single quotes', "a:\n  b: 'one\ntwo''s: x'\n  c: 1", { a: { b: "one two's: x", c: 1 } }],
    ['an empty line, which is a line break', 'a:\n  b: "one\n\ntwo"', { a: { b: 'one\ntwo' } }],
    ['a quote that is escaped', 'a:\n  b: "one \\"\ntwo"\n  c: 1', { a: { b: 'one " two', c: 1 } }],
    ['items of lists', 'a:\n- "one\ntwo"\n- [ "x\ny", z ]', { a: ['one two', ['x y', 'z']] }],
    ['several in a row', 'a: "1\n2"\nb: "3\n4"', { a: '1 2', b: '3 4' }],
  ])('is read as Go does: %s', (_, text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each([
    ['a quote within a plain text', "a: it's\nb: 5 o'clock\nc: x"],
    ['a quote in a comment', 'a: 1 # don\'t\nb: 2 # "\nc: 3'],
    ['a quote in a block', 'a: |\n  say "x\n  y\nb: 1'],
    ['a quote in a block of a list', '- |\n  "x\n  y\n- >-\n  \'z\n- a: |\n    "x\n  b: 1'],
    ['nothing special', 'a: "x"\nb: \'y\'\nc: [1, 2]\n'],
  ])('is otherwise as it was: %s', (_, text) => {
    expect(read(text)).toEqual(readYaml(text));
  });

  it.each(['&"', '&&&&&&&"', "!x'", '" '])('takes no time where there are nothing but quotes: %s', (unit) => {
    const text = `x: [\n${unit.repeat(480_000 / unit.length)}`;
    const began = performance.now();
    indentedQuotes(text);
    expect(performance.now() - began).toBeLessThan(600);
  });
});
