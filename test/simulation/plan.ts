/** What goes wrong at one call of the process under test. */
export type Fault =
  /** The process dies before the call is sent. */
  | 'crash-before'
  /** The call takes effect, then the process dies. */
  | 'crash-after'
  /** The call is never sent; the process sees a broken connection. */
  | 'lose-request'
  /** The call takes effect; the process sees a broken connection. */
  | 'lose-answer'
  /** The call takes effect after ten seconds, when the process has long stopped waiting for it. */
  | 'late-effect'
  /** The server answers 500, 429 or 409 and does nothing. */
  | 'server-error'
  | 'throttle'
  | 'conflict'
  /** The watches fall silent for 20 seconds; what they would have told comes afterwards. */
  | 'freeze'
  /** The watches begin anew at a server that lags: what was seen before is taken back, and told again later. */
  | 'rewind'
  /** The process does not run for 20 seconds, longer than its lease lasts. */
  | 'pause'
  /** Somebody sets the wall clock an hour ahead or back. Monotonic time and timers do not notice. */
  | 'clock-ahead'
  | 'clock-back';

export const faults: readonly Fault[] = [
  'crash-before',
  'crash-after',
  'lose-request',
  'lose-answer',
  'late-effect',
  'server-error',
  'throttle',
  'conflict',
  'freeze',
  'rewind',
  'pause',
  'clock-ahead',
  'clock-back',
];

/**
 * Whether anybody could live through both. While a request is on its way, a wait that is stored as an instant is all
 * that keeps a later process from sending it once more; a wall clock that leaps over that wait takes it away.
 */
export function survivable(together: readonly Fault[]): boolean {
  return !(together.includes('late-effect') && together.includes('clock-ahead'));
}

/** A run of the simulation, whole: the same plan always gives the same run. */
export interface Plan {
  /** What is simulated. */
  readonly subject: string;
  readonly workload: string;
  /** Decides latencies, and with them how everything interleaves. */
  readonly seed: number;
  /** By the number of the call, counted from 1 over all processes of the run. */
  readonly faults: Readonly<Record<number, Fault>>;
}

/** How to run a plan again. */
export function replay(plan: Plan): string {
  return `SIMULATION='${JSON.stringify(plan)}' npx vitest run test/simulation/${plan.subject}`;
}
