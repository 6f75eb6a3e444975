import { flinkDeployment } from '../../resources/flink-deployment.ts';
import { terminal } from '../../rest.ts';
import type { SnapshotView } from '../../view.ts';

/** Whether the job that a snapshot is to be taken of can be asked. */
export type Target =
  | { readonly is: 'running'; readonly jobId: string }
  /** It may run in a moment: it is starting, restarting, or not heard of yet. */
  | { readonly is: 'unsettled'; readonly because: string }
  /** It does not run, and nothing says that it soon will. */
  | { readonly is: 'not running'; readonly because: string };

/** What is known of the job that the snapshot names. */
export function targetOf({ resource, job, session, rest }: SnapshotView): Target {
  const { kind = flinkDeployment.type.kind, name = '' } = resource.spec.jobReference ?? {};
  const which = `${kind} ${name}`;
  if (!job) return { is: 'unsettled', because: `there is no ${which} in this namespace` };
  if (job.metadata.deletionTimestamp) return { is: 'not running', because: `${which} is being deleted` };
  if (!job.spec.job) return { is: 'not running', because: `${which} is a session cluster: it has no job of its own` };
  const { state, jobId } = job.status?.jobStatus ?? {};
  if (terminal(state)) return { is: 'not running', because: `the job of ${which} is ${state}` };
  if (job.spec.job.state === 'suspended') return { is: 'not running', because: `${which} is suspended` };
  if (state !== 'RUNNING' || jobId === undefined) {
    return { is: 'unsettled', because: `the job of ${which} is ${state ?? 'not started'}` };
  }
  if (!session || !rest.asked) return { is: 'unsettled', because: `the JobManager of ${which} is not ready` };
  if (rest.jobs?.value.some(({ id, starting }) => id === jobId && starting)) {
    return { is: 'unsettled', because: `the tasks of the job of ${which} are still starting` };
  }
  return { is: 'running', jobId };
}
