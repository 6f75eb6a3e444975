import type { Cached } from '../../control/caches.ts';
import type { Client } from '../../kube/client.ts';
import { find } from '../../kube/find.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ObjectName } from '../../kube/path.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { compareVersions } from '../../kube/reflector/resource-version.ts';
import type { ResourceType } from '../../kube/resource-type.ts';

/** After so long something is looked at again that waits for what no cache has shown: perhaps none tells when it is gone. */
export const unheardMs = 10_000;

/** Whom to ask for what a cache may not show, before something is done that cannot be undone. */
export interface Server {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** An object as the API server has it, or `undefined` when it has none. Errors: `KubeError` when it cannot be asked just now. */
export function askedFor<T extends KubeObject>(
  type: ResourceType,
  at: ObjectName,
  { client, signal }: Server,
): Promise<T | undefined> {
  return find(client.resource<T>(type), at, { signal });
}

/**
 * All that the API server has, in one namespace or in all; each as the cache shows it where that is newer, for what was written while the
 * answer was on its way is seen there first. Errors: as `askedFor`.
 */
export async function askedForAll<T extends KubeObject>(
  { type, get }: Pick<Cached<T>, 'type' | 'get'>,
  namespace: string | undefined,
  { client, signal }: Server,
): Promise<readonly T[]> {
  const { items } = await client.resource<T>(type).list({ signal, ...(namespace !== undefined && { namespace }) });
  return items.map((item) => {
    const cached = get(keyOf(item));
    return cached && isNewer(cached, item) ? cached : item;
  });
}

/** Whether it was written after the other, or after the list, that the API server gave. */
export function isNewer({ metadata: a }: KubeObject, { metadata: b }: Pick<KubeObject, 'metadata'>): boolean {
  return (compareVersions(a.resourceVersion ?? '', b.resourceVersion ?? '') ?? -1) > 0;
}
