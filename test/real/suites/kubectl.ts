import type { Suite } from '../suite.ts';

/** The committed kubectl transcripts, replayed with a real kubectl on both servers. */
export const kubectl: Suite = {
  name: 'kubectl',
  cluster: { level: 'control-plane', flags: ['--kwok-nodes=3'] },
  files: ['test/kubectl/'],
  env: { CUTOVER_CONFORMANCE: 'real' },
};
