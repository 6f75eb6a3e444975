import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FunctionFailure } from '../../function.ts';
import { binaryOf, byteLength, bytesOf, cut, fromBinary, isEscape, textOf } from './go-bytes.ts';

describe('bytes in texts', () => {
  it('come out as they went in, whether they are UTF-8 or not', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = textOf(bytes);
        expect([...bytesOf(text)]).toEqual([...bytes]);
        expect(byteLength(text)).toBe(bytes.length);
        expect(fromBinary(binaryOf(text))).toBe(text);
      }),
    );
  });

  it('are the characters they encode wherever they encode one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const whole = text.toWellFormed();
        expect(textOf(Buffer.from(whole))).toBe(whole);
        expect(textOf(Buffer.concat([Buffer.from([0xff]), Buffer.from(whole)])).slice(1)).toBe(whole);
      }),
    );
  });

  it.each([
    ['a byte that begins nothing', [0x80]],
    ['an overlong form of two bytes', [0xc1, 0xbf]],
    ['an overlong form of three bytes', [0xe0, 0x9f, 0xbf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['an overlong form of four bytes', [0xf0, 0x8f, 0xbf, 0xbf]],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['far beyond Unicode', [0xf5, 0x80, 0x80, 0x80]],
    ['a character cut off', [0xe6, 0x97]],
    ['a character broken off', [0xe6, 0x97, 0x41]],
    ['a character broken off at once', [0xe6, 0x41, 0x41]],
    ['a character broken off by one of its kind', [0xc3, 0xc0]],
    ['a character broken off by the next one', [0xf0, 0x9f, 0x98, 0xc3]],
  ])('that are %s each stand for themselves', (_name, bytes) => {
    const expected = bytes.map((byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)).join('');
    expect(textOf(Uint8Array.from(bytes))).toBe(expected);
  });

  it('at the borders of what is allowed are characters, also next to one that is not', () => {
    for (const character of [
      '\u0080',
      '\u07ff',
      '\u0800',
      '\ud7ff',
      '\ue000',
      '\uffff',
      '\u{10000}',
      '\u{10ffff}',
      '\ufeff',
    ]) {
      expect(textOf(Buffer.concat([Buffer.from([0xff]), Buffer.from(character)]))).toBe(`\udcff${character}`);
      expect(textOf(Buffer.from(character))).toBe(character);
    }
  });
});

describe('what stands for bytes', () => {
  it.each([
    ['\udcff\u007f', [0xff, 0x7f]],
    ['\udcff\u0080', [0xff, 0xc2, 0x80]],
    ['\udcff\uffffa', [0xff, 0xef, 0xbf, 0xbf, 0x61]],
    ['\udc80\u{10000}a\udcff', [0x80, 0xf0, 0x90, 0x80, 0x80, 0x61, 0xff]],
  ])('is a byte next to any character', (text, bytes) => {
    expect([...bytesOf(text)]).toEqual(bytes);
    expect(textOf(Uint8Array.from(bytes))).toBe(text);
    expect(byteLength(text)).toBe(bytes.length);
  });

  it('is nothing else', () => {
    expect([0xdc7f, 0xdc80, 0xdcff, 0xdd00].map(isEscape)).toEqual([false, true, true, false]);
  });
});

describe('cut', () => {
  it('takes what Go takes', () => {
    expect(cut('hello', 1, 3)).toBe('el');
    expect(cut('hello', undefined, 5)).toBe('hello');
    expect(cut('hello', 5, undefined)).toBe('');
  });

  it.each([
    [undefined, -1, '[:-1]'],
    [undefined, 6, '[:6] with length 5'],
    [-1, undefined, '[-1:]'],
    [6, undefined, '[6:5]'],
    [3, 2, '[3:2]'],
  ])('from %s to %s fails as it does in Go', (start, end, range) => {
    expect(() => cut('hello', start, end)).toThrow(
      new FunctionFailure(`runtime error: slice bounds out of range ${range}`),
    );
  });
});
