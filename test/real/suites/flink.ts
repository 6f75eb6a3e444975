import type { Suite } from '../suite.ts';

/** Real Flink in pods of the real node, redeployed in every way by the operator, judged by what its jobs count. */
export const flink: Suite = {
  name: 'flink',
  cluster: { level: 'node', flags: ['--image=flink-1.20', '--image=flink-2.3'] },
  files: ['test/real/flink/'],
};
