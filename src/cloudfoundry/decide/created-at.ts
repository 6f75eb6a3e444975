import type { KubeObject } from '../../kube/object.ts';
import { labels } from '../keys.ts';

/**
 * When an object was made, as the published labels write it: `2024-06-28T09-30-00`. A label takes no colons. What the label
 * says already stays: whoever made the object wrote it by its own clock, which may be a second off.
 */
export function createdAt({ metadata }: Pick<KubeObject, 'metadata'>): string | undefined {
  const written = metadata.labels?.[labels.createdAt];
  if (written !== undefined) return written;
  return metadata.creationTimestamp?.replace(/\.\d+/, '').replace('Z', '').replaceAll(':', '-');
}
