import { isKubeError } from '../../kube/error.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Platform } from './platform.ts';
import type { CfKind } from './read-as.ts';

/**
 * Waits until an object that the caller has just written is as it should be, and answers it; after `patienceMs`, or when it
 * cannot be watched, the object as it was last seen. For answers that would be of little use without a controller's word.
 */
export async function until<T extends KubeObject>(
  { client, clock }: Pick<Platform, 'client' | 'clock'>,
  kind: CfKind,
  object: T,
  holds: (object: T) => boolean,
  patienceMs: number,
): Promise<T> {
  if (holds(object)) return object;
  const { name = '', namespace = '' } = object.metadata;
  const ended = new AbortController();
  const callOff = clock.after(patienceMs, () => ended.abort());
  let last = object;
  try {
    const watch = { namespace, fieldSelector: { 'metadata.name': name }, signal: ended.signal };
    for await (const { type, object: seen } of client.resource<T>(kind.type).watch(watch)) {
      if (type !== 'ADDED' && type !== 'MODIFIED') continue;
      last = seen as T;
      if (holds(last)) break;
    }
  } catch (error) {
    if (!isKubeError(error)) throw error;
  } finally {
    callOff();
    ended.abort();
  }
  return last;
}
