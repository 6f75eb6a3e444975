import type { KubeObject } from '../../../kube/object.ts';
import { labelled } from '../labelled.ts';
import type { Place } from '../place.ts';
import type { DependencyReader } from './dependency.ts';

/**
 * Reads what the same task is about to apply before it reads what is there: the pods that restart will see the new content.
 * Of two objects with one name the last counts, as it is applied last.
 */
export function readingFirst(objects: readonly KubeObject[], place: Place, then: DependencyReader): DependencyReader {
  return (dependency) => {
    const found = objects.findLast(
      ({ apiVersion, kind, metadata }) =>
        apiVersion === 'v1' && kind === dependency.kind && metadata.name === dependency.name,
    );
    return found ? labelled(found, place) : then(dependency);
  };
}
