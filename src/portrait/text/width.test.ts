import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutTo, padTo, widthOf, wrapTo } from './width.ts';

const text = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '日', '😀', 'e\u0301', '✔', '-') });

describe('the width of text', () => {
  it('is that of a terminal', () => {
    expect(['abc', 'é', 'e\u0301', '日本', '😀', '✔ ok', ''].map(widthOf)).toEqual([3, 1, 1, 4, 2, 4, 0]);
    // One column too few, and a line wraps that was cut to fit.
    expect(['✅', '❌', '🟢', '🫠', '⌚', '⚠', '◌', '‖'].map(widthOf)).toEqual([2, 2, 2, 2, 2, 1, 1, 1]);
  });

  it('is kept when text is cut, padded or wrapped', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 30 }), (given, columns) => {
        expect(widthOf(cutTo(given, columns))).toBeLessThanOrEqual(columns);
        expect(widthOf(padTo(given, columns))).toBe(Math.max(columns, widthOf(given)));
        const lines = wrapTo(given, columns);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
        expect(lines.join('').replaceAll(' ', '')).toBe(given.replaceAll(' ', ''));
      }),
    );
  });

  it('breaks between words', () => {
    expect(wrapTo('blue serves until green is ready', 12)).toEqual(['blue serves', 'until green', 'is ready']);
    expect(cutTo('blue serves', 6)).toBe('blue …');
  });
});
