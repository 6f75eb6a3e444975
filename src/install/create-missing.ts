import { type Clock, sleep } from '../clock/clock.ts';
import type { Client } from '../kube/client.ts';
import { discover } from '../kube/discover.ts';
import { isKubeError } from '../kube/error.ts';
import type { AnyObject } from '../kube/object.ts';

export interface CreateMissingOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** For how long to try again what may go well later: a kind that is not served yet, a namespace that is not there yet. */
  readonly timeoutMs: number;
  /** Told of each object what became of it. */
  readonly onDone: (object: AnyObject, created: boolean) => void;
}

const pauseMs = 1000;

/**
 * Creates what is not there and changes nothing that is: it needs no right but `create`, and may be run any number of times.
 *
 * Errors: the last `KubeError` of what did not go well in time; at once when the server refuses an object.
 */
export async function createMissing(
  client: Client,
  objects: readonly AnyObject[],
  { clock, signal, timeoutMs, onDone }: CreateMissingOptions,
): Promise<void> {
  const end = clock.monotonic() + timeoutMs;
  for (const object of objects) {
    for (;;) {
      try {
        onDone(object, await created(client, object, signal));
        break;
      } catch (error) {
        // A right may reach the server a moment after the object that it is for.
        const passing = isKubeError(error, 'not-found', 'forbidden') || (isKubeError(error) && error.transient);
        if (!passing || clock.monotonic() + pauseMs > end) throw error;
      }
      await sleep(clock, pauseMs, signal);
    }
  }
}

async function created(client: Client, object: AnyObject, signal: AbortSignal): Promise<boolean> {
  const type = await discover(client, object.apiVersion, object.kind, { signal });
  try {
    await client.resource(type).create(object, { signal });
    return true;
  } catch (error) {
    if (isKubeError(error, 'exists')) return false;
    throw error;
  }
}
