import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedJson, parseJson } from './json-text.ts';

describe('reading JSON', () => {
  it('agrees with the platform on any value, and finds nothing twice in it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.nat({ max: 4 }), (text, indent) => {
        const pretty = JSON.stringify(JSON.parse(text), null, indent);
        expect(parseJson(pretty)).toEqual({ value: JSON.parse(text), duplicates: [] });
      }),
    );
  });

  it.each([
    ['{"a":1,"a":2}', ['a']],
    ['{"data":{"x":"1","y":{"x":1},"x":"2"}}', ['data.x']],
    ['{"l":[{"n":1},{"n":1,"n":2}]}', ['l[1].n']],
    ['{"a":{"b":1},"a":{"b":1,"b":2}}', ['a', 'a.b']],
    ['{"a\\"":1,"a\\"":2}', ['a"']],
    ['{"s":"\\"a\\":1,","t":"}{:"}', []],
    ['{"\\u0061":1,"a":2}', ['a']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
  ])('finds what %s says twice', (text, duplicates) => {
    expect(parseJson(text).duplicates).toEqual(duplicates);
  });

  it.each(['', '{', '{"a":}', '[1,]', 'nul', '{"a":1} x', '"\u0000"', '{"a":"b'])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(MalformedJson);
  });

  it('refuses nesting that no walk could survive, before anyone walks it', () => {
    const deep = '['.repeat(1_000_000);
    expect(() => parseJson(deep)).toThrow(/exceeded max depth at position 1000/);
    expect(() => parseJson(`${'{"a":'.repeat(900)}1${'}'.repeat(900)}`)).not.toThrow();
  });

  it('keeps a key called __proto__ a key', () => {
    const value = parseJson('{"__proto__":{"polluted":true}}').value as object;
    expect(Object.hasOwn(value, '__proto__')).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
