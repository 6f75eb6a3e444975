import { flinkCall } from '../../calls.ts';
import { highAvailability } from '../../config/high-availability.ts';
import { operatorOptions } from '../../config/operator-options.ts';
import { read } from '../../config/option.ts';
import { flinkId } from '../../ids.ts';
import { lastStateOnly } from '../../manifests/deploy-config.ts';
import type { JobState } from '../../resources/job-status.ts';
import { terminal } from '../../rest.ts';
import { instantOf, instantText } from '../instant-text.ts';
import { leftState } from '../left-state.ts';
import { warned } from '../reasons.ts';
import { happened } from '../set-back.ts';
import { pathBefore } from '../situation.ts';
import { type Status, withJob, without, withTransition, withUpgradePath } from '../status.ts';
import type { Step } from '../step.ts';
import { enter, type Moving } from './advance.ts';
import { attempted } from './begin.ts';
import { lost } from './lost.ts';
import { isNotThere, lookAgainMs } from './submission.ts';

/**
 * The job is being cancelled. With `stateless` its state does not matter any more: an application that cannot be told goes
 * with its cluster. With `cancel` its last checkpoint is carried over, so it must be seen ended. Cancelling twice is the
 * same as once, so the request is simply repeated until it shows.
 */
export function cancelling(c: Moving): Step<Status> {
  const { transition } = c.status;
  const { stop } = transition;
  const job = c.rest.jobs?.value.find(({ id }) => id === stop.jobId);
  const answers = c.jobManager.status === 'READY';
  if (stop.jobId === undefined) return over(c);
  if (stop.mode === 'stateless' && terminal(c.status.jobStatus?.state)) return over(c);
  if (answers && terminal(job?.state)) {
    const matters = stop.mode === 'cancel' || c.now < (toldUntil(c) ?? 0);
    return matters && !isFresh(c) ? readingState(c) : over(c);
  }
  if (!answers) return unreachable(c);
  if (!job) return vanished(c);
  return ask(isUnheeded(c, job.state) ? askedAnew(c) : c);
}

/** The checkpoints were told after the job was seen. */
function isFresh({ rest, now }: Moving): boolean {
  const { checkpoints } = rest.job;
  return checkpoints !== undefined && rest.jobs !== undefined && happened(checkpoints.at, now) >= rest.jobs.at;
}

/** Until when whoever leaves state behind waits to be told where it lies. */
function toldUntil(c: Moving): number | undefined {
  const { stop, phaseStartedAt } = c.status.transition;
  if (!isRedeploy(c)) return undefined;
  return (instantOf(stop.askedAt ?? phaseStartedAt) ?? c.now) + read(c.config, operatorOptions.cancelTimeout);
}

function readingState(c: Moving): Step<Status> {
  const because = 'The job is cancelled; its last checkpoint is being looked up.';
  const until = toldUntil(c);
  return { status: c.status, effects: [], because, ...(until !== undefined && { wakeAt: until }) };
}

/** It has ended: what it left behind is the newest checkpoint that Flink knows of, else what it was started from. */
function over(c: Moving): Step<Status> {
  const { stop, restore } = c.status.transition;
  if (stop.mode === 'stateless') return leave(c);
  const last = c.rest.job.checkpoints?.value.last;
  const path = last ? (last.path ?? lastStateOnly) : (restore.path ?? pathBefore(c));
  if (path === lastStateOnly) {
    if (c.cluster.ha.available) return enter(c, 'clearing', { restore: { mode: 'last-state' } });
    return lost(c, 'its last checkpoint is not externally addressable');
  }
  const known = { ...restore, ...(path !== undefined && { path }) };
  const step = enter(c, 'clearing', { restore: known }, withUpgradePath(c.status, path));
  if (path !== undefined) return step;
  const note = 'The job had not completed any checkpoint: there is no state to go on from, it starts over.';
  return { ...step, effects: [warned(c.resource, 'CheckpointNotFound', note), ...step.effects] };
}

