import type { JsonPatch } from '../../control/decision.ts';
import type { AnyObject, Json, KubeObject, OwnerReference } from '../../kube/object.ts';
import { instance as instanceKind } from '../resources/instance.ts';
import type { Place } from './place.ts';

/** Makes the Instance the controller of what its plans apply: when it goes, so does all of it. */
export function controllerReference({ instance }: Place): OwnerReference {
  return {
    apiVersion: instanceKind.apiVersion,
    kind: instanceKind.type.kind,
    name: instance.name,
    uid: instance.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/**
 * Whoever else controls an object, as its template or the live object says. An Instance of the same name is none: it was
 * deleted, and its objects are about to follow.
 */
export function otherController(
  place: Place,
  object: KubeObject,
  live: AnyObject | undefined,
): OwnerReference | undefined {
  return [...ownersOf(object), ...ownersOf(live)].find((owner) => {
    if (owner.controller !== true || owner.uid === place.instance.uid) return false;
    const isFormer = owner.kind === instanceKind.type.kind && owner.apiVersion === instanceKind.apiVersion;
    return !(isFormer && owner.name === place.instance.name);
  });
}

/**
 * What makes an object that nobody controls one of this Instance, as KUDO takes it: somebody made it before the package was
 * installed, or it was left when the Instance was deleted. `former`: it goes with the Instance that had this name.
 */
export function ownership(live: AnyObject, place: Place): JsonPatch | 'former' | undefined {
  const owners = ownersOf(live);
  if (owners.some(({ uid }) => uid === place.instance.uid)) return undefined;
  if (owners.some(({ controller }) => controller)) return 'former';
  const value = [...owners, controllerReference(place)] as unknown as Json;
  return [{ op: 'add', path: '/metadata/ownerReferences', value }];
}

/** The owners that a template names itself, beside the Instance. */
export function ownersOf(object: KubeObject | undefined): readonly OwnerReference[] {
  const owners: unknown = object?.metadata.ownerReferences;
  return Array.isArray(owners) ? owners.filter(isOwner) : [];
}

function isOwner(value: unknown): value is OwnerReference {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['apiVersion', 'kind', 'name', 'uid'].every((key) => typeof Reflect.get(value, key) === 'string')
  );
}
