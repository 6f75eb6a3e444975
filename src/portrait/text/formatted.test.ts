import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { documents, formatted } from './formatted.ts';
import { harmless } from './harmless.ts';

const hostile = fc.string({
  unit: fc.constantFrom(
    'a',
    ' ',
    '\n',
    '\t',
    '\r',
    '\u001b',
    '\u0007',
    '\u0085',
    '\u009b',
    '\u2028',
    '\u202e',
    '"',
    '\\',
    ':',
    'ü',
    '😀',
  ),
});

describe('formatted', () => {
  it('means the same when it is read back, and moves no cursor', () => {
    fc.assert(
      fc.property(fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostile))), (value) => {
        const object = { ...value };
        expect(JSON.parse(formatted(object, 'json'))).toEqual(object);
        expect(parse(formatted(object, 'yaml'), { version: '1.1' })).toEqual(object);
        for (const format of ['json', 'yaml'] as const) {
          expect(formatted(object, format)).not.toMatch(/(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
        }
      }),
    );
  });

  it('leaves out what is undefined, and quotes what YAML 1.1 would take for a boolean', () => {
    expect(formatted({ a: undefined, b: 'on', c: [] }, 'yaml')).toBe('b: "on"\nc: []\n');
    expect(formatted(undefined, 'json')).toBe('null\n');
  });

  it('makes one stream of several documents', () => {
    expect(parseAllDocuments(documents([{ a: 1 }, { b: 2 }])).map((one) => one.toJS())).toEqual([{ a: 1 }, { b: 2 }]);
  });
});

describe('harmless', () => {
  it('keeps a text on its line', () => {
    expect(harmless('a\nb\tc\u001b[2Jd\u202e')).toBe('a\\nb\\tc\\u001b[2Jd\\u202e');
    expect(harmless('naïve – 日本語 😀')).toBe('naïve – 日本語 😀');
  });

  it('escapes exactly what a terminal might obey, of all letters there are', () => {
    const dangerous = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
    for (let code = 0; code < 0x11000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const letter = String.fromCodePoint(code);
      if (harmless(letter) === letter ? dangerous.test(letter) : !dangerous.test(letter))
        expect.fail(`U+${code.toString(16)}`);
    }
  });
});
