import type { JsonObject, KubeObject } from '../../../kube/object.ts';
import { labelHash } from '../../names.ts';
import { type MetadataChange, metadataPatch } from '../payload/metadata-patch.ts';

interface ChangedPlace {
  readonly name?: string | undefined;
  readonly metadata?: MetadataChange | undefined;
}

/**
 * What a request changes of an organization or space, as a merge patch; `nameLabel` holds the hash of its name.
 * @throws CfError 422
 */
export function changedPlace(place: KubeObject, wanted: ChangedPlace, nameLabel: string): JsonObject | undefined {
  const { name, metadata } = wanted;
  const patch = metadataPatch(metadata, place.metadata);
  if (name === undefined) return patch;
  const { labels, ...rest } = (patch?.metadata ?? {}) as { readonly labels?: JsonObject };
  return { metadata: { ...rest, labels: { ...labels, [nameLabel]: labelHash(name) } }, spec: { displayName: name } };
}
