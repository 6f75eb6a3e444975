import type { Clock } from '../clock/clock.ts';
import { KubeError } from './error.ts';

/** A signal for one piece of work: it aborts with the caller's signal, or when time is up. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Time no longer counts; the caller's signal still does. */
  lift(): void;
  /** The work is over: forgets timer and listener. Must be called, or the caller's signal keeps a listener. */
  done(): void;
  /** What an error of the work really means: `aborted` becomes `unreachable` when it was the clock that ended it. */
  explain(error: unknown): unknown;
}

/** Starts the clock for work that may take `ms` and that the caller may end through `outer`. */
export function deadline(clock: Clock, ms: number, outer: AbortSignal | undefined, what: string): Deadline {
  const controller = new AbortController();
  let late = false;
  const lift = clock.after(ms, () => {
    late = true;
    controller.abort();
  });
  const onAbort = (): void => controller.abort(outer?.reason);
  if (outer?.aborted) onAbort();
  else outer?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    lift,
    done() {
      lift();
      outer?.removeEventListener('abort', onAbort);
    },
    explain(error) {
      if (!late) return error;
      return new KubeError('unreachable', `${what}: no answer within ${ms / 1000} s`, { cause: error });
    },
  };
}
