import type { Instant } from '../../clock/clock.ts';
import type { FlinkConfig } from '../config/flink-config.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import type { FlinkDeploymentStatus } from '../resources/flink-deployment.ts';
import type { Rest } from '../rest.ts';
import type { Cluster, DeploymentSeen } from '../view.ts';
import { happened } from './set-back.ts';

export type JobManagerStatus = NonNullable<FlinkDeploymentStatus['jobManagerDeploymentStatus']>;

/** How the JobManager of a cluster stands. */
export interface JobManagerSeen {
  /**
   * - `READY`: its REST answers
   * - `DEPLOYED_NOT_READY`: a pod is ready, REST has not answered yet or not for a while, or may not be believed yet
   * - `DEPLOYING`: no pod is ready yet
   * - `MISSING`: there is no Deployment of ours, or it is going
   * - `ERROR`: no pod is ready, and Kubernetes says why none will be
   */
  readonly status: JobManagerStatus;
  /** Why it is `ERROR`. */
  readonly failure?: { readonly reason: Capitalize<string>; readonly message: string };
  /** Somebody else's Deployment has the name. */
  readonly stranger?: DeploymentSeen;
  /** When silence will be taken for trouble, or an answer for readiness. */
  readonly lookAgainAt?: Instant;
}

/** A JobManager that answered is believed to be up for this long without an answer: REST has hiccups. */
const patienceMs = 30_000;

/** Reads the state of the JobManager off its Deployment, its pods and its REST. `owner` is the uid of the FlinkDeployment. */
export function jobManagerSeen(
  owner: string,
  cluster: Cluster,
  rest: Rest,
  config: FlinkConfig,
  now: Instant,
): JobManagerSeen {
  const { jobManager } = cluster;
  if (!jobManager) return { status: 'MISSING' };
  if (!jobManager.owners.includes(owner)) return { status: 'MISSING', stranger: jobManager };
  if (jobManager.terminating) return { status: 'MISSING' };
  if (jobManager.available > 0 && jobManager.replicas > 0) {
    const believedAt = happened(availableSince(jobManager), now) + read(config, operatorOptions.restReadyDelay);
    return now < believedAt ? { status: 'DEPLOYED_NOT_READY', lookAgainAt: believedAt } : answering(rest, now);
  }
  const failure = failureOf(cluster, jobManager);
  return failure ? { status: 'ERROR', failure } : { status: 'DEPLOYING' };
}

/** The beginning of time, when it does not say. */
function availableSince({ conditions }: DeploymentSeen): Instant {
  return conditions.find(({ type }) => type === 'Available')?.lastTransitionAt ?? 0;
}

function answering(rest: Rest, now: Instant): JobManagerSeen {
  if (!rest.jobs) return { status: 'DEPLOYED_NOT_READY' };
  if (!rest.trouble) return { status: 'READY' };
  const givenUpAt = happened(rest.trouble.since, now) + patienceMs;
  return now < givenUpAt ? { status: 'READY', lookAgainAt: givenUpAt } : { status: 'DEPLOYED_NOT_READY' };
}

function failureOf(cluster: Cluster, jobManager: DeploymentSeen): JobManagerSeen['failure'] {
  const refused = jobManager.conditions.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
  if (refused) {
    return { reason: asReason(refused.reason), message: `the pods of the JobManager are refused: ${refused.message}` };
  }
  for (const { ref, terminating, failure } of cluster.pods) {
    if (!failure || terminating) continue;
    const where = failure.container ? `container ${failure.container} of pod ${ref.name}` : `pod ${ref.name}`;
    return { reason: asReason(failure.reason), message: `${where}: ${failure.reason}: ${failure.message}` };
  }
  return undefined;
}

/** Kubernetes writes reasons in CamelCase; whatever else comes, an event needs one. */
function asReason(reason: string): Capitalize<string> {
  return /^[A-Z]\w*$/.test(reason) ? (reason as Capitalize<string>) : 'Error';
}
