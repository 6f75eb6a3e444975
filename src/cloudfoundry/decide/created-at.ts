import type { KubeObject } from '../../kube/object.ts';

/** When an object was made, as the published labels write it: `2024-06-28T09-30-00`. A label takes no colons. */
export function createdAt({ metadata }: Pick<KubeObject, 'metadata'>): string | undefined {
  return metadata.creationTimestamp?.replace(/\.\d+/, '').replace('Z', '').replaceAll(':', '-');
}
