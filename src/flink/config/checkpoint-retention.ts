import { atLeast } from './flink-version.ts';

/**
 * What makes Flink keep the checkpoints of a job that is cancelled. It removes them unless it is told otherwise, and a
 * last-state upgrade that cancels the job could not go on from them.
 */
export const keepCheckpoints = [
  'execution.checkpointing.externalized-checkpoint-retention',
  'RETAIN_ON_CANCELLATION',
] as const;

/** Whether a session job is submitted with a configuration of its own. Before, its cluster's is all there is. */
export function takesJobConfiguration(flinkVersion: string | undefined): boolean {
  return atLeast(flinkVersion, 'v1_17');
}
