import { type Rest, terminal } from '../rest.ts';
import type { Status } from './status.ts';

/**
 * Flink is being asked, and has neither answered nor failed to: this process has just begun to look, or the JobManager has
 * restarted. What was known last holds until then; whoever acted now would take silence for an answer. A failure to answer
 * is trouble, and comes in time.
 */
export function isUnheard(rest: Rest, status: Status): boolean {
  if (!rest.asked || rest.jobs || rest.trouble) return false;
  const phase = status.transition?.phase;
  if (phase === 'clearing' || phase === 'starting') return false;
  const { jobStatus, jobManagerDeploymentStatus } = status;
  if (jobStatus?.state === undefined) return jobManagerDeploymentStatus === 'READY';
  return jobStatus.state !== 'RECONCILING' && !terminal(jobStatus.state);
}
