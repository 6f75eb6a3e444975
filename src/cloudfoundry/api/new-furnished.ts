import type { KubeObject } from '../../kube/object.ts';
import type { Furnishing } from '../decide/furnished.ts';
import { newObject, type Wanted } from './new-object.ts';
import { metadataPatch } from './payload/metadata-patch.ts';
import type { Platform } from './platform.ts';

/**
 * A new object with all that its controller would give it, so that it is found by its labels from the first moment.
 * @throws CfError 422 for metadata that it may not have
 */
export function newFurnished<T extends KubeObject, Spec>(
  platform: Platform,
  kind: { readonly type: { readonly kind: string }; readonly apiVersion: string },
  wanted: Wanted<Spec>,
  furnish: (object: T, version: string) => Furnishing,
): T {
  metadataPatch(wanted.metadata);
  const object = newObject(platform, kind, wanted);
  const { labels, annotations, finalizer } = furnish(object as unknown as T, platform.settings.version);
  const { metadata } = object;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...defined(labels) },
      annotations: { ...metadata.annotations, ...defined(annotations) },
      ...(finalizer && { finalizers: [finalizer] }),
    },
  } as unknown as T;
}

function defined(values: Furnishing['labels'] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
