import type { CreateAction } from '../../control/decision.ts';
import { actionDigest, type Outcome, type Outcomes, outcomeId } from '../../control/outcome.ts';
import type { KubeObject } from '../../kube/object.ts';

/** What the API server said no to, and how. */
export interface ObjectRefusal {
  readonly object: KubeObject;
  readonly outcome: Extract<Outcome, { readonly result: 'refused' }>;
}

export function toCreate(object: KubeObject): CreateAction {
  return { do: 'create', object };
}

/** The first of these objects that the API server refused to make, just as it is. */
export function refusalOf(outcomes: Outcomes, objects: readonly KubeObject[]): ObjectRefusal | undefined {
  for (const object of objects) {
    const create = toCreate(object);
    const outcome = outcomes[outcomeId(create)];
    if (outcome?.result === 'refused' && outcome.of === actionDigest(create)) return { object, outcome };
  }
  return undefined;
}
