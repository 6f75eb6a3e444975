import { type Decision, idle, type PatchAction } from '../../control/decision.ts';
import { removeFinalizer } from '../../control/finalizers.ts';
import { highAvailability } from '../config/high-availability.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import type { SuspendMode } from '../resources/transition.ts';
import { terminal } from '../rest.ts';
import { conclude } from './conclude.ts';
import { withWayToJobManager } from './dependents.ts';
import { instantOf, instantText } from './instant-text.ts';
import { clusterOf, finalizers, type JobCase } from './job-case.ts';
import { told, warned } from './reasons.ts';
import { jobNotFound, seen } from './seen.ts';
import type { Status } from './status.ts';
import type { Step } from './step.ts';
import { advance } from './transition/advance.ts';
import { begin } from './transition/begin.ts';
import { onlyInStatus, type RecordOfStop, recordOfStop } from './transition/snapshot-of-stop.ts';
import { isBeingSubmitted } from './transition/submission.ts';

/**
 * The resource is being deleted: its job is stopped, its cluster and recovery metadata go, then the resource is let go.
 * It is let go by itself, without a word in its status: nobody would read it any more.
 */
export function deletion(c: JobCase): Decision {
  const release = removeFinalizer(c.resource, finalizers[c.is]);
  if (!release) return idle('Others still hold the resource.');
  const { transition } = c.status;
  if (transition?.cause === 'deletion' && transition.phase === 'starting') {
    return letGo(c, release, recordOfStop({ ...c, status: { ...c.status, transition } }));
  }
  if (isNothingThere(c)) return { actions: [release], because: 'Nothing is left to clean up.' };
  const sight = seen(c);
  const step = cleanUp({ ...c, status: sight.status });
  return conclude(c, { ...step, effects: [...sight.events, ...step.effects] });
}

/**
 * The last savepoint is recorded first. Where it cannot be, only an event tells of it: a record holds no deletion up. So it is with
 * one that the status has, for that goes, too.
 */
function letGo(c: JobCase, release: PatchAction, record: RecordOfStop): Decision {
  if (record.is === 'due') return { actions: [record.create], because: 'The last savepoint is being recorded.' };
  const path = onlyInStatus(c);
  const going = `The savepoint of an earlier stop is ${path}. No FlinkStateSnapshot records it, only the status that goes with the resource.`;
  const notes = [...(path === undefined ? [] : [going]), ...(record.is === 'denied' ? [record.note] : [])];
  const events = notes.map((note) => warned(c.resource, 'SavepointError', note));
  const last = record.is === 'denied' ? record.last : [];
  return { actions: [...events, release, ...last], because: notes.at(-1) ?? 'Nothing is left to clean up.' };
}

function isNothingThere({ status }: JobCase): boolean {
  return status.reconciliationStatus?.lastReconciledSpec === undefined && !status.transition;
}

function cleanUp(c: JobCase): Step<Status> {
  const { transition } = c.status;
  if (transition?.cause === 'deletion') {
    const { failures = 0 } = transition.stop;
    if (transition.phase === 'suspending' && c.is === 'session job' && isSessionGone(c)) return begin(c, gone);
    if (transition.phase !== 'suspending') return advance(c);
    return withWayToJobManager(c, failures >= mostSavepoints ? withoutSavepoint(c) : advance(c));
  }
  const waits = c.is === 'session job' ? waitingForSession(c) : undefined;
  if (waits) return waits;
  const stop = stopMode(c);
  const owed = stop === 'stateless' && owesSavepoint(c);
  const until =
    (instantOf(c.resource.metadata.deletionTimestamp) ?? c.now) + read(c.config, operatorOptions.cleanupTimeout);
  if (owed && c.now < until) return withWayToJobManager(c, waitingForJob(c, until));
  const events = [told(c.resource, 'Cleanup', `Cleaning up ${c.resource.kind}`)];
  const note = `No savepoint was taken: ${jobIs(c)}. The job goes without; its last retained checkpoint stays where it is.`;
  const step = begin(c, {
    cause: 'deletion',
    because: 'The resource is being deleted.',
    stop,
    restore: { mode: 'stateless' },
    events: owed ? [...events, warned(c.resource, 'CleanupFailed', note)] : events,
  });
  return withWayToJobManager(c, step);
}

