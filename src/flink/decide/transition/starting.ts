import { dropCondition } from '../../../control/conditions.ts';
import { flinkOptions } from '../../config/flink-options.ts';
import { read } from '../../config/option.ts';
import { flinkId } from '../../ids.ts';
import { lastStateOnly } from '../../manifests/deploy-config.ts';
import type { FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import { errorText } from '../error-text.ts';
import { instantText } from '../instant-text.ts';
import { changeOf, type JobHolder, recordOf } from '../job-case.ts';
import { dropped } from '../left-state.ts';
import { noncesIn, remembered } from '../nonces.ts';
import { taskManagersOf } from '../plan.ts';
import { warned } from '../reasons.ts';
import { pathBefore } from '../situation.ts';
import { ended, type Status, without, withRecord, withUpgradePath } from '../status.ts';
import type { Step } from '../step.ts';
import { enter, type Moving } from './advance.ts';
import { attempted } from './begin.ts';
import { deploying } from './deploying.ts';
import { recordingStop } from './snapshot-of-stop.ts';
import { isNotThere } from './submission.ts';
import { submitting, waitingForSession } from './submitting.ts';

/**
 * The newest spec is taken up and its job is started. Once taken up, it is this spec until its objects are there; an edit
 * before that begins anew under another id, so that what was made of the older spec is never taken for the newer.
 */
export function starting(c: Moving): Step<Status> {
  return recordingStop(c, started(c));
}

function started(c: Moving): Step<Status> {
  const { transition } = c.status;
  if (transition.cause === 'deletion') return { status: c.status, effects: [], because: 'Everything is cleaned up.' };
  if (isOvertaken(c))
    return started({ ...c, status: { ...c.status, transition: { ...transition, cause: 'spec-change' } } });
  if (transition.jobId === undefined) return isSuspended(c) ? suspended(c) : takeUp(c);
  const nothingThere =
    c.is === 'application' ? c.cluster.jobManager?.id !== transition.id : isNotThere(c, transition.jobId);
  if (transition.generation !== c.generation && nothingThere) return again(c);
  return c.is === 'application' ? deploying(c, deployed, again) : submitting(c, deployed);
}

/** A fix is admitted before the way back is taken: it is deployed instead of the stable spec. */
function isOvertaken(c: Moving): boolean {
  const { cause, generation, jobId } = c.status.transition;
  if (cause !== 'rollback' || generation === c.generation || jobId !== undefined || !c.recorded) return false;
  return changeOf(c, c.recorded.spec, c.spec).demands !== 'nothing';
}

function isSuspended({ spec, status }: Moving): boolean {
  return spec.job.state === 'suspended' && status.transition.cause !== 'rollback';
}

/** Nothing of the spec that was taken up runs yet, and there is a newer one: it will be taken up instead. */
function again(c: Moving): Step<Status> {
  const status = attempted(c.status);
  const { jobId: _, ...kept } = c.status.transition;
  const transition = { ...kept, id: `${c.uid}-${status.attempt}` };
  return enter({ ...c, status: { ...status, transition } }, 'clearing');
}

function takeUp(c: Moving): Step<Status> {
  const { transition } = c.status;
  const { restore } = transition;
  if (restore.mode === 'last-state' && !c.cluster.ha.available) return metadataGone(c);
  // What is not taken up yet can still be edited.
  if (c.is === 'session job' && c.jobManager.status !== 'READY') return waitingForSession(c);
  const rollingBack = transition.cause === 'rollback';
  const kept = restore.mode === 'last-state' ? c.status.jobStatus?.jobId : undefined;
  const fixed = read(c.config, flinkOptions.fixedJobId);
  const jobId = fixed ?? kept ?? flinkId(c.uid, c.status.attempt ?? 0, 'job');
  const first = c.recorded === undefined || (c.recorded.firstDeployment && transition.cause === 'first-deployment');
  const record = {
    reconciliationTimestamp: c.now,
    ...(!rollingBack && { lastReconciledSpec: recordOf(c, withState(c.spec, 'suspended', restore.mode), first) }),
  };
  const nonces = first ? { ...c.status.nonces, ...noncesIn(c.spec) } : remembered(c.status.nonces, c.spec);
  const path = pathOf(c);
  const forgets = transition.cause === 'stateless-redeploy' || transition.cause === 'savepoint-redeploy';
  const job = without(c.status.jobStatus ?? {}, 'startTime', 'updateTime');
  let status: Status = { ...c.status, jobStatus: { ...job, jobId }, nonces, observedGeneration: c.generation };
  status = withUpgradePath(status, path);
  const left = forgets ? dropped(c, forgotten(status), transition) : { status, events: [] };
  status = withRecord(left.status, record);
  const from = { mode: restore.mode, ...(path !== undefined && path !== lastStateOnly && { path }) };
  const taken = { ...transition, restore: from, jobId, generation: c.generation };
  const recorded = { spec: rollingBack && c.stable ? c.stable.spec : c.spec, firstDeployment: first };
  const moving: Moving = { ...c, recorded, status: { ...status, transition: taken } };
  const step = c.is === 'application' ? deploying(moving, deployed, again) : submitting(moving, deployed);
  return { ...step, effects: [...left.events, ...step.effects] };
}

/**
 * Where the state lies that the next job starts from. HA metadata may know of no checkpoint yet: then it is what the job
 * before was started from.
 */
function pathOf(c: Moving): string | undefined {
  const { restore } = c.status.transition;
  if (restore.mode !== 'last-state') return restore.path;
  return c.cluster.ha.withCheckpoint ? lastStateOnly : pathBefore(c);
}

/** No path of the state that was left behind may be found again by a later upgrade. */
function forgotten(status: Status): Status {
  const info = status.jobStatus?.savepointInfo;
  if (!info?.lastSavepoint) return status;
  return { ...status, jobStatus: { ...status.jobStatus, savepointInfo: without(info, 'lastSavepoint') } };
}

/** Everything is there: the spec that was taken up is the deployed one. */
function deployed(c: Moving): Status {
  const { transition } = c.status;
  const { cause, restore } = transition;
  const text =
    c.recorded && recordOf(c, withState(c.recorded.spec, 'running', restore.mode), c.recorded.firstDeployment);
  const stable = cause === 'stateless-redeploy' || cause === 'savepoint-redeploy';
  const record =
    cause === 'rollback'
      ? ({ state: 'ROLLED_BACK' } as const)
      : {
          state: 'DEPLOYED' as const,
          ...(text !== undefined && { lastReconciledSpec: text }),
          ...(stable && text !== undefined && { lastStableSpec: text }),
        };
  const tells = stable || cause === 'first-deployment';
  const over = ended(settledConditions(without(c.status, 'error'), tells), 'deployed', instantText(c.now));
  const status = withRecord({ ...over, jobStatus: { ...over.jobStatus, state: 'RECONCILING' } }, record);
  if (c.is === 'session job') return status;
  const replicas = taskManagersOf(c, c.recorded?.spec as FlinkDeploymentSpec);
  const labelSelector = `component=taskmanager,app=${c.resource.metadata.name}`;
  return { ...status, jobManagerDeploymentStatus: 'DEPLOYING', taskManager: { labelSelector, replicas } };
}

/** That state was left behind is told until something else is deployed. */
function settledConditions(status: Status, tells: boolean): Status {
  if (tells || !status.conditions) return status;
  return { ...status, conditions: [...dropCondition(status.conditions, 'StateDropped')] };
}

/** The newest spec wants no job: what was stopped stays stopped, and what it left behind is remembered. */
function suspended(c: Moving): Step<Status> {
  const { restore, cause } = c.status.transition;
  const text = recordOf(c, withState(c.spec, 'suspended', restore.mode), false);
  const forgets = cause === 'stateless-redeploy' || cause === 'savepoint-redeploy';
  const over = ended(without(c.status, 'error'), 'suspended', instantText(c.now));
  const kept = withUpgradePath(over, pathOf(c));
  const record = {
    state: 'DEPLOYED',
    lastReconciledSpec: text,
    lastStableSpec: text,
    reconciliationTimestamp: c.now,
  } as const;
  const left = forgets ? dropped(c, forgotten(kept), c.status.transition) : { status: kept, events: [] };
  const status = withRecord(left.status, record);
  return {
    status: { ...status, nonces: remembered(status.nonces, c.spec), observedGeneration: c.generation },
    effects: left.events,
    because: 'The job is suspended.',
  };
}

/** A spec as it is recorded: with the state that is true, and the mode by which the job was or will be restored. */
export function withState<S extends JobHolder>(spec: S, state: 'running' | 'suspended', upgradeMode: string): S {
  return { ...spec, job: { ...spec.job, state, upgradeMode } };
}

function metadataGone(c: Moving): Step<Status> {
  const message =
    'HA metadata is not available to restore from last state. It is possible that the job has finished or terminally failed, or the configmaps have been deleted. Manual restore required: set savepointRedeployNonce and initialSavepointPath, or statelessRedeployNonce to start without state.';
  const error = errorText(c.config, 'upgrade', message);
  return {
    status: { ...c.status, error },
    effects: c.resource.status?.error === error ? [] : [warned(c.resource, 'RestoreFailed', message)],
    because: message,
    stands: { is: 'stalled', reason: 'RestoreFailed' },
  };
}
