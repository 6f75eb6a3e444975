import type { Instant } from '../../clock/clock.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import type { FlinkSessionJob } from '../resources/flink-session-job.ts';
import type { JobCase } from './job-case.ts';
import { warned } from './reasons.ts';
import type { Step } from './step.ts';

const reason = 'SlowStart';

/** From when on a job that does not come up is told as trouble; `undefined` when it runs, or something else tells more. */
export function slowStartAt(c: JobCase): Instant | undefined {
  if (whatIsAwaited(c) === undefined) return undefined;
  const { reconciliationTimestamp = c.now } = c.status.reconciliationStatus ?? {};
  const since = c.resource.status?.conditions?.find(({ type, status }) => type === 'Running' && status === 'False');
  const begun = Math.max(reconciliationTimestamp, since ? Date.parse(since.lastTransitionTime) || c.now : c.now);
  // A clock that was set back begins the wait anew.
  return Math.min(begun, c.now) + read(c.config, operatorOptions.readinessTimeout);
}

/**
 * A job that does not come up in the time that a new spec may take: somebody should look, and is told where. Flink makes
 * TaskManagers itself, so what is wrong with their template shows only in that they are missing. It is still waited for.
 */
export function slowStart(c: JobCase): Pick<Step<unknown>, 'because' | 'effects' | 'stands'> | undefined {
  const [at, awaited] = [slowStartAt(c), whatIsAwaited(c)];
  if (at === undefined || awaited === undefined || c.now < at) return undefined;
  const because = `The job has not come up in time: ${awaited}`;
  const said = c.resource.status?.conditions?.some((one) => one.type === 'Stalled' && one.reason === reason);
  return {
    because,
    effects: said ? [] : [warned(c.resource, reason, because)],
    stands: { is: 'stalled', reason },
  };
}

function whatIsAwaited(c: JobCase): string | undefined {
  const { jobId, state } = c.status.jobStatus ?? {};
  if (c.status.transition || c.status.error !== undefined || c.recorded?.spec.job.state === 'suspended')
    return undefined;
  if (state !== 'RECONCILING' && state !== 'CREATED') return undefined;
  const { status: jobManager } = c.jobManager;
  if (c.is === 'application' && jobManager === 'DEPLOYING') {
    return `no pod of its JobManager is ready. They are made from spec.jobManager and spec.podTemplate, and kubectl describe pods -l ${labels(c, 'jobmanager')} says what they wait for.`;
  }
  if (c.is === 'application' && jobManager === 'DEPLOYED_NOT_READY') {
    return 'a pod of its JobManager is ready, and its REST API does not answer the operator. A NetworkPolicy, rest.port or security.ssl.rest.enabled in spec.flinkConfiguration may be in the way.';
  }
  const waits = c.rest.jobs?.value.some(({ id, waiting }) => id === jobId && waiting);
  if (jobManager !== 'READY' || !waits) return undefined;
  if (c.is === 'session job') {
    const { deploymentName } = (c.resource as FlinkSessionJob).spec;
    return `session cluster ${deploymentName} has too few free slots for it. It asks for as many as spec.job.parallelism says.`;
  }
  return `it has too few TaskManagers. They are made from spec.taskManager and spec.podTemplate, and kubectl describe pods -l ${labels(c, 'taskmanager')} or the log of the JobManager says what keeps them.`;
}

function labels({ resource }: JobCase, component: string): string {
  return `app=${resource.metadata.name},component=${component}`;
}
