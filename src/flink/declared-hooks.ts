import type { DeclaredHook } from '../control/webhooks/declared-hook.ts';
import { flinkBlueGreenDeployment } from './resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from './resources/flink-deployment.ts';
import { flinkSessionJob } from './resources/flink-session-job.ts';
import { flinkStateSnapshot } from './resources/flink-state-snapshot.ts';

const operations = ['CREATE', 'UPDATE'] as const;

/** What `flinkHooks` is asked about. The paths are those of the Java operator's webhooks. */
export const flinkDeclaredHooks: readonly DeclaredHook[] = [
  {
    name: 'validate.flink.cutover.dev',
    path: '/validate',
    kind: 'validating',
    types: [flinkDeployment, flinkSessionJob, flinkStateSnapshot, flinkBlueGreenDeployment].map(({ type }) => type),
    operations,
  },
  { name: 'mutate.flink.cutover.dev', path: '/mutate', kind: 'mutating', types: [flinkSessionJob.type], operations },
];
