import type { Clock } from '../../../clock/clock.ts';

export interface Alarm {
  /** Ends the nap, or the next one if nobody naps: no ring is lost. */
  ring(): void;
  /** Resolves after `ms`, when it rings, or when the signal aborts. */
  nap(ms: number): Promise<void>;
}

/** For one who naps. */
export function alarm(clock: Clock, signal: AbortSignal): Alarm {
  let rung = false;
  let wake = (): void => {};
  const ring = (): void => {
    rung = true;
    wake();
  };
  signal.addEventListener('abort', ring, { once: true });
  return {
    ring,
    async nap(ms) {
      if (!rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const cancel = clock.after(ms, resolve);
          wake = () => {
            cancel();
            resolve();
          };
        });
      }
      rung = false;
    },
  };
}
