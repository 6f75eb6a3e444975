import { type Decision, idle } from '../../../control/decision.ts';
import { removeFinalizer } from '../../../control/finalizers.ts';
import { operatorOptions } from '../../config/operator-options.ts';
import { read } from '../../config/option.ts';
import { terminal } from '../../rest.ts';
import { conclude } from '../conclude.ts';
import { instantOf } from '../instant-text.ts';
import { finalizers } from '../job-case.ts';
import { told, warned } from '../reasons.ts';
import type { Status } from '../status.ts';
import type { Step } from '../step.ts';
import { clearing } from './clearing.ts';
import type { SessionCase } from './session-case.ts';
import { begin } from './transition.ts';

/**
 * The session cluster is being deleted. It stays while others depend on it, and says so: while there are
 * FlinkSessionJobs for it, then while jobs run in it that nobody manages. A cluster that is gone keeps nobody waiting.
 */
export function deletion(c: SessionCase): Decision {
  const { resource, status } = c;
  const release = removeFinalizer(resource, finalizers.application);
  if (!release) return idle('the session cluster is being deleted');
  const { transition } = status;
  if (transition?.cause !== 'deletion') {
    if (isGone(c) && isDone(c)) return released(release);
    return conclude(c.view, blocked(c) ?? begin(c, 'deletion', 'The resource is being deleted.', [cleanup(c)]));
  }
  const step = clearing({ ...c, status: { ...status, transition } });
  return step === 'done' ? released(release) : conclude(c.view, step);
}

function released(release: Decision['actions'][number]): Decision {
  return { actions: [release], because: 'the session cluster is gone' };
}

function cleanup({ resource }: SessionCase) {
  return told(resource, 'Cleanup', 'Cleaning up FlinkDeployment');
}

/** No JobManager of ours, and none that is on its way out. */
function isGone({ view, jobManager }: SessionCase): boolean {
  return jobManager.status === 'MISSING' && view.cluster.pods.length === 0;
}

/** Nothing at all is left to be removed. */
function isDone({ view, uid }: SessionCase): boolean {
  const { jobManager, taskManager, dependents, ha, ingress } = view.cluster;
  const left = [jobManager, taskManager, ingress, ...Object.values(dependents)];
  return ha.configMaps.length === 0 && !left.some((one) => one?.owners.includes(uid));
}

function blocked(c: SessionCase): Step<Status> | undefined {
  if (isGone(c)) return undefined;
  const jobs = c.view.sessionJobs.map(({ name }) => name).sort();
  if (jobs.length > 0 && read(c.config, operatorOptions.blockOnSessionJobs)) {
    return waiting(c, `The session jobs [${jobs.join(', ')}] should be deleted first`);
  }
  return read(c.config, operatorOptions.blockOnUnmanagedJobs) ? blockedByUnmanaged(c) : undefined;
}

function blockedByUnmanaged(c: SessionCase): Step<Status> | undefined {
  const { rest, resource, now } = c.view;
  // No JobManager is up: whatever ran in it does not run now.
  if (!rest.asked) return undefined;
  const since = instantOf(resource.metadata.deletionTimestamp) ?? now;
  if (!rest.jobs || rest.jobs.at < since) {
    return { status: c.status, effects: [], because: 'The session cluster is asked which jobs still run in it.' };
  }
  const managed = new Set(c.view.sessionJobs.map(({ jobId }) => jobId));
  const running = rest.jobs.value.filter(({ id, state }) => !terminal(state) && !managed.has(id));
  const jobs = running.map(({ id }) => id);
  if (jobs.length === 0) return undefined;
  return waiting(
    c,
    `The session cluster has non terminated jobs [${jobs.sort().join(', ')}] that should be cancelled first`,
  );
}

function waiting(c: SessionCase, because: string): Step<Status> {
  const conditions = c.resource.status?.conditions ?? [];
  const said = conditions.some(({ reason, message }) => reason === 'CleanupFailed' && message === because);
  return {
    status: c.status,
    effects: said ? [] : [warned(c.resource, 'CleanupFailed', because)],
    because,
    stands: { is: 'waiting', reason: 'CleanupFailed' },
  };
}
