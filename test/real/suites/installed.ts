import { operatorImage } from '../installed/operator-image.ts';
import type { Suite } from '../suite.ts';

const prepare: NonNullable<NonNullable<Suite['cluster']>['prepare']> = async (progress) => [
  `--archive=${await operatorImage(progress)}`,
];

/** Cutover as Helm installs it on the real node: a path of each family, fail-over, upgrade, removal. */
export const install: Suite = {
  name: 'install',
  parts: ['helm', 'cf'],
  cluster: { level: 'node', flags: ['--image=flink-2.3'], prepare },
  files: ['test/real/installed/'],
  env: { CUTOVER_INSTALLED: 'already' },
};

/** The suites of the families once more, with the operator that Helm has installed instead of a process. */
export const installed: Suite = {
  name: 'installed',
  parts: ['helm', 'cf'],
  cluster: { level: 'node', flags: ['--image=flink-1.20', '--image=flink-2.3'], prepare },
  files: ['test/real/flink/', 'test/real/flink-bluegreen/', 'test/real/kudo/', 'test/real/cloudfoundry/real.test.ts'],
  env: { CUTOVER_INSTALLED: 'yes' },
  onlyWhenNamed: true,
};
