import { refTo } from '../../../control/decision.ts';
import { childSpec } from '../../manifests/blue-green-child.ts';
import type { FlinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import { deploymentChange } from '../../resources/spec-change.ts';
import { errorMessage } from '../error-text.ts';
import { remove } from '../in-the-way.ts';
import type { Effect } from '../step.ts';
import { type BlueGreenCase, isSuspended, type Status } from './blue-green-case.ts';
import { type BlueGreenStep, wait } from './blue-green-step.ts';
import { metadataPatch, startedLike } from './in-place.ts';
import { isReady, trouble } from './side.ts';
import { word } from './target.ts';

/** Nothing to redo. What is seen is shown; labels, annotations and the record of savepoints are kept as they should be. */
export function atRest(c: BlueGreenCase): BlueGreenStep {
  const { x, status, desired } = c;
  const upkeep = [...relabelled(c), ...outdated(c)];
  const effects = upkeep.length > 0 ? { effects: upkeep } : {};
  const { aborted } = status;
  if (aborted) {
    const because = givenUpText(c, aborted);
    const error = aborted.byHand ? {} : { error: because };
    return wait(c, because, { ...error, stands: { is: 'stalled', reason: 'TransitionAborted' }, ...effects });
  }
  if (x.is === 'suspended') {
    const because = isSuspended(desired) ? 'The job is suspended, as specified.' : `${x.name} was suspended by hand.`;
    return wait(c, because, effects);
  }
  if (x.is === 'ready' && !x.current) return unheeded(c, effects);
  if (x.is === 'ready') return wait(c, `${word(x.color)} serves as specified.`, effects);
  if (x.is === 'settling') {
    return wait(c, `${trouble(x)}.`, { ...effects, stands: { is: 'waiting', reason: 'ServingSettles' } });
  }
  if (x.seen?.status.jobStatus?.state === 'FINISHED') return wait(c, 'The job has finished.', effects);
  if (x.is === 'absent') return wait(c, 'The job is suspended, as specified.', effects);
  const because = `The serving side is unhealthy: ${trouble(x)}.`;
  return wait(c, because, { ...effects, error: because, stands: { is: 'waiting', reason: 'ServingUnhealthy' } });
}

/** It serves, but not yet, or not at all, by the spec that it has. */
function unheeded(c: BlueGreenCase, effects: { readonly effects?: readonly Effect[] }): BlueGreenStep {
  const { name, seen } = c.x;
  const refusal = seen?.status.error;
  if (refusal === undefined) {
    const because = `${name} serves, and is about to take up its newest spec.`;
    return wait(c, because, { ...effects, stands: { is: 'waiting', reason: 'ServingSettles' } });
  }
  const error = `${name} serves, but has not taken up its newest spec: ${errorMessage(refusal)}`;
  return wait(c, error, { ...effects, error, stands: { is: 'waiting', reason: 'ServingUnhealthy' } });
}

/** What a person is told for as long as a template is given up. What is left of y has a condition of its own. */
export function givenUpText({ x }: BlueGreenCase, { reason }: NonNullable<Status['aborted']>): string {
  const serves = isReady(x) ? `${word(x.color)} serves on` : trouble(x);
  return `${reason} ${serves}. Change spec.template to try again, or put it back.`;
}

/** The labels and annotations that the template asks for, on the sides that are there. */
export function relabelled({ x, y, desired }: BlueGreenCase): readonly Effect[] {
  return [x, y].flatMap(({ is, seen, color }) => {
    const patch = seen && is !== 'leaving' && metadataPatch(seen, desired, color);
    return patch ? [patch] : [];
  });
}

/** Records of savepoints beyond those that are to be kept. What they stand for stays where it is. */
function outdated({ view, settings, status }: BlueGreenCase): readonly Effect[] {
  const ended = view.snapshots.filter(isEnded);
  const surplus = ended.slice(0, Math.max(0, ended.length - settings.snapshotsKept));
  return surplus
    .filter(({ metadata }) => metadata.name !== status.lastSavepoint?.snapshot && !metadata.deletionTimestamp)
    .map((snapshot) => remove(refTo(snapshot)));
}

function isEnded({ status }: FlinkStateSnapshot): boolean {
  return status?.state === 'COMPLETED' || status?.state === 'FAILED' || status?.state === 'ABANDONED';
}

/** What was changed on the serving side by hand; empty when nothing was. Where it started from is nobody's change. */
export function changedByHand({ x, served }: BlueGreenCase): string {
  if (!x.seen || !served || x.is === 'leaving') return '';
  const { spec } = x.seen;
  return deploymentChange(startedLike(childSpec(served, x.color, undefined), spec), spec).text;
}
