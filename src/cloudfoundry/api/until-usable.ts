import { sleep } from '../../clock/clock.ts';
import type { Condition } from '../../control/conditions.ts';
import { isKubeError } from '../../kube/error.ts';
import type { KubeObject } from '../../kube/object.ts';
import { nameOf } from '../../kube/resource.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { Caller, Platform } from './platform.ts';
import { conditionOf } from './present/condition-of.ts';
import type { CfKind } from './read-as.ts';

/** How long a client is kept waiting for a namespace. */
const patienceMs = 10_000;
/** How often it is tried whether roles have arrived. */
const beatMs = 100;

/** An object that says in its status whether it is ready. */
type Place = KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] } };

/**
 * Waits until an organization or space can be used: it is ready, and the caller's roles have come to it. Answers the object as it
 * is then, and whether it came to that in time.
 */
export async function untilUsable<T extends Place>(
  platform: Platform,
  caller: Caller,
  kind: CfKind,
  place: T,
  within: { readonly type: ResourceType; readonly isKnown: () => boolean },
): Promise<{ readonly place: T; readonly usable: boolean }> {
  const ended = new AbortController();
  const callOff = platform.clock.after(patienceMs, () => ended.abort());
  let last = place;
  try {
    for await (const { type, object } of platform.client.resource<T>(kind.type).watch({
      ...(place.metadata.namespace && { namespace: place.metadata.namespace }),
      fieldSelector: { 'metadata.name': place.metadata.name ?? '' },
      signal: ended.signal,
    })) {
      if (type !== 'ADDED' && type !== 'MODIFIED') continue;
      last = object as T;
      if (conditionOf(last.status, 'Ready')?.status === 'True') break;
    }
    while (!(within.isKnown() && (await mayList(caller, within.type, nameOf(place).name)))) {
      await sleep(platform.clock, beatMs, ended.signal);
    }
    return { place: last, usable: true };
  } catch (error) {
    if (!ended.signal.aborted && !isKubeError(error)) throw error;
    return { place: last, usable: false };
  } finally {
    callOff();
    ended.abort();
  }
}

async function mayList(caller: Caller, type: ResourceType, namespace: string): Promise<boolean> {
  try {
    await caller.client.resource(type).list({ namespace, limit: 1, metadataOnly: true });
    return true;
  } catch (error) {
    if (isKubeError(error, 'forbidden', 'not-found')) return false;
    throw error;
  }
}
