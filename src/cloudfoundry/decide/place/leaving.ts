import { type Action, type Decision, idle, type Ref, refTo } from '../../../control/decision.ts';
import { removeFinalizer } from '../../../control/finalizers.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { unheardMs } from '../../observe/asked.ts';
import type { PlaceView } from '../../observe/place-view.ts';
import { conclude } from '../conclude.ts';

/**
 * The end of an organization or a space: first what it holds, for whoever ends an app may still have to write into its
 * namespace; then the namespace; then the object itself, when the namespace is gone.
 */
export function leaving(view: PlaceView, finalizer: string, ours: boolean): Decision {
  const { place, namespace, contents } = view;
  const release = removeFinalizer(place, finalizer);
  if (!release) return idle('others still hold it; its namespace is gone');
  if (!namespace || !ours) return { actions: [release], because: 'it has no namespace any more' };

  const { name } = place.metadata;
  if (namespace.metadata.deletionTimestamp) return waiting(view, [], `The namespace ${name} is being deleted.`);
  if (contents.length > 0) {
    const removals = contents
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map((object): Action => ({ do: 'delete', of: whateverVersion(object) }));
    return waiting(view, removals, `Waiting until these are gone: ${listed(contents)}.`);
  }
  const removal: Action = { do: 'delete', of: refTo(namespace) };
  const wake = view.unheard ? { wakeAt: view.now + unheardMs } : {};
  return { actions: [removal], because: 'it is empty, and its namespace goes', ...wake };
}

function waiting({ place, now, unheard }: PlaceView, effects: readonly Action[], message: string): Decision {
  const readiness = { ready: false, reason: 'Deleting', message } as const;
  const wake = unheard ? { wakeAt: now + unheardMs } : {};
  return conclude(place, now, { status: place.status ?? {}, readiness, effects, because: message, ...wake });
}

/** `CFApp 6f1…, CFApp 8c2…, and 5 more` */
function listed(objects: readonly KubeObject[]): string {
  const names = objects.slice(0, 3).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const more = objects.length - names.length;
  return [...names, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** What goes with its place goes as it is. */
function whateverVersion(object: KubeObject): Ref {
  const { resourceVersion: _any, ...ref } = refTo(object);
  return ref;
}
