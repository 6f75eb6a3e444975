import type { KubeObject, OwnerReference } from '../../kube/object.ts';

/** How an object says that it belongs to another one, and is deleted with it. */
export function ownedBy({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  const { name = '', uid = '' } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Whether an object belongs to another one: by uid, for names are not identities. */
export function isOwnedBy(object: KubeObject, owner: KubeObject): boolean {
  const { uid } = owner.metadata;
  return uid !== undefined && (object.metadata.ownerReferences ?? []).some((reference) => reference.uid === uid);
}
