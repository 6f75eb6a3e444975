import type { Clock } from '../../clock/clock.ts';
import type { Client } from '../../kube/client.ts';
import type { Who } from './identity-of.ts';

/** Somebody whom Kubernetes has vouched for, and his own connections to it. */
export interface KeptCaller {
  readonly client: Client;
  readonly who: Who;
  /** Until then it is believed who he is. */
  readonly until: number;
}

interface KeptCallers {
  /** Counts as use of it. */
  get(key: string): KeptCaller | undefined;
  /** Keeps who somebody is. His client stays the same for as long as he is kept; `make` is called when he has none. */
  keep(key: string, who: Who, make: () => Client): KeptCaller;
  /** Believes no longer who he is. */
  doubt(key: string): void;
  /** Ends all that he has under way. */
  drop(key: string): void;
  /** Closes every client. Nothing is left that would keep the process alive. */
  close(): Promise<void>;
}

/** For so long it is believed who a caller is. Kubernetes itself asks at every request: this is only about his name. */
const believedMs = 60_000;
/** What a client that had to make room may still have under way is over by then. */
const lastCallsMs = 90_000;
/** Whoever has not been heard of for so long has nothing under way, and his credentials are not kept any longer. */
const idleMs = 300_000;

type Kept = KeptCaller & { readonly usedAt: number };

/** At most `limit` callers at once: the one not heard of for longest makes room. As many clients may still be finishing. */
export function keptCallers(clock: Clock, limit: number): KeptCallers {
  /** The one used last is the last. */
  const kept = new Map<string, Kept>();
  const finishing = new Map<Client, () => void>();
  let stopSweep: (() => void) | undefined;

  const end = (client: Client): Promise<void> => {
    finishing.get(client)?.();
    finishing.delete(client);
    // A connection that cannot be closed is closed already.
    return client.close().catch(() => undefined);
  };
  const makeRoom = (): void => {
    for (const [key, { client }] of kept) {
      if (kept.size <= limit) break;
      kept.delete(key);
      finishing.set(
        client,
        clock.after(lastCallsMs, () => void end(client)),
      );
    }
    for (const client of finishing.keys()) {
      if (finishing.size <= limit) break;
      void end(client);
    }
  };
  const sweep = (): void => {
    stopSweep = undefined;
    for (const [key, { client, usedAt }] of kept) {
      const left = usedAt + idleMs - clock.monotonic();
      if (left > 0) {
        stopSweep = clock.after(left, sweep);
        return;
      }
      kept.delete(key);
      void end(client);
    }
  };
  const use = (key: string, caller: KeptCaller): Kept => {
    const used = { ...caller, usedAt: clock.monotonic() };
    kept.delete(key);
    kept.set(key, used);
    return used;
  };

  return {
    get(key) {
      const caller = kept.get(key);
      return caller && use(key, caller);
    },

    keep(key, who, make) {
      const client = kept.get(key)?.client ?? make();
      const caller = use(key, { client, who, until: clock.monotonic() + believedMs });
      makeRoom();
      stopSweep ??= clock.after(idleMs, sweep);
      return caller;
    },

    doubt(key) {
      const caller = kept.get(key);
      if (caller) kept.set(key, { ...caller, until: clock.monotonic() });
    },

    drop(key) {
      const caller = kept.get(key);
      kept.delete(key);
      if (caller) void end(caller.client);
    },

    async close() {
      stopSweep?.();
      stopSweep = undefined;
      const all = [...[...kept.values()].map(({ client }) => client), ...finishing.keys()];
      kept.clear();
      await Promise.all(all.map(end));
    },
  };
}
