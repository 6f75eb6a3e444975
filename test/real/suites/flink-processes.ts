import type { Suite } from '../suite.ts';

/** Real Flink as plain processes behind a real API server: what is left of the suite `flink` where no node can run. */
export const flinkProcesses: Suite = {
  name: 'flink-processes',
  cluster: { level: 'control-plane' },
  parts: ['flink-2.3', 'flink-base'],
  files: ['test/real/flink-processes/'],
};
