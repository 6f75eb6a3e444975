import type { FlinkDeploymentStatus } from '../resources/flink-deployment.ts';
import type { FlinkSessionJobStatus } from '../resources/flink-session-job.ts';
import type { LifecycleState } from '../resources/reconciliation-status.ts';
import { errorMessage } from './error-text.ts';

/** What the life of a job or cluster is told from; both kinds have it. */
export type LivingStatus = Pick<
  FlinkDeploymentStatus & FlinkSessionJobStatus,
  'jobStatus' | 'error' | 'reconciliationStatus' | 'jobManagerDeploymentStatus'
>;

/** Words in an error that say: nothing will happen by itself any more. Tools know them. */
export const fatalPhrases = [
  'anual restore required',
  'It is possible that the job has finished or terminally failed, or the configmaps have been deleted.',
  'HA metadata is not available',
] as const;

/** Where a resource is in its life. The first row that fits. */
export function lifecycle(status: LivingStatus, deleting: boolean, suspended: boolean): LifecycleState {
  const { jobStatus, error, reconciliationStatus: recorded, jobManagerDeploymentStatus: jobManager } = status;
  const gone = jobManager === 'MISSING' || jobManager === 'ERROR';
  if (deleting) return 'DELETING';
  if (!recorded?.lastReconciledSpec) return error ? 'FAILED' : 'CREATED';
  if (isFatal(error) && gone) return 'FAILED';
  if (recorded.state === 'UPGRADING') return 'UPGRADING';
  if (recorded.state === 'ROLLING_BACK') return 'ROLLING_BACK';
  if (suspended) return 'SUSPENDED';
  if (jobStatus?.state === 'FAILED') return 'FAILED';
  if (recorded.state === 'ROLLED_BACK') return 'ROLLED_BACK';
  return recorded.lastReconciledSpec === recorded.lastStableSpec ? 'STABLE' : 'DEPLOYED';
}

function isFatal(error: string | undefined): boolean {
  if (error === undefined) return false;
  const message = errorMessage(error);
  return fatalPhrases.some((phrase) => message.includes(phrase));
}
