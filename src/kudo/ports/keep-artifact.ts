import { noVersion } from '../../control/decision.ts';
import { PortError } from '../../control/port.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { find } from '../../kube/find.ts';
import { kinds } from '../../kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { nameOf } from '../../kube/resource.ts';
import { planManager } from '../keys.ts';

/**
 * Applies an artifact, so that keys of an earlier one are gone. Never over an object that has another owner: what is there may
 * have come since it was decided to write here. What is made new is made with a version that no object has: a request that arrives late
 * must not write over what another execution has put there since.
 *
 * Errors: `PortError` of kind `unknown`, also when the API server will not have it: whoever refuses it there (a quota, a webhook) may
 * think better of it, and a plan goes on trying as it does with any other object.
 */
export async function keepArtifact(object: KubeObject, client: Client, signal: AbortSignal): Promise<void> {
  const resource = client.resource<AnyObject>(object.kind === 'Secret' ? kinds.secrets : kinds.configMaps);
  const what = `${object.kind} ${object.metadata.name ?? ''}`;
  try {
    const live = await find(resource, nameOf(object), { signal });
    if (live && !sharesOwner(live, object)) {
      throw new PortError('unknown', `${what} exists and belongs to somebody else: delete or rename it`);
    }
    const resourceVersion = live ? live.metadata.resourceVersion : noVersion;
    const body = resourceVersion ? { ...object, metadata: { ...object.metadata, resourceVersion } } : object;
    await resource.apply(body, { manager: planManager, force: true, signal });
  } catch (error) {
    if (!isKubeError(error)) throw error;
    // Not its cause: the request that it tells of has the content of a Secret in it.
    throw new PortError('unknown', `${what}: ${error.message}`, {
      ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    });
  }
}

function sharesOwner(live: KubeObject, object: KubeObject): boolean {
  const owners = new Set(object.metadata.ownerReferences?.map(({ uid }) => uid));
  return live.metadata.ownerReferences?.some(({ uid }) => owners.has(uid)) ?? false;
}
