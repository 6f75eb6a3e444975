import { isKubeError, KubeError } from './error.ts';
import type { KubeObject } from './object.ts';
import { isSegment, type ObjectName } from './path.ts';
import type { Resource } from './resource.ts';

/**
 * An object as the API server has it; `undefined` when it says that this very object is not there.
 *
 * A server that says "not found" of an object names it. One that does not found something else missing, such as the whole resource
 * while it starts: that proves nothing, and is thrown as a failure of the server.
 *
 * Names may be what people wrote into a reference. One that no object can have (`../x`) is the name of none, and the server is not asked.
 */
export async function find<T extends KubeObject>(
  resource: Pick<Resource<T>, 'get'>,
  at: ObjectName,
  options: { readonly signal?: AbortSignal } = {},
): Promise<T | undefined> {
  if (![at.name, at.namespace || at.name].every(isSegment)) return undefined;
  try {
    return await resource.get(at, options);
  } catch (error) {
    if (!isKubeError(error, 'not-found')) throw error;
    if (isGone(error, at)) return undefined;
    throw new KubeError('server', `the server did not find ${at.name}, and does not say that it is not there`, {
      cause: error,
    });
  }
}

/** Whether "not found" was said of this very object. */
export function isGone({ status }: KubeError, { name }: ObjectName): boolean {
  return status?.details?.name === name;
}
