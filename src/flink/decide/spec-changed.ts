import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import type { SpecChange } from '../resources/spec-change.ts';
import type { Restore } from './availability.ts';
import { changeOf, type JobCase, type JobHolder } from './job-case.ts';
import { redeployAsked, withActedNonces } from './nonces.ts';
import { isRealised } from './realised.ts';
import { redeploy } from './redeploy.ts';
import { rescale } from './rescale.ts';
import { startedFrom } from './situation.ts';
import { isTakingSavepoint, snapshots, snapshotsDueAt } from './snapshots/snapshots.ts';
import { specChangedEvents } from './spec-changed-events.ts';
import { type Status, withRecord } from './status.ts';
import type { Step } from './step.ts';
import { stopForUpgrade, upgradeWaits } from './stop-for-upgrade.ts';
import { begin } from './transition/begin.ts';

/** What the difference between the spec and what is deployed demands; nothing when there is none that matters. */
export function specChanged(c: JobCase): Step<Status> | undefined {
  if (!c.recorded || isRealised(c)) return undefined;
  const change = changeOf(c, withActedNonces(c.recorded.spec, c.status.nonces), c.spec);
  if (isWhatRuns(c, change)) return revert(c);
  switch (change.demands) {
    case 'nothing':
    case 'patch':
      return undefined;
    case 'redeploy-without-state':
      return redeploy(c, 'stateless-redeploy', change);
    case 'redeploy-from-savepoint':
      return redeploy(c, 'savepoint-redeploy', change);
    case 'scale':
    case 'restart':
    case 'upgrade':
      return upgrade(c, c.recorded.spec, change);
  }
}

/** After a rollback the spec before the failed one runs. Whoever writes that again gets what is there already. */
function isWhatRuns(c: JobCase, change: SpecChange): boolean {
  if (c.status.reconciliationStatus?.state !== 'ROLLED_BACK' || !c.stable || change.demands === 'nothing') return false;
  return changeOf(c, withActedNonces(c.stable.spec, c.status.nonces), c.spec).demands === 'nothing';
}

function revert(c: JobCase): Step<Status> {
  const lastReconciledSpec = c.status.reconciliationStatus?.lastStableSpec ?? '';
  const status = withRecord(
    { ...c.status, observedGeneration: c.generation },
    { state: 'DEPLOYED', lastReconciledSpec },
  );
  return { status, effects: [], because: 'The spec is again the one that runs.' };
}

/** A redeploy nonce that changed while something else is under way does not wait for it. */
export function redeployMeanwhile(c: JobCase): Step<Status> | undefined {
  const cause = redeployAsked(c);
  if (!cause || !c.status.transition) return undefined;
  const from = withActedNonces(c.recorded?.spec ?? c.spec, c.status.nonces);
  return redeploy(c, cause, changeOf(c, from, c.spec));
}

function upgrade(c: JobCase, recorded: JobHolder, change: SpecChange): Step<Status> {
  const wanted = c.spec.job.state ?? 'running';
  const events = specChangedEvents(c, change);
  if (recorded.job.state === 'suspended') return wanted === 'suspended' ? asleep(c, events) : resume(c, events);
  if (isTakingSavepoint(c.status) && !read(c.config, operatorOptions.ignorePendingSavepoint)) {
    return savepointFirst(c, events);
  }
  const inPlace = change.type === 'SCALE' ? rescale(c, recorded, events) : undefined;
  if (inPlace) return inPlace;
  const because = wanted === 'suspended' ? 'The job is to be suspended.' : `The spec changed: ${change.text}.`;
  return stopForUpgrade(c, because, events);
}

/** Nobody else looks at the savepoint while the upgrade waits for it. */
function savepointFirst(c: JobCase, events: Step<Status>['effects']): Step<Status> {
  const step = snapshots(c.view, c.status);
  if (step) return { ...step, effects: [...events, ...step.effects] };
  return upgradeWaits(c, events, 'a savepoint is being taken', snapshotsDueAt(c.view, c.status));
}

/** A suspended job is changed when it is resumed. */
function asleep(c: JobCase, effects: Step<Status>['effects']): Step<Status> {
  return { status: c.status, effects, because: 'The job is suspended; the change takes effect when it is resumed.' };
}

function resume(c: JobCase, events: Step<Status>['effects']): Step<Status> {
  return begin(c, {
    cause: 'spec-change',
    because: 'The job is resumed.',
    stop: 'none',
    restore: resumeFrom(c),
    events,
  });
}

/**
 * What a suspended job goes on from: what its suspension recorded. Should the spec have become stateless meanwhile, nothing,
 * unless a savepoint redeploy was asked for during its suspension.
 */
function resumeFrom(c: JobCase): Restore {
  const [last] = c.status.history ?? [];
  const redeployed = last?.cause === 'savepoint-redeploy' && last.outcome === 'suspended';
  const stateless = (c.spec.job.upgradeMode ?? 'stateless') === 'stateless';
  return stateless && !redeployed ? { mode: 'stateless' } : startedFrom(c);
}
