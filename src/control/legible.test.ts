import { expect, it } from 'vitest';
import { setCondition } from './conditions.ts';
import { legible } from './legible.ts';

it('escapes what a terminal would obey, and leaves lines, tabs and letters of all languages', () => {
  expect(legible('\u001b[2J\u0000\u2028\u202e\u007f')).toBe('\\u{1b}[2J\\u{0}\\u{2028}\\u{202e}\\u{7f}');
  const usual = 'Zoë\n\t日本 – 𝒳';
  expect(legible(usual)).toBe(usual);
});

it('is how every condition speaks', () => {
  const finding = { type: 'Ready', status: 'False', reason: 'Refused', message: 'no file \u001b[2J' } as const;
  expect(setCondition([], finding, 1, 0)[0]?.message).toBe('no file \\u{1b}[2J');
});