/** A savepoint is promised, and none can be taken at this moment of a job that has run and may well run again in a moment. */
function owesSavepoint(c: JobCase): boolean {
  const { startTime } = c.status.jobStatus ?? {};
  return read(c.config, operatorOptions.savepointOnDeletion) && startTime !== undefined && !isDown(c);
}

function jobIs({ status, jobManager }: JobCase): string {
  return jobManager.status === 'READY' ? `the job is ${status.jobStatus?.state}` : 'its JobManager does not answer';
}

/** As for every cleanup, there is an end to it: what does not come goes without. */
function waitingForJob(c: JobCase, until: number): Step<Status> {
  const because = `A savepoint is to be taken before the job goes, and ${jobIs(c)}. It is waited for until ${instantText(until)}.`;
  return { status: c.status, effects: [], because, wakeAt: until, stands: { is: 'waiting', reason: 'CleanupFailed' } };
}

const gone = {
  cause: 'deletion',
  because: 'The resource is being deleted, and its session is gone.',
  stop: 'none',
  restore: { mode: 'stateless' },
  events: [],
} as const;

/** After so many failures the job goes without the savepoint that was asked for: a deletion ends. */
const mostSavepoints = 5;

function withoutSavepoint(c: JobCase): Step<Status> {
  const { error = 'unknown' } = c.status.transition?.stop ?? {};
  const note = `No savepoint could be taken in ${mostSavepoints} tries: ${error}. The job is cancelled; its last retained checkpoint stays where it is.`;
  return begin(c, {
    cause: 'deletion',
    because: 'The resource is being deleted, and no savepoint could be taken.',
    stop: 'stateless',
    restore: { mode: 'stateless' },
    events: [warned(c.resource, 'CleanupFailed', note)],
  });
}

function stopMode(c: JobCase): SuspendMode {
  const { jobId, state } = c.status.jobStatus ?? {};
  const suspended = c.recorded?.spec.job.state === 'suspended' && !c.status.transition;
  if (c.is === 'session job' && isSessionGone(c)) return 'none';
  if (isBeingSubmitted(c)) return 'stateless';
  if (jobId === undefined || terminal(state) || suspended) return 'none';
  const savepoint = read(c.config, operatorOptions.savepointOnDeletion);
  return savepoint && state === 'RUNNING' && c.jobManager.status === 'READY' ? 'savepoint' : 'stateless';
}

/** A job that went, or goes, with its session needs no cancellation. */
function isSessionGone(c: JobCase): boolean {
  const session = clusterOf(c);
  if (!session || c.status.error === jobNotFound) return true;
  const goes = session.metadata.deletionTimestamp !== undefined;
  if (goes && !read(c.config, operatorOptions.blockOnSessionJobs)) return true;
  return c.jobManager.status !== 'READY' && highAvailability(c.config) === 'none' && isDown(c);
}

function isDown({ jobManager }: JobCase): boolean {
  return jobManager.status === 'MISSING' || jobManager.status === 'ERROR';
}

/**
 * A session that recovers its jobs would bring this one back: it is cancelled first, so the session must answer. That ends
 * when the session is deleted, too.
 */
function waitingForSession(c: JobCase): Step<Status> | undefined {
  if (stopMode(c) === 'none' || c.jobManager.status === 'READY') return undefined;
  const because = `The job cannot be cancelled: session cluster ${clusterOf(c)?.metadata.name} does not answer. It goes as soon as the session answers or is deleted.`;
  const said = c.resource.status?.conditions?.some(({ reason }) => reason === 'CleanupFailed');
  return {
    status: c.status,
    effects: said ? [] : [warned(c.resource, 'CleanupFailed', because)],
    because,
    stands: { is: 'waiting', reason: 'CleanupFailed' },
  };
}
