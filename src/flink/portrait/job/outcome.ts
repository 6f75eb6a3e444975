import type { Plan, PlannedRestart, PlannedStep } from '../../../portrait/plan.ts';
import type { Around } from '../../../portrait/workload.ts';
import { effectiveConfig } from '../../config/effective-config.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { operatorOptions } from '../../config/operator-options.ts';
import { read } from '../../config/option.ts';
import { instantOf } from '../../decide/instant-text.ts';
import type { FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import type { SpecChange } from '../../resources/spec-change.ts';
import type { Transition } from '../../resources/transition.ts';
import { clusterNeeds, needsText } from '../cluster-needs.ts';
import { clusterParts } from '../cluster-parts.ts';
import { counted, sentence, spanText } from '../wording.ts';
import type { Decided } from './decided.ts';
import type { JobLook } from './job-look.ts';
import { lastState, restoreText, thing } from './moments.ts';

/** An edit and what is decided about it. */
export interface Case {
  /** Absent: it is to be created. */
  readonly before: JobLook | undefined;
  readonly after: JobLook;
  readonly change: SpecChange | undefined;
  readonly found: Decided;
  readonly around: Around;
  readonly operator: OperatorConfig;
}

/** What a plan says beside whom it is about, what changed and what is wrong with it. */
type Outcome = Omit<Plan, 'subject' | 'changes' | 'problems'>;

/** What comes of a decision, in words. */
export function outcomeOf(c: Case): Outcome {
  const { before, change, found } = c;
  if (!before) return created(c);
  if (found.begun && found.transition) {
    return found.transition.phase === 'rescaling' ? rescaled(c) : redone(c, before, found.transition);
  }
  if (before.transition && change && demandsMore(change)) return takenAlong(c, before, before.transition);
  if (found.scales) return rescaled(c);
  if (isSuspended(before) && isSuspended(c.after)) return asleep(c);
  return change && demandsMore(change) ? waiting(c, before) : quiet(c);
}

function demandsMore({ demands }: SpecChange): boolean {
  return demands !== 'nothing' && demands !== 'patch';
}

function isSuspended({ resource }: JobLook): boolean {
  return resource.spec.job?.state === 'suspended';
}

function created({ after, found, operator }: Case): Outcome {
  const needs = needsOf(after, operator);
  const suspended = isSuspended(after);
  const from = found.transition ? restoreText(found.transition) : 'without state';
  const steps: readonly PlannedStep[] = suspended
    ? [{ symbol: '·', what: 'Nothing is started: the job is to be suspended' }]
    : after.is === 'session job'
      ? [{ symbol: '+', what: `Submit the job to its session cluster, ${from}` }]
      : [
          { symbol: '+', what: `Create the cluster ${after.subject.name}`, ...(needs && { detail: needs }) },
          ...(after.is === 'application' ? [{ symbol: '·', what: `Start the job, ${from}` } as const] : []),
        ];
  return {
    risk: 'quiet',
    line: suspended ? 'is created suspended' : `is created; ${thing(after)} starts ${from}`,
    steps,
    restarts: [],
    state: { outcome: 'none', sentence: suspended ? 'There is no state yet.' : sentence(`it starts ${from}`) },
    availability: { serves: 'unknown', sentence: 'It serves as soon as it runs; nothing else is touched.' },
    ...(needs && !suspended && { extra: needs }),
    undo: { possible: true, sentence: 'Delete it; nothing was there before.' },
    warnings: found.warnings,
  };
}

/** The cluster or the job is stopped and started again where it is. */
function redone(c: Case, before: JobLook, transition: Transition): Outcome {
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
    restarts: restartsOf(c, transition),
    state,
    availability: {
      serves: interrupted ? 'interrupted' : 'unknown',
      sentence: !interrupted
        ? `${sentence(`${thing(before)} does not serve at present`)}${to ? '' : ' It serves again when it runs.'}`
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

function startStep({ after, operator }: Case, transition: Transition): PlannedStep {
  const needs = needsOf(after, operator);
  if (after.is === 'session')
    return { symbol: '+', what: 'Create the session cluster anew', ...(needs && { detail: needs }) };
  const what = after.is === 'session job' ? 'Submit the job' : 'Create the cluster';
  return { symbol: '+', what: `${what}, which starts ${restoreText(transition)}`, ...(needs && { detail: needs }) };
}

function lineOf({ after, found }: Case, before: JobLook, transition: Transition): string {
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
  return found.transition && before.serves ? `${how}; it does not serve meanwhile` : how;
}

function stateOf({ after }: Case, before: JobLook, transition: Transition): Plan['state'] {
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
    return { outcome: 'kept', sentence: `${sentence(`the job goes on ${restoreText(transition)}`)}${old}` };
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

function restartsOf({ after, around }: Case, transition: Transition): readonly PlannedRestart[] {
  if (after.is === 'session job') return [];
  const { kind, name } = after.subject;
  const pods = clusterParts(name, around).pods.map(({ metadata }) => metadata.name ?? '');
  return pods.length === 0 ? [] : [{ kind, name, pods, because: sentence(transition.because) }];
}

function undoOf({ after, operator }: Case, before: JobLook, outcome: Plan['state']['outcome']): Plan['undo'] {
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
      basis: `the last ${counted(times.length, 'change')} took ${spanText(ms)} on average until deployed`,
    },
  };
}

function rescaled({ before, found }: Case): Outcome {
  return {
    risk: 'quiet',
    line: 'is scaled while it runs; nothing is restarted',
    steps: [{ symbol: '~', what: 'Scale it while it runs', detail: found.decision.because }],
    restarts: [],
    state: { outcome: 'kept', sentence: 'The state stays where it is.' },
    availability: { serves: before?.serves ? 'throughout' : 'unknown', sentence: 'It serves meanwhile.' },
    undo: { possible: true, sentence: 'Scale it back in the same way.' },
    warnings: found.warnings,
  };
}

/** A change is under way, and starts with the newest specification. */
function takenAlong(c: Case, before: JobLook, transition: Transition): Outcome {
  const early = transition.phase === 'suspending' || transition.phase === 'clearing';
  const what = early
    ? `The change under way (${transition.phase}) takes it along: the newest specification is started`
    : `Taken up when the change under way (${transition.phase}) has come far enough; the job is restarted for it then`;
  const state = stateOf(c, before, transition);
  return {
    risk: state.outcome === 'dropped' || before.serves ? 'disruption' : 'restart',
    line: early ? 'is taken along by the change under way' : 'waits for the change under way, then restarts once more',
    steps: [{ symbol: early ? '~' : '↻', what }],
    restarts: restartsOf(c, transition),
    state,
    availability: { serves: before.serves ? 'interrupted' : 'unknown', sentence: 'A restart is under way already.' },
    undo: undoOf(c, before, state.outcome),
    warnings: c.found.warnings,
    ...(early ? {} : { waitsFor: 'the change under way' }),
  };
}

function asleep({ found }: Case): Outcome {
  return {
    risk: 'quiet',
    line: 'is taken up when the job is resumed',
    steps: [
      {
        symbol: '·',
        what: 'Nothing for now: the job is suspended',
        detail: 'The change takes effect when it is resumed.',
      },
    ],
    restarts: [],
    state: { outcome: 'kept', sentence: 'The state that it was suspended with is kept.' },
    availability: { serves: 'unknown', sentence: 'It does not serve: it is suspended.' },
    undo: { possible: true, sentence: 'Put the specification back.' },
    warnings: found.warnings,
  };
}

function waiting(c: Case, before: JobLook): Outcome {
  const why = sentence(c.found.decision.because);
  return {
    risk: 'disruption',
    line: 'waits, and then restarts it',
    steps: [{ symbol: '·', what: 'Nothing for now', detail: why }],
    restarts: [],
    state: { outcome: 'kept', sentence: 'Nothing is dropped while it waits.' },
    availability: {
      serves: before.serves ? 'throughout' : 'unknown',
      sentence: 'What is deployed goes on as it is until then.',
    },
    undo: { possible: true, sentence: 'Put the specification back: nothing was begun.' },
    waitsFor: why,
    warnings: c.found.warnings,
  };
}

function quiet({ before, found }: Case): Outcome {
  return {
    risk: 'quiet',
    line: 'takes effect without a restart',
    steps: [{ symbol: '~', what: 'Take it over; nothing is restarted' }],
    restarts: [],
    state: { outcome: 'kept', sentence: 'The state stays where it is.' },
    availability: {
      serves: before?.serves ? 'throughout' : 'unknown',
      sentence: before?.serves ? 'It serves on.' : 'It does not serve at present, and that does not change.',
    },
    undo: { possible: true, sentence: 'Put the specification back.' },
    warnings: found.warnings,
  };
}

function needsOf({ is, resource }: JobLook, operator: OperatorConfig): string | undefined {
  if (is === 'session job') return undefined;
  const { namespace = 'default' } = resource.metadata;
  return needsText(clusterNeeds(resource.spec as FlinkDeploymentSpec, namespace, operator));
}
