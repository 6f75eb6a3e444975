import { isObject, member } from '../../change/equal.ts';
import type { AnyObject, KubeObject, ObjectMeta, OwnerReference } from '../../kube/object.ts';
import type { Kind } from '../../schema/kind.ts';
import { fitting } from './fitting.ts';

/** An object of a kind as it is told of: whatever is in spec, status and metadata has the type that its kind gives it. */
export function resource<T extends AnyObject>(kind: Kind, object: AnyObject): T {
  const status = fitting(kind.status.field, object.status);
  return {
    apiVersion: kind.apiVersion,
    kind: kind.type.kind,
    metadata: metadataOf(object),
    spec: fitting(kind.spec.field, object.spec) ?? {},
    ...(status !== undefined && { status }),
  } as unknown as T;
}

/** Envelopes come from an API server, and mostly have the shape that it guarantees; files of users need not. */
export function metadataOf({ metadata }: AnyObject): ObjectMeta {
  const found: Readonly<Record<string, unknown>> = isObject(metadata) ? metadata : {};
  const text = (name: keyof ObjectMeta) => {
    const value = member(found, name);
    return typeof value === 'string' && value !== '' ? { [name]: value } : {};
  };
  const generation = member(found, 'generation');
  const finalizers = member(found, 'finalizers');
  const managedFields = member(found, 'managedFields');
  return {
    ...text('name'),
    ...text('namespace'),
    ...text('uid'),
    ...text('resourceVersion'),
    ...text('creationTimestamp'),
    ...text('deletionTimestamp'),
    ...(typeof generation === 'number' && { generation }),
    ...texts('labels', member(found, 'labels')),
    ...texts('annotations', member(found, 'annotations')),
    ...(Array.isArray(finalizers) && { finalizers: finalizers.filter((one) => typeof one === 'string') }),
    ...(Array.isArray(managedFields) && { managedFields: managedFields.filter(isObject) }),
    ownerReferences: ownersOf(member(found, 'ownerReferences')),
  };
}

/** Whether an object can be referred to: what is read from a server has all three, a file need not. */
export function isStored({ metadata: { name, uid, resourceVersion } }: KubeObject): boolean {
  return [name, uid, resourceVersion].every((one) => one !== undefined);
}

function texts(name: 'labels' | 'annotations', value: unknown): Partial<ObjectMeta> {
  if (!isObject(value)) return {};
  return { [name]: Object.fromEntries(Object.entries(value).filter(([, one]) => typeof one === 'string')) };
}

function ownersOf(value: unknown): readonly OwnerReference[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).flatMap((owner) => {
    const { apiVersion, kind, name, uid } = owner;
    const told = [apiVersion, kind, name, uid].every((one) => typeof one === 'string');
    return told ? [owner as unknown as OwnerReference] : [];
  });
}
