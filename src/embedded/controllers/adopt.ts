import type { Json, KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { matches } from '../kinds/label-selector.ts';
import type { LabelSelector } from '../kinds/objects/condition.ts';
import type { World } from '../world.ts';
import { managedBy, managerOf } from './pods.ts';

/**
 * The objects of `type` that `owner` manages. One without a manager that the selector matches is adopted; one of ours
 * that it no longer matches is let go. An owner on its way out adopts nothing.
 */
export async function claimed<T extends KubeObject>(
  world: World,
  type: ResourceType,
  owner: KubeObject,
  selector: LabelSelector | undefined,
): Promise<readonly T[]> {
  const uid = owner.metadata.uid;
  const namespace = owner.metadata.namespace ?? '';
  const mine: T[] = [];
  for (const object of world.list<T>(type, { namespace })) {
    const manager = managerOf(object);
    const matching = matches(selector, object.metadata.labels);
    if (manager?.uid === uid) {
      if (matching) mine.push(object);
      else if (!object.metadata.deletionTimestamp) await setOwners(world, type, object, withoutOwner(object, uid));
    } else if (!manager && matching && !object.metadata.deletionTimestamp && !owner.metadata.deletionTimestamp) {
      const owners = [...(object.metadata.ownerReferences ?? []), managedBy(owner)];
      mine.push((await setOwners(world, type, object, owners)) as T);
    }
  }
  return mine;
}

const withoutOwner = (
  object: KubeObject,
  uid: string | undefined,
): NonNullable<KubeObject['metadata']['ownerReferences']> =>
  (object.metadata.ownerReferences ?? []).filter((one) => one.uid !== uid);

function setOwners(
  world: World,
  type: ResourceType,
  object: KubeObject,
  owners: NonNullable<KubeObject['metadata']['ownerReferences']>,
): Promise<KubeObject> {
  const { namespace, name = '', uid = '' } = object.metadata;
  const references = owners.length > 0 ? (owners as unknown as Json) : null;
  return world.patch(type, namespace, name, { metadata: { uid, ownerReferences: references } });
}