function unreachable(c: Moving): Step<Status> {
  const { stop, phaseStartedAt } = c.status.transition;
  const cannotDrop = highAvailability(c.config) === 'zookeeper' && c.status.transition.cause !== 'deletion';
  const patience = stop.askedAt === undefined ? 0 : read(c.config, operatorOptions.cancelTimeout);
  const until = (instantOf(stop.askedAt ?? phaseStartedAt) ?? c.now) + patience;
  if (stop.mode === 'stateless' && c.is === 'application' && !cannotDrop) {
    if (c.now >= until) return leave(c);
    return waiting(c, 'The job is being cancelled; Flink does not answer.', until);
  }
  if (stop.mode === 'cancel' && c.jobManager.status === 'MISSING') {
    if (c.cluster.ha.available) return enter(c, 'clearing', { restore: { mode: 'last-state' } });
    return lost(c, 'its JobManager is gone before it was seen cancelled');
  }
  return waiting(c, 'The job is to be cancelled; Flink does not answer.');
}

/** Flink answers and does not know the job: nothing is left to cancel. */
function vanished(c: Moving): Step<Status> {
  const { stop } = c.status.transition;
  const submission = c.outcomes[stop.jobId ?? ''];
  if (submission && !isNotThere(c, stop.jobId ?? '')) {
    return waiting(c, 'Whether the job was submitted is being looked up.', c.now + lookAgainMs);
  }
  if (stop.mode === 'stateless') return leave(c);
  if (c.cluster.ha.available) return enter(c, 'clearing', { restore: { mode: 'last-state' } });
  return lost(c, 'Flink does not know the job any more');
}

/** So long is waited for Flink to say where the state lies that is about to be left behind. */
const lookUpMs = 10_000;

function ask(c: Moving): Step<Status> {
  const { transition } = c.status;
  const { stop } = transition;
  if (stop.jobId === undefined) return leave(c);
  if (isRedeploy(c) && stop.callId === undefined && !c.rest.job.checkpoints) {
    const until = (instantOf(transition.phaseStartedAt) ?? c.now) + lookUpMs;
    if (c.now < until) return waiting(c, 'Where the state of the job lies is being looked up.', until);
  }
  const left = isRedeploy(c) && stop.callId === undefined ? { dropped: leftState(c) } : {};
  const callId = stop.callId ?? flinkId(c.uid, c.status.attempt ?? 0, 'cancel');
  const askedAt = stop.askedAt ?? instantText(c.now);
  const outcome = c.outcomes[callId];
  const until = (instantOf(askedAt) ?? c.now) + read(c.config, operatorOptions.cancelTimeout);
  const giveUp = stop.mode === 'stateless' && c.is === 'application' && highAvailability(c.config) !== 'zookeeper';
  if (giveUp && (c.now >= until || outcome?.result === 'refused')) return leave(c);
  const asked = withTransition(c.status, { ...transition, ...left, stop: { ...stop, callId, askedAt } });
  const done = outcome?.result === 'done' ? happened(outcome.at, c.now) : undefined;
  const wakeAt = giveUp ? until : done === undefined ? undefined : Math.max(done + heededMs, c.now + lookAgainMs);
  return {
    status: withJob(asked, { state: 'CANCELLING' }),
    effects: done !== undefined ? [] : [flinkCall('cancel', callId, { cluster: c.address, jobId: stop.jobId })],
    because: 'The job is being cancelled.',
    ...(wakeAt !== undefined && { wakeAt }),
  };
}

/** So long after Flink took the request the job is at least on its way. */
const heededMs = 30_000;

/** Flink took the request, and the job goes on as if nothing had been said: the JobManager that took it has died since. */
function isUnheeded({ rest, status, outcomes, now }: Moving, state: JobState): boolean {
  const outcome = outcomes[status.transition.stop.callId ?? ''];
  if (outcome?.result !== 'done' || state === 'CANCELLING' || !rest.jobs) return false;
  return rest.jobs.at >= happened(outcome.at, now) + heededMs;
}

/** The case in which the request has another id: one that was carried out is not carried out again. */
function askedAnew(c: Moving): Moving {
  const { transition } = c.status;
  const stop = without(transition.stop, 'callId');
  return { ...c, status: { ...attempted(c.status), transition: { ...transition, stop } } };
}

/** The job may go; by now it is known as well as it ever will be where its state lies. */
function leave(c: Moving): Step<Status> {
  return enter(c, 'clearing', isRedeploy(c) ? { dropped: leftState(c) } : {});
}

function isRedeploy({ status }: Moving): boolean {
  const { cause } = status.transition;
  return cause === 'stateless-redeploy' || cause === 'savepoint-redeploy';
}

function waiting(c: Moving, because: string, wakeAt?: number): Step<Status> {
  return {
    status: c.status,
    effects: [],
    because,
    ...(wakeAt !== undefined && { wakeAt }),
    stands: { is: 'waiting', reason: 'Suspended' },
  };
}
