import { type Clock, sleep } from '../../../clock/clock.ts';
import type { Random } from '../../../clock/random.ts';
import type { Client } from '../../../kube/client.ts';
import { isKubeError } from '../../../kube/error.ts';
import { Backoff } from '../../../kube/reflector/backoff.ts';
import type { ResourceType } from '../../../kube/resource-type.ts';

export interface NamedWatch {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly type: ResourceType;
  readonly namespace?: string;
  readonly name: string;
  readonly signal: AbortSignal;
  /** Something happened to the object, or may have happened unseen. */
  readonly onChange: () => void;
}

/** The server ends the watch after so long, which is a look at the object even if a dead connection told nothing. */
const timeoutSeconds = 300;
const graceMs = 15_000;

/**
 * Says when the one object of a name may have changed, until the signal aborts. It shows nothing of the object and lists
 * nothing: a right to watch this name is enough. Where even that is missing it says so every half a minute at least.
 */
export async function watchNamed(options: NamedWatch): Promise<void> {
  const { clock, random, signal, onChange } = options;
  const backoff = new Backoff(clock, random);
  while (!signal.aborted) {
    const started = clock.monotonic();
    const trouble = await once(options);
    if (signal.aborted) return;
    onChange();
    // A server that ends watches at once is in trouble too.
    if (trouble || clock.monotonic() - started < 1000) {
      await sleep(clock, backoff.next(trouble?.retryAfterMs), signal).catch(() => {});
    }
  }
}

async function once({ client, clock, type, namespace, name, signal, onChange }: NamedWatch) {
  const silent = new AbortController();
  const cancel = clock.after(timeoutSeconds * 1000 + graceMs, () => silent.abort());
  try {
    const events = client.resource(type).watch({
      ...(namespace !== undefined && { namespace }),
      fieldSelector: { 'metadata.name': name },
      metadataOnly: true,
      allowWatchBookmarks: false,
      timeoutSeconds,
      signal: AbortSignal.any([signal, silent.signal]),
    });
    for await (const _ of events) onChange();
    return undefined;
  } catch (error) {
    return { retryAfterMs: isKubeError(error) ? (error.retryAfterMs ?? 0) : 0 };
  } finally {
    cancel();
  }
}
