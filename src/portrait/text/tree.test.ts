import { expect, it } from 'vitest';
import { tree } from './tree.ts';

it('has one line for each branch, whatever its text is', () => {
  const below = { text: 'used by\npods \u001b[2J' };
  expect(tree('.', [{ text: 'a', branches: [below] }])).toBe('.\n└── a\n    └── used by\\npods \\u001b[2J\n\n');
});
