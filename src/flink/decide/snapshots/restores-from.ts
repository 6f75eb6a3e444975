import type { FlinkDeployment } from '../../resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../../resources/flink-session-job.ts';

/** Whether the next start of a job takes its state from `path`: then nobody removes it. */
export function restoresFrom({ spec, status }: FlinkDeployment | FlinkSessionJob, path: string): boolean {
  const { jobStatus, transition } = status ?? {};
  if (transition?.restore.path === path) return true;
  const next = jobStatus?.upgradeSavepointPath === path || jobStatus?.savepointInfo?.lastSavepoint?.location === path;
  return next && jobStatus?.state !== 'RUNNING' && spec.job?.upgradeMode !== 'stateless';
}
