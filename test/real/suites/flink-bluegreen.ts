import type { Suite } from '../suite.ts';

/** Real Flink in pods of the real node, going from side to side under traffic that nobody may drop. */
export const flinkBluegreen: Suite = {
  name: 'flink-bluegreen',
  cluster: { level: 'node', flags: ['--image=flink-1.20'] },
  files: ['test/real/flink-bluegreen/'],
};
