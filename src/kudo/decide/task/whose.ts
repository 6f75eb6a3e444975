import type { AnyObject } from '../../../kube/object.ts';
import { annotations, labels } from '../../keys.ts';
import type { Place } from '../../render/place.ts';
import { isOwnedBy } from './pipe-pod-state.ts';
import type { Surroundings } from './run.ts';

/** By its owner, or by the labels that plans put on everything, and that go on to pods and volume claims. */
export function isOurs(live: AnyObject, place: Place): boolean {
  return isOwnedBy(live, place) || live.metadata.labels?.[labels.instance] === place.instance.name;
}

/** The step of this execution that applied an object last, as `phase/step`; `undefined`: it is of an earlier execution. */
export function stepOf({ metadata }: AnyObject, { restarting }: Pick<Surroundings, 'restarting'>): string | undefined {
  const said = metadata.annotations ?? {};
  if (said[annotations.planUid] !== restarting.executionUid) return undefined;
  return stepName({ phase: said[annotations.phase] ?? '', step: said[annotations.step] ?? '' });
}

/** How a step is named among the steps of its plan. */
export function stepName({ phase, step }: { readonly phase: string; readonly step: string }): string {
  return `${phase}/${step}`;
}
