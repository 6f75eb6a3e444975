import { lastStateOnly } from '../manifests/deploy-config.ts';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import { type JobOverview, terminal } from '../rest.ts';
import { clusterInfo } from './cluster-info.ts';
import { errorText, isError } from './error-text.ts';
import { exceptionEvents } from './exceptions.ts';
import type { JobCase } from './job-case.ts';
import { told, warned } from './reasons.ts';
import { happened } from './set-back.ts';
import { pathBefore } from './situation.ts';
import { type Status, withJob, without, withRecord, withUpgradePath } from './status.ts';
import type { Effect } from './step.ts';

/** What a look at the world makes of the status, and what there is to say about it. */
export interface Sight {
  readonly status: Status;
  readonly events: readonly Effect[];
}

/** The words that the Java operator uses for a job that Flink does not know. */
export const jobNotFound = 'Job Not Found';

/**
 * Folds what the view shows into the status. It decides nothing: whatever follows from what is seen is a rule of its own.
 *
 * While objects are being removed or made, what is seen of the job is of no job that counts: then only the JobManager is
 * looked at.
 */
export function seen(c: JobCase): Sight {
  const phase = c.status.transition?.phase;
  const settled = phase === undefined || phase === 'suspending' || phase === 'rescaling';
  const parts = settled ? [jobManager, info, job, exceptions, stability, errors] : [jobManager];
  return parts.reduce<Sight>((sight, part) => part(c, sight), { status: c.status, events: [] });
}

function jobManager(c: JobCase, { status, events }: Sight): Sight {
  if (c.is === 'session job' || !status.reconciliationStatus?.lastReconciledSpec) return { status, events };
  const before = status.jobManagerDeploymentStatus ?? 'MISSING';
  const { status: now, failure } = c.jobManager;
  // Until all of its objects are there, a new cluster is none.
  const known = status.transition?.phase === 'starting' ? 'MISSING' : now;
  const next: Status = { ...status, jobManagerDeploymentStatus: known };
  if (c.status.transition) return { status: next, events };
  if (now === 'ERROR' && failure) {
    const error = errorText(c.config, 'deployment', failure.message, { reason: failure.reason });
    if (status.error === error) return { status: unsure(next), events };
    return {
      status: unsure({ ...next, error }),
      events: [...events, warned(c.resource, failure.reason, failure.message)],
    };
  }
  if (now === 'MISSING' && !c.jobManager.stranger && !atRestWithoutJobManager(c)) {
    const missing = 'Missing JobManager deployment';
    if (before === 'MISSING' || before === 'ERROR') return { status: unsure(next), events };
    return {
      status: unsure({ ...next, error: errorText(c.config, 'deployment', missing) }),
      events: [...events, warned(c.resource, 'Missing', missing)],
    };
  }
  return { status: next, events };
}

/** Suspended, or ended and put away: then nobody misses it. */
function atRestWithoutJobManager(c: JobCase): boolean {
  return c.recorded?.spec.job.state === 'suspended' || terminal(c.status.jobStatus?.state);
}

/** What is not known to have ended may be anything. */
function unsure(status: Status): Status {
  return terminal(status.jobStatus?.state) ? status : withJob(status, { state: 'RECONCILING' });
}

function info(c: JobCase, { status, events }: Sight): Sight {
  const spec = c.recorded?.spec as FlinkDeploymentSpec | undefined;
  if (c.is === 'session job' || c.jobManager.status !== 'READY' || !spec) return { status, events };
  return { status: { ...status, clusterInfo: clusterInfo(status.clusterInfo, c.rest, spec, c.config) }, events };
}

function job(c: JobCase, sight: Sight): Sight {
  const { status, events } = sight;
  const jobId = status.jobStatus?.jobId;
  if (jobId === undefined || c.recorded?.spec.job.state === 'suspended') return sight;
  const jobs = c.rest.jobs;
  if (c.jobManager.status !== 'READY' || !jobs) return { status: unsure(status), events };
  const found = jobs.value.find(({ id }) => id === jobId);
  return found ? present(c, sight, found, jobs.at) : absent(c, sight);
}

