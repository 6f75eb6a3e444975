import { type Decision, idle } from '../../../control/decision.ts';
import { removeFinalizer } from '../../../control/finalizers.ts';
import { operatorOptions } from '../../config/operator-options.ts';
import { read } from '../../config/option.ts';
import { terminal } from '../../rest.ts';
import { conclude } from '../conclude.ts';
import { instantOf } from '../instant-text.ts';
import { finalizers } from '../job-case.ts';
import { told, warned } from '../reasons.ts';
import { happened } from '../set-back.ts';
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
  if (step === 'done') return released(release);
  const limit = (instantOf(transition.phaseStartedAt) ?? c.view.now) + read(c.config, operatorOptions.cleanupTimeout);
  return c.view.now >= limit ? abandoned(c, release, step) : conclude(c.view, { ...step, wakeAt: limit });
}

/** A deletion ends, though a pod may hang on a node that is gone. */
function abandoned(
  { resource, view }: SessionCase,
  release: Decision['actions'][number],
  { because }: Step<Status>,
): Decision {
  const left = [...view.cluster.pods.map(({ ref }) => ref), ...view.cluster.ha.configMaps];
  const names = left.map(({ kind, name }) => `${kind} ${name}`).slice(0, 8);
  const note = `The cluster did not go in time; left behind: ${names.join(', ') || 'nothing that is known'}.`;
  return { actions: [release, warned(resource, 'CleanupFailed', note)], because };
}

/** That the same was told again wakes nobody: whoever waits for a later answer looks again after this long. */
const lookAgainMs = 2000;

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
  const { sessionJobs, rest } = c.view;
  const jobs = sessionJobs.map(({ name }) => name).sort();
  // Jobs that go wait for a session that can cancel them: one that is down must not wait for them.
  const deadlocked = !rest.asked && sessionJobs.every(({ deleting }) => deleting);
  if (jobs.length > 0 && !deadlocked && read(c.config, operatorOptions.blockOnSessionJobs)) {
    return waiting(c, `The session jobs [${jobs.join(', ')}] should be deleted first`);
  }
  return read(c.config, operatorOptions.blockOnUnmanagedJobs) ? blockedByUnmanaged(c) : undefined;
}

function blockedByUnmanaged(c: SessionCase): Step<Status> | undefined {
  const { rest, resource, now } = c.view;
  // No JobManager is up: whatever ran in it does not run now.
  if (!rest.asked) return undefined;
  const since = happened(instantOf(resource.metadata.deletionTimestamp) ?? now, now);
  if (!rest.jobs || rest.jobs.at < since) {
    const because = 'The session cluster is asked which jobs still run in it.';
    return { status: c.status, effects: [], because, wakeAt: now + lookAgainMs };
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
