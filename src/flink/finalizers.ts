import { finalizers } from './decide/job-case.ts';
import { snapshotFinalizer } from './decide/snapshot/metadata.ts';
import { javaManagers } from './java-managers.ts';
import { flinkDeployment } from './resources/flink-deployment.ts';
import { flinkSessionJob } from './resources/flink-session-job.ts';
import { flinkStateSnapshot } from './resources/flink-state-snapshot.ts';

/** Every finalizer of the family, the kind it is put on, and who else puts it there: an uninstall takes ours off. */
export const flinkFinalizers = [
  { type: flinkDeployment.type, finalizer: finalizers.application, others: javaManagers.FlinkDeployment },
  { type: flinkSessionJob.type, finalizer: finalizers['session job'], others: javaManagers.FlinkSessionJob },
  { type: flinkStateSnapshot.type, finalizer: snapshotFinalizer, others: javaManagers.FlinkStateSnapshot },
] as const;
