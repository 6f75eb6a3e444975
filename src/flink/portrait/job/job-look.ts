import type { AnyObject } from '../../../kube/object.ts';
import type { Subject } from '../../../portrait/subject.ts';
import type { Status } from '../../decide/status.ts';
import { type FlinkDeployment, flinkDeployment } from '../../resources/flink-deployment.ts';
import { type FlinkSessionJob, flinkSessionJob } from '../../resources/flink-session-job.ts';
import type { JobState } from '../../resources/job-status.ts';
import type { LifecycleState } from '../../resources/reconciliation-status.ts';
import type { Transition } from '../../resources/transition.ts';
import { blueGreenOwner } from '../claims.ts';
import { holds } from '../findings.ts';
import { resource } from '../resource.ts';
import { subjectOf } from '../subject.ts';

/**
 * Where a job or a session cluster is, finer than its lifecycle.
 *
 * - `new`: nothing was deployed yet
 * - `settling`: deployed, and not stable yet
 * - `stable`, `finished`, `suspended`: what is wanted is true
 * - `restarting`: Flink restarts the job by itself
 * - `rolled-back`, `failed`: it will not get on by itself
 * - `pending`: an edit waits for something
 * - the phases of a change under way by their own names
 */
export type Moment =
  | 'deleting'
  | 'new'
  | 'settling'
  | 'stable'
  | 'finished'
  | 'suspended'
  | 'restarting'
  | 'rolled-back'
  | 'failed'
  | 'pending'
  | Transition['phase'];

/** A FlinkDeployment or FlinkSessionJob with names for what is told of it. Made from the object alone. */
export interface JobLook {
  readonly is: 'application' | 'session' | 'session job';
  readonly resource: (FlinkDeployment | FlinkSessionJob) & AnyObject;
  readonly subject: Subject;
  readonly status: Status;
  readonly moment: Moment;
  readonly transition: Transition | undefined;
  readonly lifecycle: LifecycleState | undefined;
  readonly job: JobState | undefined;
  /** Somebody is served: the job runs, or the JobManager of a session answers. */
  readonly serves: boolean;
  /** The blue/green deployment that made it. */
  readonly partOf: string | undefined;
}

export function jobLook(object: AnyObject): JobLook {
  const ofSession = object.kind === flinkSessionJob.type.kind;
  const found = ofSession
    ? resource<FlinkSessionJob & AnyObject>(flinkSessionJob, object)
    : resource<FlinkDeployment & AnyObject>(flinkDeployment, object);
  const status: Status = found.status ?? {};
  const is = ofSession ? 'session job' : found.spec.job ? 'application' : 'session';
  const job = is === 'session' ? undefined : status.jobStatus?.state;
  return {
    is,
    resource: found,
    subject: subjectOf(found),
    status,
    moment: momentOf(found, status, is, job),
    transition: status.transition,
    lifecycle: status.lifecycleState,
    job,
    serves: is === 'session' ? status.jobManagerDeploymentStatus === 'READY' : job === 'RUNNING',
    partOf: blueGreenOwner(object),
  };
}

const restless: ReadonlySet<JobState> = new Set(['FAILING', 'RESTARTING']);

function momentOf(
  { metadata }: JobLook['resource'],
  status: Status,
  is: JobLook['is'],
  job: JobState | undefined,
): Moment {
  if (metadata.deletionTimestamp !== undefined) return 'deleting';
  const { transition, lifecycleState } = status;
  if (transition) return transition.phase;
  switch (lifecycleState) {
    case undefined:
    case 'CREATED':
      return 'new';
    case 'SUSPENDED':
      return 'suspended';
    case 'FAILED':
      return 'failed';
    case 'ROLLED_BACK':
      return 'rolled-back';
    case 'DELETING':
    case 'DELETED':
      return 'deleting';
    default:
      break;
  }
  if (holds(status, 'Stalled')) return 'failed';
  if (is !== 'session' && job === 'FINISHED') return 'finished';
  if (job !== undefined && restless.has(job)) return 'restarting';
  if (holds(status, 'Reconciling')?.reason === 'SpecChanged') return 'pending';
  return lifecycleState === 'STABLE' && !holds(status, 'Reconciling') ? 'stable' : 'settling';
}