function present(c: JobCase, sight: Sight, found: JobOverview, at: number): Sight {
  const { status, events } = sight;
  const before = status.jobStatus?.state ?? 'RECONCILING';
  const state = shown(found, before);
  const ended = terminal(state);
  // How a job ended and what it left behind become known together: a path that is older than the end is not its last state.
  const { checkpoints } = c.rest.job;
  if (ended && !terminal(before) && (!checkpoints || happened(checkpoints.at, c.now) < at)) return sight;
  let next = withJob(status, { state, jobName: found.name, startTime: String(found.startedAt) });
  if (before === state) return { status: next, events };
  next = withJob(next, { updateTime: String(at) });
  if (ended && !c.status.transition) next = withUpgradePath(next, leftBehind(c));
  const note = `Job status changed from ${before} to ${state}`;
  return { status: next, events: isOwnDoing(c) ? events : [...events, told(c.resource, 'JobStatusChanged', note)] };
}

/**
 * Where the last state of a job that has ended lies: its newest checkpoint, or what it was started from. One that has no
 * address is known to HA metadata at most.
 */
function leftBehind(c: JobCase): string | undefined {
  const last = c.rest.job.checkpoints?.value.last;
  return last ? (last.path ?? lastStateOnly) : pathBefore(c);
}

/**
 * Flink calls a job RUNNING before it has a single TaskManager. Here it runs once all its tasks do, as the Java operator
 * has it: only then it is stable, and a savepoint can be taken. A task that starts again later does not make it new.
 */
function shown({ state, starting }: JobOverview, before: string): JobOverview['state'] {
  return starting && before !== 'RUNNING' ? 'CREATED' : state;
}

/** A stop that was asked for has been told already, as `Suspended`. */
function isOwnDoing(c: JobCase): boolean {
  const { transition } = c.status;
  return transition !== undefined && transition.stop.mode !== 'cancel';
}

/**
 * Flink does not know the job. Right after its submission that is a matter of time; a job that was seen before is lost.
 */
function absent(c: JobCase, { status, events }: Sight): Sight {
  const { state, startTime } = status.jobStatus ?? {};
  if (terminal(state) || status.transition) return { status, events };
  const next = withJob(status, { state: 'RECONCILING' });
  if (startTime === undefined) return { status: next, events };
  if (status.error === jobNotFound) return { status: next, events };
  return { status: { ...next, error: jobNotFound }, events: [...events, warned(c.resource, 'Missing', jobNotFound)] };
}

function exceptions(c: JobCase, sight: Sight): Sight {
  const fresh = exceptionEvents(c, sight.status);
  if (!fresh) return sight;
  return { status: { ...sight.status, lastExceptionAt: fresh.until }, events: [...sight.events, ...fresh.events] };
}

/** A spec whose job was seen running, or that ran to its end, is where a rollback may lead. */
function stability(_: JobCase, { status, events }: Sight): Sight {
  const { lastReconciledSpec, lastStableSpec, state } = status.reconciliationStatus ?? {};
  const good = status.jobStatus?.state === 'RUNNING' || status.jobStatus?.state === 'FINISHED';
  const due = good && state === 'DEPLOYED' && !status.transition && lastReconciledSpec !== undefined;
  if (!due || lastStableSpec === lastReconciledSpec) return { status, events };
  return { status: withRecord(status, { lastStableSpec: lastReconciledSpec }), events };
}

/** Errors go when what they speak of is over; what is still wrong is found again by the rules that follow. */
function errors(c: JobCase, { status, events }: Sight): Sight {
  const { failure } = c.rest.job;
  if (status.jobStatus?.state === 'FAILED' && failure && !status.transition) {
    const error = errorText(c.config, 'job', failure.value.summary, { trace: failure.value.stack });
    if (status.error === error) return { status, events };
    return { status: { ...status, error }, events: [...events, warned(c.resource, 'Error', failure.value.summary)] };
  }
  const { lastReconciledSpec, lastStableSpec } = status.reconciliationStatus ?? {};
  const stable = lastReconciledSpec !== undefined && lastReconciledSpec === lastStableSpec;
  const over = stable && status.jobManagerDeploymentStatus !== 'ERROR' && status.jobStatus?.state === 'RUNNING';
  const refusal = isError(status.error, 'validation') || isError(status.error, 'upgrade');
  return status.error !== undefined && !status.transition && (over || refusal)
    ? { status: without(status, 'error'), events }
    : { status, events };
}
