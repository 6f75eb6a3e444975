import { PortError } from '../../control/port.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { nameOf, type Resource } from '../../kube/resource.ts';
import { planManager } from '../keys.ts';

/**
 * Applies an artifact, so that keys of an earlier one are gone. Never over an object that has another owner: what is there may
 * have come since it was decided to write here.
 *
 * Errors: `PortError`, `refused` when the API server will not have it.
 */
export async function keepArtifact(object: KubeObject, client: Client, signal: AbortSignal): Promise<void> {
  const resource = client.resource<AnyObject>(object.kind === 'Secret' ? kinds.secrets : kinds.configMaps);
  const what = `${object.kind} ${object.metadata.name ?? ''}`;
  try {
    const live = await found(resource, object, signal);
    if (live && !sharesOwner(live, object)) {
      throw new PortError('unknown', `${what} exists and belongs to somebody else: delete or rename it`);
    }
    const resourceVersion = live?.metadata.resourceVersion;
    const body = resourceVersion ? { ...object, metadata: { ...object.metadata, resourceVersion } } : object;
    await resource.apply(body, { manager: planManager, force: true, signal });
  } catch (error) {
    if (!isKubeError(error)) throw error;
    // Not its cause: the request that it tells of has the content of a Secret in it.
    throw new PortError(error.kind === 'refused' ? 'refused' : 'unknown', `${what}: ${error.message}`, {
      ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    });
  }
}

async function found(
  resource: Resource<AnyObject>,
  object: KubeObject,
  signal: AbortSignal,
): Promise<AnyObject | undefined> {
  try {
    return await resource.get(nameOf(object), { signal });
  } catch (error) {
    if (isKubeError(error, 'not-found')) return undefined;
    throw error;
  }
}

function sharesOwner(live: KubeObject, object: KubeObject): boolean {
  const owners = new Set(object.metadata.ownerReferences?.map(({ uid }) => uid));
  return live.metadata.ownerReferences?.some(({ uid }) => owners.has(uid)) ?? false;
}
