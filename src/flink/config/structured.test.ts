import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseList, parseMap, parseMaps, showList, showMap } from './structured.ts';

describe('lists', () => {
  it('keeps separators and quotes inside of elements', () => {
    const written = `--topic;in-1;--sql;'SELECT ''a;b'' FROM t';--kv=x=y;;'$HOME "q"'`;
    const elements = ['--topic', 'in-1', '--sql', "SELECT 'a;b' FROM t", '--kv=x=y', '', '$HOME "q"'];
    expect(parseList(written)).toEqual(elements);
    expect(showList(elements)).toBe(written);
  });

  it('reads nothing from an empty text', () => expect(parseList('  ')).toEqual([]));

  it('does not take an open quote for the end of an element', () => {
    expect(parseList("a;'b;c")).toBeUndefined();
    expect(parseList("'a'b;c")).toBeUndefined();
  });

  it('reads what it has written', () => {
    const element = fc
      .string()
      .map((text) => text.trim())
      .filter((text) => text !== '');
    fc.assert(
      fc.property(fc.array(element), (elements) => {
        expect(parseList(showList(elements))).toEqual(elements);
      }),
    );
  });
});

describe('maps', () => {
  it('reads keys and values', () => {
    expect(parseMap('a.example.com/x:1, b:two')).toEqual(
      new Map([
        ['a.example.com/x', '1'],
        ['b', 'two'],
      ]),
    );
  });

  it('lets a value have colons', () => {
    expect(parseMap('url:http://x:80/,other:1')?.get('url')).toBe('http://x:80/');
  });

  it('does not read what has no value', () => {
    expect(parseMap('a:1,b')).toBeUndefined();
    expect(parseMaps('a:1;b')).toBeUndefined();
  });

  it('reads several', () => {
    expect(parseMaps('key:a,operator:Exists;key:b')).toEqual([
      new Map([
        ['key', 'a'],
        ['operator', 'Exists'],
      ]),
      new Map([['key', 'b']]),
    ]);
  });

  it('reads what it has written', () => {
    const part = fc
      .string({ minLength: 1 })
      .map((text) => text.trim())
      .filter((text) => text !== '');
    fc.assert(
      fc.property(fc.array(fc.tuple(part, part)), (entries) => {
        const map = new Map(entries);
        expect(parseMap(showMap(map))).toEqual(map);
      }),
    );
  });
});
