import type { Clock } from './clock.ts';

/** A longer delay would overflow Node's timer and fire at once. */
const longest = 2 ** 31 - 1;

/** The machine's clock. Its timers keep the process alive like any other pending work. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    let timer: NodeJS.Timeout;
    const arm = (left: number): void => {
      timer = setTimeout(() => (left > longest ? arm(left - longest) : callback()), Math.min(left, longest));
    };
    arm(Math.max(0, ms));
    return () => clearTimeout(timer);
  },
  busy: () => performance.eventLoopUtilization().active,
};
