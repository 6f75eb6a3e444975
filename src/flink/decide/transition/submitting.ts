import type { CallAction } from '../../../control/decision.ts';
import type { Outcome } from '../../../control/outcome.ts';
import { flinkCall, type SubmitRun } from '../../calls.ts';
import { keepCheckpoints, takesJobConfiguration } from '../../config/checkpoint-retention.ts';
import { effectiveConfig, isOperatorKey } from '../../config/effective-config.ts';
import { operatorOptions } from '../../config/operator-options.ts';
import { read } from '../../config/option.ts';
import { errorText } from '../error-text.ts';
import { clusterOf } from '../job-case.ts';
import { type FlinkReason, told, warned } from '../reasons.ts';
import { happened } from '../set-back.ts';
import { backoffMs } from '../snapshots/backoff.ts';
import type { Status } from '../status.ts';
import type { Step } from '../step.ts';
import type { Moving } from './advance.ts';
import { isNotThere, lookAgainMs } from './submission.ts';

/**
 * The job is submitted to its session under the id that status holds: Flink refuses a second job of the same id, so a
 * repeated submission is the same one. It is over when Flink lists the job.
 */
export function submitting(c: Moving, finish: (c: Moving) => Status): Step<Status> {
  const { jobId = '' } = c.status.transition;
  if (c.rest.jobs?.value.some(({ id }) => id === jobId)) {
    return { status: finish(c), effects: [], because: 'The job is submitted.' };
  }
  if (c.jobManager.status !== 'READY') return waitingForSession(c);
  const { jarURI: jarUri } = (c.recorded ?? c).spec.job;
  const submit = flinkCall('submit', jobId, {
    cluster: c.address,
    jobId,
    ...(jarUri !== undefined && { jarUri }),
    run: runOf(c),
    artifacts: {
      allowedSchemes: [...read(c.config, operatorOptions.artifactSchemes)],
      disallowRestrictedHosts: read(c.config, operatorOptions.artifactRestrictedHosts),
      headers: Object.fromEntries(read(c.config, operatorOptions.artifactHeaders)),
    },
  });
  const outcome = c.outcomes[jobId];
  if (outcome?.result === 'refused') return refused(c, submit, outcome);
  if (outcome?.result === 'unavailable' && outcome.at - outcome.since >= patienceMs) return delayed(c, submit, outcome);
  const because = 'The job is being submitted.';
  // A session that restarted meanwhile has lost it.
  if (outcome?.result === 'done' && !isNotThere(c, jobId)) {
    return { status: c.status, effects: [], because, wakeAt: c.now + lookAgainMs };
  }
  return { status: c.status, effects: submitted(c, submit), because };
}

export function waitingForSession(c: Moving): Step<Status> {
  const name = clusterOf(c)?.metadata.name ?? '';
  return {
    status: c.status,
    effects: [],
    because: `The job waits for the session cluster ${name} to become ready.`,
    stands: { is: 'waiting', reason: 'Missing' },
  };
}

/** It is said when it has worked. */
function submitted({ resource }: Moving, submit: CallAction): Step<Status>['effects'] {
  return [submit, told(resource, 'Submit', 'Starting deployment')];
}

/** What goes wrong for a shorter time than this is nobody's concern. */
const patienceMs = 5_000;

type Failed = Extract<Outcome, { readonly message: string }>;

/** Somebody must act; the same is tried again from time to time all the same. */
function refused(c: Moving, submit: CallAction, outcome: Failed): Step<Status> {
  const message = `The job could not be submitted: ${outcome.message}. Change the spec; the same is tried again from time to time.`;
  const tries = Math.round((outcome.at - outcome.since) / 60_000) + 1;
  const retryAt = happened(outcome.at, c.now) + backoffMs(tries);
  const step = troubled(c, 'DeploymentRefused', message);
  return {
    ...step,
    effects: [...(c.now >= retryAt ? [submit] : []), ...step.effects],
    wakeAt: c.now >= retryAt ? c.now + backoffMs(tries) : retryAt,
    stands: { is: 'stalled', reason: 'DeploymentRefused' },
  };
}

/** It may go by itself: the server of the jar or the JobManager does not answer. Whoever carries this out backs off. */
function delayed(c: Moving, submit: CallAction, outcome: Failed): Step<Status> {
  const message = `The job is not submitted yet: ${outcome.message}. It is tried again from time to time.`;
  const step = troubled(c, 'DeploymentDelayed', message);
  return {
    ...step,
    effects: [...step.effects, ...submitted(c, submit)],
    stands: { is: 'waiting', reason: 'DeploymentDelayed' },
  };
}

/** What went wrong is in the status, and was said once. */
function troubled(c: Moving, reason: FlinkReason, message: string): Step<Status> {
  const error = errorText(c.config, 'reconciliation', message);
  const said = c.resource.status?.error === error;
  return {
    status: { ...c.status, error },
    effects: said ? [] : [warned(c.resource, reason, message)],
    because: message,
  };
}

function runOf(c: Moving): SubmitRun {
  const spec = c.recorded?.spec ?? c.spec;
  const { job } = spec;
  const session = clusterOf(c)?.spec;
  const version = session?.flinkVersion;
  const { restore } = c.status.transition;
  const place = { namespace: c.resource.metadata.namespace ?? 'default', flinkVersion: version };
  const config = effectiveConfig(c.view.operator, place, session?.flinkConfiguration, spec.flinkConfiguration);
  const forFlink = [keepCheckpoints, ...[...config].filter(([key]) => !isOperatorKey(key))];
  return {
    ...(job.entryClass !== undefined && { entryClass: job.entryClass }),
    programArgsList: [...(job.args ?? [])],
    ...(job.parallelism !== undefined && job.parallelism > 0 && { parallelism: job.parallelism }),
    ...(job.allowNonRestoredState !== undefined && { allowNonRestoredState: job.allowNonRestoredState }),
    ...(restore.path !== undefined && { savepointPath: restore.path }),
    ...(takesJobConfiguration(version) && { flinkConfiguration: Object.fromEntries(forFlink) }),
  };
}
