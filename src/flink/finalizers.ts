import { finalizers } from './decide/job-case.ts';
import { snapshotFinalizer } from './decide/snapshot/metadata.ts';
import { flinkDeployment } from './resources/flink-deployment.ts';
import { flinkSessionJob } from './resources/flink-session-job.ts';
import { flinkStateSnapshot } from './resources/flink-state-snapshot.ts';

/** Every finalizer of the family, and the kind it is put on: an uninstall takes them off. */
export const flinkFinalizers = [
  { type: flinkDeployment.type, finalizer: finalizers.application },
  { type: flinkSessionJob.type, finalizer: finalizers['session job'] },
  { type: flinkStateSnapshot.type, finalizer: snapshotFinalizer },
] as const;
