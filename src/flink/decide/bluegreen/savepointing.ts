import { operatorOptions } from '../../config/operator-options.ts';
import type { FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import type { FlinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import { instantOf, instantText } from '../instant-text.ts';
import { warned } from '../reasons.ts';
import { refusalOf } from '../refusal.ts';
import { backoffMs } from '../snapshots/backoff.ts';
import { annotations } from './annotations.ts';
import { askSavepoint, savepointBecause, savepointCreation } from './ask-savepoint.ts';
import { isSuspended, type Moving, needsState } from './blue-green-case.ts';
import { type BlueGreenStep, wait } from './blue-green-step.ts';
import { givenUpByHand, isAsked } from './edit-during.ts';
import { patchedSpec, specPatch } from './in-place.ts';
import { cleared } from './leaving.ts';
import { lacking, over } from './record.ts';
import type { Row } from './row.ts';
import { isGone, isReady, shortly, trouble } from './side.ts';
import { lastKnown, leftBehind, sourceOf } from './source.ts';
import { made, word } from './target.ts';

/** Seed 001, SAVEPOINTING_BLUE and SAVEPOINTING_GREEN: the state of x is being taken; there is no target yet. */
export const savepointingRows: readonly Row<Moving>[] = [
  {
    id: 'savepointing-rollback',
    in: 'savepointing',
    on: `the annotation ${annotations.rollback} names the transition`,
    does: 'ACTIVE_x; the template is not tried again until it changes',
    when: (c) => isAsked(c, annotations.rollback),
    step: givenUpByHand,
  },
  {
    id: 'savepointing-suspend',
    in: 'savepointing',
    on: 'SUSPEND',
    does: 'x suspended: there is no target yet. The savepoint stays recorded',
    when: (c) => isSuspended(c.desired),
    step: (c) => left(c, 'superseded', 'The job is to be suspended.'),
  },
  {
    id: 'savepointing-revert',
    in: 'savepointing',
    on: 'revert to x’s template',
    does: 'ACTIVE_x; the savepoint stays recorded, and is never used for another transition',
    when: (c) => c.change.redeploy === undefined && !c.change.transition,
    step: (c) => left(c, 'cancelled', `The template is that of ${word(c.x.color)} again.`),
  },
  {
    id: 'savepointing-redeploy',
    in: 'savepointing',
    on: 'SAVEPOINT_REDEPLOY or STATELESS_REDEPLOY',
    does: 'leaves at once: TRANSITIONING_TO_y from the user’s path, or empty',
    when: (c) => c.change.redeploy !== undefined,
    step: (c) => left(c, 'superseded', `${c.change.redeploy}RedeployNonce changed.`),
  },
  {
    id: 'savepointing-stateless',
    in: 'savepointing',
    on: 'a further edit that makes the template stateless',
    does: 'TRANSITIONING_TO_y at once, empty',
    when: (c) => !needsState(c.desired),
    step: (c) => started(c, { mode: 'stateless' }, 'The template needs no state any more.'),
  },
  {
    id: 'savepointing-serving-gone',
    in: 'savepointing',
    on: 'x deleted by hand, or another x in its place',
    does: 'ACTIVE_x; the edit stays pending there',
    when: (c) => isGone(c.x) || isOther(c),
    step: (c) => left(c, 'cancelled', `${trouble(c.x)}.`),
  },
  {
    id: 'savepointing-suspension',
    in: 'savepointing',
    on: 'by policy: x is unhealthy',
    does: 'x is suspended; its last checkpoint becomes the source',
    // Whoever recovered before it was suspended can give a savepoint.
    when: (c) => c.status.serving?.suspended === true && !isReady(c.x),
    step: suspension,
  },
  {
    id: 'savepoint-complete',
    in: 'savepointing',
    on: 'the savepoint is complete; further edits were made meanwhile',
    does: 'TRANSITIONING_TO_y, made from the newest spec and this savepoint',
    when: (c) => pathOf(c) !== undefined && isSameJob(c),
    step: (c) => restored(c, pathOf(c) ?? ''),
  },
  {
    id: 'savepoint-of-another-job',
    in: 'savepointing',
    on: 'x’s job became another one while the savepoint was taken',
    does: 'another savepoint is taken, of the job that runs now',
    when: (c) => c.status.transition.savepoint !== undefined && !isSameJob(c) && c.x.is === 'ready',
    step: (c) => askSavepoint(c, c.status),
  },
  {
    id: 'savepoint-failed',
    in: 'savepointing',
    on: 'trigger or fetch fails, or it hangs: checkpoint timeout + 1 minute',
    does: 'FAILING, retried with capped back-off; the edit stays pending',
    when: (c) => failureOf(c) !== undefined,
    step: failed,
  },
  {
    id: 'savepoint-retry',
    in: 'savepointing',
    on: 'the savepoint is to be tried again',
    does: 'another attempt when the back-off is over and x is ready; a checkpoint that an ended job left is used directly',
    when: (c) => c.status.transition.savepoint === undefined,
    step: retried,
  },
  {
    id: 'savepoint-under-way',
    in: 'savepointing',
    on: 'the savepoint is being taken',
    does: 'waits; further edits change nothing yet',
    when: () => true,
    step: (c) => {
      const { transition, attempt = 0 } = c.status;
      const effects = snapshotOf(c) ? [] : [savepointCreation(c, attempt)];
      return wait(c, savepointBecause(c), { effects, wakeAt: instantOf(transition.savepoint?.deadline) });
    },
  },
];

function left(c: Moving, outcome: 'superseded' | 'cancelled', because: string): BlueGreenStep {
  return { status: over(c, outcome, because), because, again: true };
}

function started(
  c: Moving,
  restore: NonNullable<Moving['status']['transition']['restore']>,
  why: string,
): BlueGreenStep {
  const status = { ...c.status, transition: { ...c.status.transition, restore } };
  return cleared(c, () => made(c, status, `${why} ${word(c.y.color)} is made.`));
}

function restored(c: Moving, path: string): BlueGreenStep {
  const { snapshot } = c.status.transition.savepoint ?? {};
  const lastSavepoint = { path, at: instantText(c.now), ...(snapshot !== undefined && { snapshot }) };
  const { savepoint } = c.status.transition;
  const transition = { ...c.status.transition, ...(savepoint && { savepoint: { ...savepoint, path } }) };
  const status = { ...c.status, lastSavepoint, transition };
  return started({ ...c, status }, { mode: 'savepoint', path }, `The savepoint is complete: ${path}.`);
}

/** The object that stands for the savepoint. */
function snapshotOf(c: Moving): FlinkStateSnapshot | undefined {
  const { savepoint } = c.status.transition;
  return savepoint && c.view.snapshots.find(({ metadata }) => metadata.name === savepoint.snapshot);
}

function pathOf(c: Moving): string | undefined {
  const { state, path } = snapshotOf(c)?.status ?? {};
  return state === 'COMPLETED' && path ? path : undefined;
}

function isOther(c: Moving): boolean {
  const { savepoint } = c.status.transition;
  return savepoint !== undefined && c.x.seen?.ref.uid !== savepoint.uid;
}

function isSameJob(c: Moving): boolean {
  const { savepoint } = c.status.transition;
  const jobId = c.x.seen?.status.jobStatus?.jobId;
  return savepoint?.jobId === undefined || jobId === undefined || savepoint.jobId === jobId;
}

function failureOf(c: Moving): string | undefined {
  const { savepoint } = c.status.transition;
  const { state, error } = snapshotOf(c)?.status ?? {};
  if (!savepoint) return undefined;
  if (state === 'FAILED')
    return `Could not take a savepoint of ${c.x.name}: ${shortly(error ?? 'no reason was given')}.`;
  if (state === 'ABANDONED')
    return `The savepoint of ${c.x.name} was abandoned: ${error === undefined ? trouble(c.x) : shortly(error)}.`;
  if (pathOf(c) !== undefined)
    return `The savepoint of ${c.x.name} is that of another job than the one that is there now.`;
  if (state === 'COMPLETED') return `The savepoint of ${c.x.name} is complete, but nobody knows where it lies.`;
  const refused = refusalOf(c.view.outcomes, [savepointCreation(c, c.status.attempt ?? 0).object]);
  if (refused) return `Could not ask for a savepoint of ${c.x.name}: ${refused.outcome.message}.`;
  const deadline = instantOf(savepoint.deadline);
  if (deadline === undefined || c.now < deadline) return undefined;
  return `The savepoint of ${c.x.name} was not complete by ${savepoint.deadline}.`;
}

function failed(c: Moving): BlueGreenStep {
  const error = failureOf(c) ?? '';
  const failures = (c.status.transition.savepointFailures ?? 0) + 1;
  const retryAt = c.now + backoffMs(failures);
  const { transition } = lacking(c.status, 'savepoint');
  const status = {
    ...c.status,
    transition: {
      ...transition,
      savepointFailures: failures,
      savepointError: error,
      savepointRetryAt: instantText(retryAt),
    },
  };
  return { status, effects: [warned(c.resource, 'SavepointError', error)], because: error, error, wakeAt: retryAt };
}

function retried(c: Moving): BlueGreenStep {
  const { savepointRetryAt, savepointError } = c.status.transition;
  const retryAt = instantOf(savepointRetryAt) ?? c.now;
  const source = sourceOf(c);
  if (source.from === 'known') return started(c, source.restore, 'The state that the job left is known.');
  if (source.from === 'suspension') return toSuspend(c);
  const error = source.from === 'nowhere' ? source.because : (savepointError ?? '');
  if (c.now < retryAt || source.from === 'nowhere') {
    const wakeAt = source.from === 'nowhere' ? {} : { wakeAt: retryAt };
    return wait(c, error, { error, stands: { is: 'waiting', reason: 'SavepointError' }, ...wakeAt });
  }
  return askSavepoint(c, c.status);
}

function toSuspend(c: Moving): BlueGreenStep {
  const { serving } = c.status;
  if (!serving) return wait(c, trouble(c.x));
  const because = `${word(c.x.color)} is not well, and is suspended for the sake of its last checkpoint.`;
  return { status: { ...c.status, serving: { ...serving, suspended: true } }, because, again: true };
}

/** Suspends x as a person would, and waits for what its operator says it left behind. */
function suspension(c: Moving): BlueGreenStep {
  const { seen, name } = c.x;
  if (!seen) return wait(c, trouble(c.x));
  const { spec, status } = seen;
  const patch = specPatch(seen, suspended(spec));
  const because = `${name} is being suspended for the sake of its last checkpoint.`;
  if (patch) return wait(c, because, { effects: [patch] });
  const path = leftBehind(c.x);
  if (status.lifecycleState !== 'SUSPENDED' || !c.x.current) return wait(c, because);
  if (path !== undefined) return started(c, { mode: 'checkpoint', path }, `${name} left ${path}.`);
  const error = `${name} is suspended, but did not say where its last checkpoint lies. ${lastKnown(c)} Put the template back to resume it.`;
  return wait(c, error, { error, stands: { is: 'stalled', reason: 'StateUnknown' } });
}

/** Its job is cancelled, so that Flink says where its last checkpoint lies: HA metadata alone would be of no use to y. */
function suspended(spec: FlinkDeploymentSpec): FlinkDeploymentSpec {
  const cancelling = { ...spec.flinkConfiguration, [operatorOptions.lastStateJobCancel.key]: 'true' };
  const halted = { ...spec, flinkConfiguration: cancelling, job: { ...spec.job, state: 'suspended' as const } };
  return patchedSpec(spec, spec, halted);
}
