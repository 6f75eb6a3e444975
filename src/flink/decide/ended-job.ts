import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import { lastStateOnly } from '../manifests/deploy-config.ts';
import { terminal } from '../rest.ts';
import type { Restore } from './availability.ts';
import { instantOf } from './instant-text.ts';
import type { JobCase } from './job-case.ts';
import { told } from './reasons.ts';
import { happened } from './set-back.ts';
import { backoffMs } from './snapshots/backoff.ts';
import type { Status } from './status.ts';
import type { Step } from './step.ts';
import { begin } from './transition/begin.ts';

/**
 * A job that ended although it should run.
 *
 * | it ended as | what happens |
 * | --- | --- |
 * | FAILED | started again if `job.restart.failed` says so, later each time |
 * | CANCELED, by somebody else | started again: the spec wants it to run |
 * | FINISHED | nothing: it is done |
 */
export function endedJob(c: JobCase): Step<Status> | undefined {
  const { state } = c.status.jobStatus ?? {};
  if (!terminal(state) || c.recorded?.spec.job.state === 'suspended' || c.spec.job.state === 'suspended')
    return undefined;
  if (state === 'CANCELED') {
    return restart(c, 'recovery', 'The job was cancelled by somebody else, although it should run.');
  }
  if (state !== 'FAILED' || !read(c.config, operatorOptions.restartFailedJobs)) return undefined;
  const before = (c.status.history ?? []).findIndex(({ cause }) => cause !== 'failed-job');
  const restarts = before < 0 ? (c.status.history?.length ?? 0) : before;
  const last = happened(instantOf(c.status.history?.[0]?.endedAt) ?? 0, c.now);
  const due = restarts === 0 ? c.now : last + backoffMs(restarts);
  if (c.now >= due) return restart(c, 'failed-job', 'The job failed, and failed jobs are started again.');
  return {
    status: { ...c.status, observedGeneration: c.generation },
    effects: [],
    because: 'The job failed again; it is started anew after a while.',
    wakeAt: due,
    stands: { is: 'waiting', reason: 'RestartFailedJob' },
  };
}

function restart(c: JobCase, cause: 'recovery' | 'failed-job', because: string): Step<Status> {
  return begin(c, {
    cause,
    because,
    stop: 'none',
    restore: lastState(c),
    events: [told(c.resource, 'RestartFailedJob', because)],
  });
}

/** What a job that ended left behind is known: status holds it since the end was seen. */
function lastState({ spec, status, cluster }: JobCase): Restore {
  if ((spec.job.upgradeMode ?? 'stateless') === 'stateless') return { mode: 'stateless' };
  const path = status.jobStatus?.upgradeSavepointPath;
  if (path === lastStateOnly || (path === undefined && cluster.ha.available)) return { mode: 'last-state' };
  return path === undefined ? { mode: 'savepoint' } : { mode: 'savepoint', path };
}
