import { isKubeError } from '../../kube/error.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { ObjectName } from '../../kube/path.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { Hands } from './hands.ts';

/** The object as the server has it, whatever caches show; `undefined` when there is none. */
export async function stored(
  type: ResourceType,
  name: ObjectName,
  { client }: Hands,
  signal: AbortSignal,
): Promise<AnyObject | undefined> {
  try {
    return await client.resource(type).get(name, { signal });
  } catch (error) {
    if (isKubeError(error, 'not-found')) return undefined;
    throw error;
  }
}
