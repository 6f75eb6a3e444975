import { flinkCall } from '../../calls.ts';
import { showDuration } from '../../config/duration.ts';
import { flinkOptions } from '../../config/flink-options.ts';
import { operatorOptions } from '../../config/operator-options.ts';
import { read } from '../../config/option.ts';
import { flinkId } from '../../ids.ts';
import type { Transition } from '../../resources/transition.ts';
import { type Operation, terminal } from '../../rest.ts';
import { availability } from '../availability.ts';
import { errorText } from '../error-text.ts';
import { instantOf, instantText } from '../instant-text.ts';
import { warned } from '../reasons.ts';
import { happened } from '../set-back.ts';
import { situation } from '../situation.ts';
import { backoffMs } from '../snapshots/backoff.ts';
import { type Status, without, withTransition, withUpgradePath } from '../status.ts';
import type { Step } from '../step.ts';
import { enter, type Moving } from './advance.ts';
import { attempted } from './begin.ts';
import { lost } from './lost.ts';
import { reconsider } from './reconsider.ts';
import { withSavepointOfStop } from './snapshot-of-stop.ts';
import { lookAgainMs } from './submission.ts';

/** Flink ends a savepoint that takes too long; what takes longer than that by this much will not come. */
const marginMs = 60_000;

/**
 * The job is being stopped with a savepoint.
 *
 * The request carries a trigger id that status holds, so it is asked for once per attempt. What became of it is read
 * from Flink; should Flink have forgotten, from its list of checkpoints. The job keeps running while it cannot be stopped.
 */
export function stopping(c: Moving): Step<Status> {
  const { stop } = c.status.transition;
  const retryAt = instantOf(stop.retryAt);
  if (stop.callId === undefined) {
    // An earlier request may have been heard after all.
    const ended = stop.askedAt === undefined ? undefined : afterItsEnd(c);
    if (ended) return ended;
    if (retryAt !== undefined && c.now < retryAt) return retrying(c, retryAt);
    if (c.status.jobStatus?.state !== 'RUNNING' || c.jobManager.status !== 'READY') return reconsider(c);
    return isStarting(c) ? tasksStarting(c) : ask(c);
  }
  const askedAt = instantOf(stop.askedAt) ?? c.now;
  const operation = c.rest.operations[stop.callId];
  // That Flink does not know of it says something only if it was told after the request.
  const early = operation?.value.is === 'unknown' && happened(operation.at, c.now) < askedAt;
  if (operation && !early) return answered(c, operation.value, stop.callId, askedAt);
  const outcome = c.outcomes[stop.callId];
  if (outcome?.result === 'refused') return failed(c, outcome.message);
  if (c.jobManager.status === 'MISSING') return gone(c);
  const step = inProgress(c, askedAt, outcome?.result === 'unavailable');
  // Flink says the same once more, and that is no news: nobody would tell that it was said after the request by now.
  const soon = c.now + lookAgainMs;
  return early ? { ...step, wakeAt: Math.min(soon, step.wakeAt ?? soon) } : step;
}

function answered(c: Moving, operation: Operation, callId: string, askedAt: number): Step<Status> {
  switch (operation.is) {
    case 'in progress':
      return inProgress(c, askedAt, false);
    case 'failed': {
      const path = savepointIn(operation.message);
      // The savepoint is good, but the job restarted instead of ending: it is cancelled, and goes on from the savepoint.
      return path === undefined ? failed(c, operation.message) : done(c, path, { mode: 'stateless', callId });
    }
    case 'done':
      return operation.location === undefined ? forgotten(c, askedAt) : done(c, operation.location);
    case 'unknown':
      return c.outcomes[callId]?.result === 'unavailable' ? inProgress(c, askedAt, true) : forgotten(c, askedAt);
  }
}

/** Mostly over in a moment. Tasks that find no slots may start never: such a job does not run, whatever it says. */
function tasksStarting(c: Moving): Step<Status> {
  const until = (instantOf(c.status.transition.phaseStartedAt) ?? c.now) + marginMs;
  if (c.now >= until) return reconsider(c, availability({ ...situation(c), job: 'RESTARTING' }));
  return { status: c.status, effects: [], because: 'The tasks of the job are still starting.', wakeAt: until };
}

function isStarting(c: Moving): boolean {
  const { jobId } = c.status.transition.stop;
  return c.rest.jobs?.value.some(({ id, starting }) => id === jobId && starting) ?? false;
}

/** The savepoint is there and its place is known: from now on it is what the next job starts from. */
function done(c: Moving, path: string, rest?: { readonly mode: 'stateless'; readonly callId: string }): Step<Status> {
  const { stop } = c.status.transition;
  const { jobId } = stop;
  const restore = { mode: 'savepoint', path } as const;
  const status = withSavepointOfStop(c, withUpgradePath(without(c.status, 'error'), path), path);
  if (!rest) return enter(c, 'clearing', { restore }, status);
  return enter(c, 'suspending', { restore, stop: { mode: rest.mode, ...(jobId && { jobId }) } }, attempted(status));
}

/** Flink does not know the request: it restarted, or the request never arrived. */
function forgotten(c: Moving, askedAt: number): Step<Status> {
  const { stop } = c.status.transition;
  const job = c.rest.jobs?.value.find(({ id }) => id === stop.jobId);
  if (c.jobManager.status !== 'READY') return inProgress(c, askedAt, false);
  if (!job) return unlisted(c, askedAt);
  if (job.state === 'RUNNING') return ask(c);
  return afterItsEnd(c) ?? inProgress(c, askedAt, false);
}

