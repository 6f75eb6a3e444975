import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { PatchOperation, Steering, Write } from '../../portrait/verb.ts';

/**
 * A patch of the object as it was looked at: refused when it is another one by now. With `asSeen` also when anything about it
 * has changed since, where the patch would then mean something else.
 */
export function patchOf(
  type: ResourceType,
  { metadata }: KubeObject,
  patch: readonly PatchOperation[],
  asSeen = false,
): Write {
  const { namespace = 'default', name = '', uid = '', resourceVersion } = metadata;
  return {
    do: 'patch',
    type,
    namespace,
    name,
    patch: [
      { op: 'test', path: '/metadata/uid', value: uid },
      ...(asSeen && resourceVersion !== undefined
        ? [{ op: 'test', path: '/metadata/resourceVersion', value: resourceVersion } as const]
        : []),
      ...patch,
    ],
  };
}

/** Sets an annotation, whether there are any or not. */
export function annotated({ metadata }: KubeObject, name: string, value: string): PatchOperation {
  return metadata.annotations === undefined
    ? { op: 'add', path: '/metadata/annotations', value: { [name]: value } }
    : { op: 'add', path: `/metadata/annotations/${pointer(name)}`, value };
}

/** Takes an annotation away. */
export function unannotated(name: string): PatchOperation {
  return { op: 'remove', path: `/metadata/annotations/${pointer(name)}` };
}

/** One part of a JSON pointer. */
function pointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function refused(why: string): Steering {
  return { is: 'refused', why };
}

/** A number that was not there before and is larger than all that were. */
export function nextNonce(...values: readonly (number | undefined)[]): number {
  return Math.max(0, ...values.map((value) => value ?? 0)) + 1;
}
