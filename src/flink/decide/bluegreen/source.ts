import { effectiveConfig } from '../../config/effective-config.ts';
import { flinkOptions } from '../../config/flink-options.ts';
import { read } from '../../config/option.ts';
import { lastStateOnly } from '../../manifests/deploy-config.ts';
import type { BlueGreenTransition } from '../../resources/blue-green-transition.ts';
import { type BlueGreenCase, jobOf, type Moving, needsState, type Spec } from './blue-green-case.ts';
import { isGone, type Side, trouble } from './side.ts';

export type Restore = NonNullable<BlueGreenTransition['restore']>;

/** Where the state of a new side comes from. */
export type Source =
  /** It is known, or none is needed. */
  | { readonly from: 'known'; readonly restore: Restore }
  /** A savepoint of the serving side is to be taken. */
  | { readonly from: 'savepoint' }
  /** The serving side is to be suspended: its last checkpoint is then known. */
  | { readonly from: 'suspension' }
  /** It cannot be had now. */
  | { readonly from: 'nowhere'; readonly because: string };

/** Where a new side gets its state from when the template demands one. Never empty, unless the upgrade mode says so. */
export function sourceOf(c: BlueGreenCase): Source {
  const { x, desired, settings } = c;
  if (!needsState(desired)) return { from: 'known', restore: { mode: 'stateless' } };
  if (x.is === 'ready') return { from: 'savepoint' };
  const left = leftBehind(x);
  if (x.is === 'ended' && left !== undefined) return { from: 'known', restore: { mode: 'checkpoint', path: left } };
  if (c.status.serving?.suspended && !isGone(x)) return { from: 'suspension' };
  if (settings.unhealthyPolicy === 'last-checkpoint' && x.is === 'failing') {
    return { from: 'suspension' };
  }
  return { from: 'nowhere', because: `No savepoint can be taken: ${trouble(x)}. ${lastKnown(c)}` };
}

/** The state that a side left when it was suspended or ended, if another one can start from it: HA metadata is only its own. */
export function leftBehind({ seen }: Side): string | undefined {
  const path = seen?.status.jobStatus?.upgradeSavepointPath;
  return path === lastStateOnly ? undefined : path;
}

/** Where the state of the serving side was last known to lie, and how to go on from there. */
export function lastKnown({ status: { lastSavepoint } }: BlueGreenCase): string {
  const where = lastSavepoint
    ? `The last known savepoint is ${lastSavepoint.path} of ${lastSavepoint.at}`
    : 'No savepoint is known';
  return `${where}; savepointRedeployNonce goes on from initialSavepointPath, statelessRedeployNonce without state.`;
}

/**
 * What a target that is made once more starts from: the same as before, if that is still the right thing. Undefined when a
 * new savepoint is needed: none was taken, it was of another job, or the target before may have deleted it.
 */
export function restoreAgain(c: Moving): Restore | undefined {
  const { x } = c;
  const { restore, cause, savepoint } = c.status.transition;
  // A nonce that was taken back since no longer says where the state comes from: it must not be dropped for nobody.
  const { savepointRedeployNonce, statelessRedeployNonce } = jobOf(c.desired);
  if (cause === 'savepoint-redeploy' && savepointRedeployNonce !== undefined) return restore;
  if (cause === 'stateless-redeploy' && statelessRedeployNonce !== undefined) return restore;
  if (!needsState(c.desired)) return { mode: 'stateless' };
  // A job that runs has newer state than the one that had ended.
  if (restore?.mode === 'checkpoint') return x.is === 'ready' || claims(c, c.target) ? undefined : restore;
  if (restore?.mode !== 'savepoint' || !savepoint) return undefined;
  const { seen } = x;
  const otherJob =
    seen !== undefined && savepoint.jobId !== undefined && seen.status.jobStatus?.jobId !== savepoint.jobId;
  const otherSide = seen !== undefined && seen.ref.uid !== savepoint.uid;
  if (otherJob || otherSide || claims(c, c.target) || claims(c, c.desired)) return undefined;
  return restore;
}

/** What is left when nobody serves any more: state that this transition took, however it was used. */
export function restoreAtLast({ status }: Moving): Restore | undefined {
  const { restore, savepoint } = status.transition;
  if (restore?.path !== undefined) return restore;
  return savepoint?.path === undefined ? undefined : { mode: 'savepoint', path: savepoint.path };
}

/** Whether a job takes what it is restored from for its own, and deletes it when it is no longer needed. */
function claims({ view, resource }: BlueGreenCase, spec: Spec | undefined): boolean {
  const { flinkVersion, flinkConfiguration } = spec?.template?.spec ?? {};
  const place = { namespace: resource.metadata.namespace ?? '', flinkVersion };
  return (
    read(effectiveConfig(view.operator, place, flinkConfiguration), flinkOptions.claimMode).toUpperCase() === 'CLAIM'
  );
}