/** The job has ended, whatever became of the request: its list of checkpoints says what it left. Nothing while it is not known. */
function afterItsEnd(c: Moving): Step<Status> | undefined {
  const { jobs, job: told } = c.rest;
  const state = jobs?.value.find(({ id }) => id === c.status.transition.stop.jobId)?.state;
  if (!jobs || !terminal(state) || !told.checkpoints || happened(told.checkpoints.at, c.now) < jobs.at)
    return undefined;
  const { last, lastSavepoint } = told.checkpoints.value;
  // Stopping takes the savepoint last of all. Clocks differ too much to go by the time.
  if (lastSavepoint?.path !== undefined && lastSavepoint.id === last?.id) return done(c, lastSavepoint.path);
  // A job that failed or was cancelled has its newest checkpoint; one that finished was stopped by us.
  if (state !== 'FINISHED' && last?.path !== undefined) return done(c, last.path);
  return lost(c, `it was stopped with a savepoint whose place Flink does not know any more; ${whereToLook(c)}`);
}

/** A JobManager that has just restarted lists its job only once it has recovered it; metadata proves that there is one. */
function unlisted(c: Moving, askedAt: number): Step<Status> {
  const waiting = inProgress(c, askedAt, false);
  if (c.cluster.ha.available) return waiting;
  const until = askedAt + marginMs;
  if (c.now < until) return { ...waiting, wakeAt: until };
  return lost(c, `it was stopped with a savepoint whose place was lost with the JobManager; ${whereToLook(c)}`);
}

/** There is no JobManager any more. Metadata that is still there proves that the job did not end. */
function gone(c: Moving): Step<Status> {
  if (c.cluster.ha.available) {
    const note =
      'The JobManager vanished while the job was being stopped with a savepoint; its HA metadata is still there, so the job had not ended: it goes on from its last checkpoint.';
    const step = enter(c, 'clearing', { restore: { mode: 'last-state' } });
    return { ...step, effects: [warned(c.resource, 'SavepointError', note), ...step.effects] };
  }
  return lost(c, `its JobManager vanished while it was being stopped with a savepoint; ${whereToLook(c)}`);
}

function whereToLook(c: Moving): string {
  const directory = read(c.config, flinkOptions.savepointsDirectory) ?? 'the savepoint directory';
  const six = c.status.transition.stop.jobId?.slice(0, 6) ?? '';
  return `look for ${directory.replace(/\/+$/, '')}/savepoint-${six}-*`;
}

function inProgress(c: Moving, askedAt: number, again: boolean): Step<Status> {
  const timeout = read(c.config, flinkOptions.checkpointTimeout) + marginMs;
  const until = askedAt + timeout;
  if (c.now >= until && (c.jobManager.status === 'READY' || c.status.transition.cause === 'deletion')) {
    return failed(c, `it did not end within ${showDuration(timeout)}`);
  }
  const { stop } = c.status.transition;
  return {
    status: c.status,
    effects: again && stop.callId !== undefined ? [request(c, stop.callId)] : [],
    because: 'The job is being stopped with a savepoint.',
    ...(c.now < until && { wakeAt: until }),
  };
}

/** Asks Flink, under an id that was never used before. */
function ask(c: Moving): Step<Status> {
  const { transition } = c.status;
  const first = transition.stop.askedAt === undefined;
  const status = first ? c.status : attempted(c.status);
  const callId = flinkId(c.uid, status.attempt ?? 0, 'stop');
  const { retryAt: _, ...kept } = transition.stop;
  const stop = { ...kept, callId, askedAt: instantText(c.now) };
  const moving: Moving = { ...c, status: { ...status, transition: { ...transition, stop } } };
  return {
    status: moving.status,
    effects: [request(moving, callId)],
    because: 'The job is being stopped with a savepoint.',
    wakeAt: c.now + read(c.config, flinkOptions.checkpointTimeout) + marginMs,
  };
}

function request(c: Moving, callId: string) {
  const directory = read(c.config, flinkOptions.savepointsDirectory);
  return flinkCall('stop', callId, {
    cluster: c.address,
    jobId: c.status.transition.stop.jobId ?? '',
    ...(directory !== undefined && { directory }),
    drain: c.status.transition.cause === 'deletion' && read(c.config, operatorOptions.drainOnDeletion),
    format: read(c.config, operatorOptions.savepointFormat),
  });
}

/** It did not work. The job goes on as it was, and it is tried again, later each time. */
function failed(c: Moving, why: string): Step<Status> {
  const ended = afterItsEnd(c);
  if (ended) return ended;
  const { transition } = c.status;
  const { callId: _, ...kept } = transition.stop;
  const failures = (kept.failures ?? 0) + 1;
  const retryAt = c.now + backoffMs(failures);
  const stop: Transition['stop'] = { ...kept, failures, retryAt: instantText(retryAt), error: why };
  const moving: Moving = { ...c, status: { ...c.status, transition: { ...transition, stop } } };
  const step = retrying(moving, retryAt);
  return { ...step, effects: [warned(c.resource, 'SavepointError', messageOf(moving))] };
}

function retrying(c: Moving, retryAt: number): Step<Status> {
  const message = messageOf(c);
  return {
    status: { ...withTransition(c.status, c.status.transition), error: errorText(c.config, 'upgrade', message) },
    effects: [],
    because: message,
    wakeAt: retryAt,
    stands: { is: 'waiting', reason: 'SavepointError' },
  };
}

function messageOf(c: Moving): string {
  const { error = 'unknown', failures = 0, retryAt = '' } = c.status.transition.stop;
  return `The job could not be stopped with a savepoint (${failures} time${failures === 1 ? '' : 's'}): ${error}. It is tried again at ${retryAt}.`;
}

/** Flink says so when the savepoint was completed, but not the stop. */
function savepointIn(message: string): string | undefined {
  return /savepoint has been created at: (\S+?),? but/.exec(message)?.[1];
}
