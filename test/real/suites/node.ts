import type { Suite } from '../suite.ts';

/** The rig's own node: containers, Services, DNS, logs, exec and volumes, before other suites lean on them. */
export const node: Suite = {
  name: 'node',
  cluster: { level: 'node' },
  files: ['test/real/node.test.ts'],
};
