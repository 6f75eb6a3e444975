import type { Suite } from '../suite.ts';

/** A hundred transitions in the embedded world, while the operator, a process of its own, is killed again and again. */
export const bluegreenKill: Suite = {
  name: 'bluegreen-kill',
  files: ['test/real/bluegreen-kill.test.ts'],
};
