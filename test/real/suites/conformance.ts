import type { Suite } from '../suite.ts';

/** The same API semantics that `npm test` asks of the embedded server, asked of a real kube-apiserver. */
export const conformance: Suite = {
  name: 'conformance',
  cluster: { level: 'control-plane', flags: ['--kwok-nodes=3'] },
  files: ['test/conformance/'],
  env: { CUTOVER_CONFORMANCE: 'real' },
};
