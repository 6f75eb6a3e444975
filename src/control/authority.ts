import type { LeaderLease } from './lease.ts';

/**
 * The right to act on one key for as long as it says yes. It belongs to one tenure: what was lost and won again meanwhile is
 * another right, so that nobody goes on with what was seen before somebody else had it.
 */
export type Permit = () => boolean;

/** Why nothing may be acted on any more: the lease was lost, or somebody asked for it. */
export type Over = 'lost' | 'yielded';

/** What decides whether this process may act, and on which keys. */
export interface Authority {
  /** The right to begin to act on what has this place, if it is ours now. */
  permit(place: string): Permit | undefined;
  /** Resolves to true when acting may begin, to false when the signal aborts before. */
  begin(signal: AbortSignal): Promise<boolean>;
  /** Aborts when this process is to end, with the reason `Over`. Until `end` what is in hand may be finished, if it was not lost. */
  readonly over: AbortSignal;
  /** Gives everything back. Call it when nothing acts any more. */
  end(): Promise<void>;
}

/** For whoever is alone: a single replica, or one that only looks. */
export function alone(): Authority {
  const always: Permit = () => true;
  return {
    permit: () => always,
    begin: async (signal) => !signal.aborted,
    over: new AbortController().signal,
    end: async () => {},
  };
}

/** One of several acts, and on everything: the one that has the lease. */
export function leadership(lease: LeaderLease): Authority {
  const held: Permit = () => lease.held();
  return {
    permit: () => (held() ? held : undefined),
    begin: (signal) => lease.acquire(signal),
    over: overOf(lease),
    end: () => lease.release(),
  };
}

/** Aborts when the lease is lost or asked for. */
export function overOf(lease: LeaderLease): AbortSignal {
  const over = new AbortController();
  const end = (why: Over) => (): void => over.abort(why);
  lease.lost.addEventListener('abort', end('lost'), { once: true });
  lease.asked.addEventListener('abort', end('yielded'), { once: true });
  return over.signal;
}
