import type { Suite } from '../suite.ts';

/** The control loop and the toy operator against a real API server, through restarts, kills and hand-overs. */
export const control: Suite = {
  name: 'control',
  parts: ['kubernetes', 'kwok'],
  files: ['test/real/control.test.ts', 'test/real/control-lease.test.ts', 'test/real/control-actions.test.ts'],
};
