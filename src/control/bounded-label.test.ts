import { expect, it } from 'vitest';
import { boundedLabel } from './bounded-label.ts';

it('keeps words until there is no room, and then those that it knows', () => {
  const label = boundedLabel(2);
  expect(['A', 'B', 'C', 'A', 'a b', 'x'.repeat(65), ''].map(label)).toEqual([
    'A',
    'B',
    'Other',
    'A',
    'Other',
    'Other',
    'Other',
  ]);
});
