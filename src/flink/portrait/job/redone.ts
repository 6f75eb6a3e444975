import type { Plan, PlannedRestart, PlannedStep } from '../../../portrait/plan.ts';
import { effectiveConfig } from '../../config/effective-config.ts';
import { operatorOptions } from '../../config/operator-options.ts';
import { read } from '../../config/option.ts';
import { instantOf } from '../../decide/instant-text.ts';
import type { Transition } from '../../resources/transition.ts';
import { clusterParts } from '../cluster-parts.ts';
import { capital, tookBefore } from '../wording.ts';
import { type EditCase, isSuspended, needsOf, type Outcome } from './edit-case.ts';
import type { JobLook } from './job-look.ts';
import { lastState, restoreText, thing } from './moments.ts';

/** The cluster or the job is stopped and started again where it is. */
export function redone(c: EditCase, before: JobLook, transition: Transition): Outcome {
  const { after, found } = c;
  const [from, to] = [isSuspended(before), isSuspended(after)];
  const state = stateOf(c, before, transition);
  const stops = stopSteps(after, transition, state.outcome);
  const steps = [...superseded(before), ...stops, ...(to ? [] : [startStep(c, transition)])];
  const interrupted = before.serves;
  return {
    risk:
      from && !to && state.outcome !== 'dropped'
        ? 'quiet'
        : interrupted || state.outcome === 'dropped'
          ? 'disruption'
          : 'restart',
    line: lineOf(c, before, transition),
    steps,
    restarts: restartsOf(c),
    state,
    availability: {
      serves: interrupted ? 'interrupted' : 'unknown',
      sentence: !interrupted
        ? `${capital(thing(before))} does not serve at present.${to ? '' : ' It serves again when it runs.'}`
        : to
          ? 'It does not serve from when it is stopped until it is resumed.'
          : 'It does not serve from when it is stopped until it runs again.',
    },
    undo: undoOf(c, before, state.outcome),
    ...estimateOf(before),
    warnings: found.warnings,
  };
}

function superseded({ transition }: JobLook): readonly PlannedStep[] {
  return transition
    ? [{ symbol: '·', what: `Drop the change under way (${transition.phase})`, detail: transition.because }]
    : [];
}

function stopSteps(after: JobLook, { stop }: Transition, outcome: Plan['state']['outcome']): readonly PlannedStep[] {
  const cluster: readonly PlannedStep[] =
    after.is === 'session job' ? [] : [{ symbol: '-', what: 'Remove the old cluster' }];
  switch (stop.mode) {
    case 'savepoint':
      return [{ symbol: '·', what: 'Stop the job with a savepoint' }, ...cluster];
    case 'cancel':
      return [{ symbol: '·', what: 'Cancel the job and keep its last checkpoint' }, ...cluster];
    case 'last-state':
      return [{ symbol: '-', what: 'Remove the old cluster and keep its recovery metadata' }];
    case 'stateless':
      return outcome === 'dropped'
        ? [{ symbol: '!', what: 'Cancel the job and leave its state behind' }, ...cluster]
        : [{ symbol: '·', what: 'Cancel the job' }, ...cluster];
    case 'none':
      return after.is === 'session' ? [{ symbol: '-', what: 'Remove the old cluster' }] : [];
  }
}

function startStep({ after, operator }: EditCase, transition: Transition): PlannedStep {
  const needs = needsOf(after, operator);
  if (after.is === 'session')
    return { symbol: '+', what: 'Create the session cluster anew', ...(needs && { detail: needs }) };
  const what = after.is === 'session job' ? 'Submit the job' : 'Create the cluster';
  return { symbol: '+', what: `${what}, which starts ${restoreText(transition)}`, ...(needs && { detail: needs }) };
}

