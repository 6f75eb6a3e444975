import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { annotations } from '../keys.ts';
import { contentHash } from './hash/content-hash.ts';
import { isFields } from './replaced-at.ts';

/** All annotations of an object together may have 256 KiB, and a few more are to come. */
const most = 192 << 10;
const mostTogether = 240 << 10;

/**
 * The annotation that says what is applied. KUDO goes by it, should it get the object back; drift, the restart of pods and
 * the hash of dependencies are told by it. Never on a Secret: whoever may see only metadata would see all of it. Nor where
 * it would not fit. ConfigMaps and Secrets then say at least what they count for.
 */
export function appliedAnnotations(object: KubeObject): Readonly<Record<string, string>> {
  if (object.kind !== 'Secret') {
    const text = JSON.stringify(object);
    const room = mostTogether - annotationBytes(object);
    if (Buffer.byteLength(text) <= Math.min(most, room)) return { [annotations.lastApplied]: text };
  }
  const counts = object.apiVersion === 'v1' && (object.kind === 'Secret' || object.kind === 'ConfigMap');
  return counts ? { [annotations.contentHash]: contentHash(object) } : {};
}

function annotationBytes({ metadata }: KubeObject): number {
  return Object.entries(metadata.annotations ?? {}).reduce((sum, entry) => sum + Buffer.byteLength(entry.join('')), 0);
}

/** What was applied last, by KUDO or by us, where the object says so in a way that can be read. */
export function lastApplied(object: KubeObject): AnyObject | undefined {
  const text = object.metadata.annotations?.[annotations.lastApplied];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) && isFields(value.metadata) ? (value as unknown as AnyObject) : undefined;
  } catch {
    return undefined;
  }
}
