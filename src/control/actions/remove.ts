import { isKubeError, KubeError } from '../../kube/error.ts';
import { find, isGone } from '../../kube/find.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { RemoveAction } from '../decision.ts';
import { type Did, describe, type Hands, nameOfRef } from './hands.ts';
import type { Journal } from './journal.ts';

/** Deletes or evicts exactly this object. Gone is success. Skipped when it is on its way out already. */
export async function remove(action: RemoveAction, journal: Journal, hands: Hands, signal: AbortSignal): Promise<Did> {
  const { of } = action;
  const name = nameOfRef(of);
  const type = hands.kinds(of.apiVersion, of.kind);
  const seen = hands.mirror.peek(type, name);
  if (seen && isLeaving(seen, action)) return 'skipped';
  await journal.prove(hands, signal);
  const { uid, resourceVersion } = of;
  const preconditions = resourceVersion ? { uid, resourceVersion } : { uid };
  const resource = hands.client.resource(type);
  try {
    if (action.do === 'evict') {
      await resource.evict(name, { preconditions, signal });
      // The answer says nothing about the pod; without a look at it the next view might show it as it was.
      const left = await resource.get(name, { signal });
      if (left.metadata.uid === uid) hands.mirror.wrote(type, left);
      else hands.mirror.removed(type, name, uid);
      return 'acted';
    }
    const answer = await resource.delete(name, {
      preconditions,
      propagationPolicy: action.propagation ?? 'Background',
      signal,
    });
    if (answer.kind !== 'Status' && 'uid' in answer.metadata && answer.metadata.deletionTimestamp) {
      hands.mirror.wrote(type, answer as Parameters<Hands['mirror']['wrote']>[1]);
    } else {
      hands.mirror.removed(type, name, uid);
    }
  } catch (error) {
    if (!isKubeError(error, 'not-found')) throw error;
    if (!isGone(error, name)) await mustBeGone(type, action, hands, signal);
    hands.mirror.removed(type, name, uid);
  }
  return 'acted';
}

/** Whoever took an object for gone that a server does not find without naming it would wait for ever for what hangs on it. */
async function mustBeGone(type: ResourceType, { of }: RemoveAction, hands: Hands, signal: AbortSignal): Promise<void> {
  const left = await find(hands.client.resource(type), nameOfRef(of), { signal }).catch((error) => {
    // Whoever may delete may not always look: then it is tried again.
    throw isKubeError(error, 'forbidden') ? new KubeError('server', error.message, { cause: error }) : error;
  });
  if (left?.metadata.uid === of.uid) {
    throw new KubeError('server', `${describe(of)} was said not to be found, and is there`);
  }
}

/** Whether it is on its way out already. */
export function isLeaving(seen: KubeObject, { of }: RemoveAction): boolean {
  return seen.metadata.uid === of.uid && seen.metadata.deletionTimestamp !== undefined;
}
