import type { Suite } from '../suite.ts';

/** The operator as processes that are killed, stopped, starved and cut off, against a real API server. */
export const processes: Suite = {
  name: 'processes',
  parts: ['kubernetes', 'kwok'],
  files: ['test/real/processes/'],
};
