import { describe, expect, it } from 'vitest';
import { Interface } from './held.ts';
import { sizeOf } from './size-of.ts';
import { GoInt, GoList, GoObject, GoStringMap } from './value.ts';

describe('what a function may have to read of an argument', () => {
  it.each([
    ['nothing', undefined, 0],
    ['nil', null, 0],
    ['a text', 'abcd', 4],
    ['a text in a box', new Interface('abcd'), 4],
    ['nil in a box', new Interface(null), 0],
    ['a boolean', true, 0],
    ['a number', 1234, 0],
    ['an integer', new GoInt('int', 1234n), 0],
    ['a list, without what is in it', ['abcd', ['x', 'y']], 2],
    ['a list of one type', new GoList('[]string', ['abcd', 'x', 'y']), 3],
    ['a map', new Map([['key', 'abcd']]), 1],
    ['a map of texts', new GoStringMap([['_0', 'abcd'] as const, ['_1', ''] as const]), 2],
    ['a time or a version: its text', new GoObject({ type: 'time.Time', text: '2006-01-02' }), 10],
  ])('%s', (_what, argument, size) => {
    expect(sizeOf(argument)).toBe(size);
  });
});
