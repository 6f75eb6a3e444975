import type { Suite } from '../suite.ts';

/** The transcripts that need containers that really run: logs and exec. */
export const kubectlNode: Suite = {
  name: 'kubectl-node',
  cluster: { level: 'node' },
  files: ['test/kubectl/replay.test.ts'],
  env: { CUTOVER_TRANSCRIPTS: 'node' },
};
