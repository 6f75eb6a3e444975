import { describe, expect, it } from 'vitest';
import { documentsOf } from './documents.ts';

describe('the documents of a text', () => {
  it.each([
    ['one', 'a: 1\n', [['a: 1\n', 1]]],
    [
      'two',
      'a: 1\n---\nb: 2\n',
      [
        ['a: 1', 1],
        ['b: 2\n', 3],
      ],
    ],
    ['a separator before the first and after the last', '---\na: 1\n---\n', [['a: 1', 2]]],
    ['nothing', '', []],
    ['only comments', '# a\n---\n  # b\n\n---\n', []],
    ['comments and content', '# a\na: 1', [['# a\na: 1', 1]]],
    [
      'a comment behind the separator',
      'a: 1\n--- # next\nb: 2',
      [
        ['a: 1', 1],
        ['b: 2', 3],
      ],
    ],
    [
      'content behind the separator',
      'a: 1\n--- {b: 2}\n',
      [
        ['a: 1', 1],
        [' {b: 2}\n', 2],
      ],
    ],
    [
      'line ends of Windows',
      'a: 1\r\n---\r\nb: 2\r\n',
      [
        ['a: 1\r', 1],
        ['b: 2\r\n', 3],
      ],
    ],
    ['dashes that separate nothing', 'a: |\n  ---\n  ----\nb: "\n  --- "', [['a: |\n  ---\n  ----\nb: "\n  --- "', 1]]],
    ['more than three dashes', 'a: 1\n-----BEGIN', [['a: 1\n-----BEGIN', 1]]],
  ])('with %s', (_, text, expected) => {
    expect(documentsOf(text).map((chunk) => [chunk.text, chunk.line])).toEqual(expected);
  });
});
