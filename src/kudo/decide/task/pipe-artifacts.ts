import type { Action } from '../../../control/decision.ts';
import { refTo } from '../../../control/decision.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { annotations } from '../../keys.ts';
import { adopt } from '../../render/adopt.ts';
import { enhance } from '../../render/enhance.ts';
import type { Place } from '../../render/place.ts';
import { refOf, type ThingRef, thingId } from '../view.ts';
import { isOwnedBy } from './pipe-pod-state.ts';
import type { Artifact } from './pipe-work.ts';
import type { Surroundings } from './run.ts';
import type { TaskFailure } from './work.ts';

/** What is there of the ConfigMaps and Secrets of a Pipe task. */
export type Artifacts =
  /** All are of this execution, and from one pod. */
  | { readonly is: 'made'; readonly seen: readonly ThingRef[] }
  /** Some are missing, or of an earlier execution; these would take their place, once they have content. */
  | { readonly is: 'due'; readonly seen: readonly ThingRef[]; readonly wanted: readonly KubeObject[] }
  /** One that KUDO made has to become ours first. */
  | { readonly is: 'adoptable'; readonly action: Action }
  /** One is about to go. */
  | { readonly is: 'ending'; readonly message: string; readonly unwatched: boolean }
  | { readonly is: 'barred'; readonly failure: TaskFailure };

/**
 * Whether an artifact is of this execution is told by its annotation: it is written together with the content, so there is no
 * moment at which one is there without the other.
 */
export function artifactsOf(list: readonly Artifact[], place: Place, around: Surroundings): Artifacts {
  const wanted: KubeObject[] = [];
  const seen: ThingRef[] = [];
  const sources: (string | undefined)[] = [];
  for (const { kind, name } of list) {
    const object: KubeObject & { readonly type?: string } = {
      apiVersion: 'v1',
      kind,
      metadata: { name },
      ...(kind === 'Secret' && { type: 'Opaque' }),
    };
    const thing = around.world[thingId(refOf(object))];
    if (thing?.is !== 'known') {
      const why = thing?.is === 'unreadable' ? thing.message : `${kind} ${name} could not be looked at`;
      return barred('TaskExecutionError', why, false);
    }
    const { object: live, watched } = thing;
    const enhanced = enhance(object, place, around.restarting, {
      namespaced: true,
      dependencies: () => undefined,
      ...(live && { live }),
    });
    if (enhanced.complaint) return barred(enhanced.complaint.reason, enhanced.complaint.message, true);
    wanted.push(enhanced.object);
    if (!live) continue;
    if (live.metadata.deletionTimestamp !== undefined) {
      return { is: 'ending', message: `${kind} ${name} is being deleted`, unwatched: !watched };
    }
    if (!isOwnedBy(live, place)) {
      const message = `${kind} ${name} exists and does not belong to this Instance: delete or rename it`;
      return barred('TaskExecutionError', message, false);
    }
    seen.push(refOf(object));
    const adoption = adopt(live);
    if (adoption) return { is: 'adoptable', action: { do: 'patch', of: refTo(live), patch: adoption } };
    const told = live.metadata.annotations;
    if (told?.[annotations.planUid] === around.restarting.executionUid) sources.push(told[annotations.fromPod]);
  }
  const made = sources.length === list.length && new Set(sources).size === 1;
  return made ? { is: 'made', seen } : { is: 'due', seen, wanted };
}

function barred(reason: TaskFailure['reason'], message: string, fatal: boolean): Artifacts {
  return { is: 'barred', failure: { reason, message, fatal } };
}
