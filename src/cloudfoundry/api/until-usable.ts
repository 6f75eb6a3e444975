import { sleep } from '../../clock/clock.ts';
import type { Condition } from '../../control/conditions.ts';
import { isKubeError } from '../../kube/error.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { Caller, Platform } from './platform.ts';
import { conditionOf } from './present/condition-of.ts';
import type { CfKind } from './read-as.ts';
import { until } from './until.ts';

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
  const { clock } = platform;
  const deadline = clock.monotonic() + patienceMs;
  const isReady = ({ status }: T): boolean => conditionOf(status, 'Ready')?.status === 'True';
  const last = await until(platform, kind, place, isReady, patienceMs);
  if (!isReady(last)) return { place: last, usable: false };
  while (!(within.isKnown() && (await mayList(caller, within.type, last.metadata.name ?? '')))) {
    if (clock.monotonic() >= deadline) return { place: last, usable: false };
    await sleep(clock, beatMs);
  }
  return { place: last, usable: true };
}

async function mayList(caller: Caller, type: ResourceType, namespace: string): Promise<boolean> {
  try {
    await caller.client.resource(type).list({ namespace, limit: 1, metadataOnly: true });
    return true;
  } catch (error) {
    if (isKubeError(error)) return false;
    throw error;
  }
}