function lineOf({ after }: EditCase, before: JobLook, transition: Transition): string {
  const { stop } = transition;
  if (isSuspended(after))
    return `stops the job${stop.mode === 'savepoint' ? ' with a savepoint' : ''}; nothing serves until it is resumed`;
  if (isSuspended(before)) return `resumes the job, ${restoreText(transition)}`;
  if (after.is === 'session') return 'makes the session cluster anew; it does not serve meanwhile';
  const how = {
    savepoint: 'stops the job with a savepoint and starts it again from there',
    cancel: 'cancels the job and starts it again from its last checkpoint',
    'last-state': 'takes the cluster down and starts it again from the last checkpoint',
    stateless: `cancels the job and starts it again ${restoreText(transition)}`,
    none: `starts the job again, ${restoreText(transition)}`,
  }[stop.mode];
  return before.serves ? `${how}; it does not serve meanwhile` : how;
}

export function stateOf({ after }: EditCase, before: JobLook, transition: Transition): Plan['state'] {
  const { restore, stop, cause } = transition;
  if (after.is === 'session') {
    return {
      outcome: 'unknown',
      sentence: 'Jobs come back from recovery metadata where high availability is on, else as their own resources say.',
    };
  }
  if (isSuspended(after)) {
    return stop.mode === 'stateless'
      ? { outcome: 'dropped', sentence: 'No savepoint is taken: upgradeMode is stateless.' }
      : { outcome: 'kept', sentence: 'The state is kept for when it is resumed.' };
  }
  if (restore.mode !== 'stateless') {
    const old = cause === 'savepoint-redeploy' ? ' What was done since that savepoint is left behind.' : '';
    return { outcome: 'kept', sentence: `The job goes on ${restoreText(transition)}.${old}` };
  }
  const declared = (before.resource.spec.job?.upgradeMode ?? 'stateless') === 'stateless';
  if (cause !== 'stateless-redeploy' && declared) {
    return { outcome: 'none', sentence: 'upgradeMode is stateless: whatever state there is, is not carried over.' };
  }
  const left = lastState(before);
  return {
    outcome: 'dropped',
    sentence: `The job starts empty.${left ? ` Its last known state stays at ${left}.` : ''}`,
  };
}

export function restartsOf({ after, around, change }: EditCase): readonly PlannedRestart[] {
  if (after.is === 'session job') return [];
  const { kind, name } = after.subject;
  const pods = clusterParts(name, around).pods.map(({ metadata }) => metadata.name ?? '');
  return pods.length === 0 ? [] : [{ kind, name, pods, because: becauseOf(change) }];
}

/** What demands it, shortly. */
function becauseOf(change: EditCase['change']): string {
  const paths = (change?.changes ?? []).filter(({ demands }) => demands !== 'nothing').map(({ path }) => path);
  const named = paths.slice(0, 3).join(', ');
  return `${paths.length > 3 ? `${named} and ${paths.length - 3} more` : named || 'The specification'} changed.`;
}

export function undoOf(
  { after, operator }: EditCase,
  before: JobLook,
  outcome: Plan['state']['outcome'],
): Plan['undo'] {
  if (outcome === 'dropped') {
    const left = lastState(before);
    return {
      possible: left !== undefined,
      sentence: left
        ? `Only by a redeploy: savepointRedeployNonce with initialSavepointPath ${left}.`
        : 'The state that is dropped does not come back by itself: take a savepoint before.',
    };
  }
  const { metadata, spec } = after.resource;
  const place = { namespace: metadata.namespace ?? 'default' };
  const rollback =
    after.is === 'application' &&
    read(effectiveConfig(operator, place, spec.flinkConfiguration), operatorOptions.rollbackEnabled);
  const itself = rollback ? ' If it does not become stable in time, that is done by itself.' : '';
  return { possible: true, sentence: `Put the specification back: it is restarted once more.${itself}` };
}

/** How long it took until it was deployed. */
function estimateOf({ status }: JobLook): Pick<Plan, 'estimate'> {
  const times = (status.history ?? []).flatMap(({ outcome, cause, startedAt, endedAt }) => {
    const [from, to] = [instantOf(startedAt), instantOf(endedAt)];
    const counts = outcome === 'deployed' && cause !== 'first-deployment' && from !== undefined && to !== undefined;
    return counts && to >= from ? [to - from] : [];
  });
  if (times.length === 0) return {};
  const ms = Math.round(times.reduce((sum, one) => sum + one, 0) / times.length);
  return {
    estimate: {
      ms,
      basis: `${tookBefore(times.length, 'change', ms)}, until deployed`,
    },
  };
}
