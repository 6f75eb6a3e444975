import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../src/kube/client.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';

/** Calls for every object of a namespace as it comes and changes, and when it has gone; until the signal aborts. */
export async function follow<T extends KubeObject>(
  client: Client,
  type: ResourceType,
  scope: { readonly namespace: string; readonly signal: AbortSignal },
  seen: (object: T, isGone: boolean) => void,
): Promise<void> {
  while (!scope.signal.aborted) {
    try {
      const watch = client.resource<T>(type).watch({ ...scope, withoutManagedFields: true });
      for await (const event of watch) if (event.type !== 'BOOKMARK') seen(event.object, event.type === 'DELETED');
    } catch {
      // The watch begins anew, with all objects once more.
      await delay(100);
    }
  }
}
