import { isObject, member } from '../../change/equal.ts';
import type { AnyObject, ObjectMeta } from '../../kube/object.ts';
import type { Part } from '../../schema/kind.ts';
import { ownersOf } from '../render/owner.ts';
import { type Instance, type InstanceStatus, instance } from '../resources/instance.ts';
import { fits } from './fits.ts';

/** An Instance of which every field has the type that its kind gives it. */
export type Read = AnyObject & Instance & { readonly status: InstanceStatus };

/**
 * An Instance as it is told of. What has not the shape that the definition demands is left out, as far in as lists and maps
 * go: an older definition may have let it in, or somebody wrote a status by hand. Total.
 */
export function instanceIn(object: AnyObject): Read {
  return {
    apiVersion: instance.apiVersion,
    kind: instance.type.kind,
    metadata: metadataOf(object),
    spec: fitting(instance.spec, object.spec),
    status: fitting(instance.status, object.status),
  } as unknown as Read;
}

function fitting<T>(part: Part<T>, value: unknown): unknown {
  if (fits(part.field, value ?? {})) return value ?? {};
  const kept: Record<string, unknown> = {};
  for (const [name, one] of isObject(value) ? Object.entries(value) : []) {
    for (const candidate of [one, elements(part, name, one)]) {
      const parsed = part.parse({ [name]: candidate });
      if (parsed.ok) {
        Object.assign(kept, parsed.value);
        break;
      }
    }
  }
  return kept;
}

/** A list or a map with those of its elements that could stand there alone. */
function elements<T>(part: Part<T>, name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one: unknown) => part.parse({ [name]: [one] }).ok);
  if (!isObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([key, one]) => part.parse({ [name]: { [key]: one } }).ok));
}

/** Envelopes come from an API server and have the shape that it guarantees; files of users need not. */
function metadataOf(object: AnyObject): ObjectMeta {
  const found = isObject(object.metadata) ? object.metadata : {};
  const text = (name: keyof ObjectMeta): Partial<ObjectMeta> => {
    const value = member(found, name);
    return typeof value === 'string' && value !== '' ? { [name]: value } : {};
  };
  const generation = member(found, 'generation');
  return {
    ...text('name'),
    ...text('namespace'),
    ...text('uid'),
    ...text('resourceVersion'),
    ...text('creationTimestamp'),
    ...text('deletionTimestamp'),
    ...(typeof generation === 'number' && { generation }),
    labels: texts(member(found, 'labels')),
    annotations: texts(member(found, 'annotations')),
    ownerReferences: isObject(object.metadata) ? ownersOf(object) : [],
  };
}

function texts(value: unknown): Readonly<Record<string, string>> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
