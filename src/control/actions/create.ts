import { isKubeError } from '../../kube/error.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { nameOf } from '../../kube/resource.ts';
import { annotations } from '../annotations.ts';
import type { CreateAction } from '../decision.ts';
import { unseal } from '../sealed.ts';
import { type Did, describe, type Hands, Refusal } from './hands.ts';
import type { Journal } from './journal.ts';

/** Creates the object, or finds that this very creation has happened before. */
export async function create(action: CreateAction, journal: Journal, hands: Hands, signal: AbortSignal): Promise<Did> {
  const object = unseal(action.object) as AnyObject;
  if (!object.metadata.name) throw new Refusal(`a ${object.kind} without a name could be created twice`);
  const type = hands.kinds(object.apiVersion, object.kind);
  const resource = hands.client.resource<AnyObject>(type);
  const seen = hands.mirror.peek(type, nameOf(object));
  if (seen && isThisCreation(seen, object)) return 'skipped';
  await journal.prove(hands, signal);
  try {
    hands.mirror.wrote(type, await resource.create(born(object, action), { fieldManager: hands.manager, signal }));
  } catch (error) {
    if (!isKubeError(error, 'exists')) throw error;
    // The cache may lag behind, or the answer to our first try was lost: look at what is really there.
    const present = await resource.get(nameOf(object), { signal });
    if (!isThisCreation(present, object)) {
      throw new Refusal(`${describe(object)} exists already and is not the one we would create`);
    }
    hands.mirror.wrote(type, present);
  }
  return 'acted';
}

function born(object: AnyObject, { bornOf }: CreateAction): AnyObject {
  return bornOf ? { ...object, metadata: { ...object.metadata, ownerReferences: [bornOf] } } : object;
}

/**
 * The same id and, where it is to have owners, one of them. Ids derive from a uid, so that of an object that outlives whoever
 * made it the id is enough. What has no id can never be recognised, so it is never taken for ours.
 */
export function isThisCreation(present: KubeObject, wanted: KubeObject): boolean {
  const id = wanted.metadata.annotations?.[annotations.id];
  const owners = new Set(present.metadata.ownerReferences?.map((owner) => owner.uid));
  const { ownerReferences = [] } = wanted.metadata;
  return (
    id !== undefined &&
    present.metadata.annotations?.[annotations.id] === id &&
    (ownerReferences.length === 0 || ownerReferences.some((owner) => owners.has(owner.uid)))
  );
}
