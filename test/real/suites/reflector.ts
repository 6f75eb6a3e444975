import type { Suite } from '../suite.ts';

/** The reflector against a real API server that is killed and restarted under it. */
export const reflector: Suite = {
  name: 'reflector',
  parts: ['kubernetes', 'kwok'],
  files: ['test/real/reflector.test.ts'],
};
