import type { Subject } from './subject.ts';

/** What goes wrong at one call of the process under test. */
export type Fault = (typeof faults)[number];

export const faults = [
  /** The process dies before the call is sent. */
  'crash-before',
  /** The call takes effect, then the process dies. */
  'crash-after',
  /** The call is never sent; the process sees a broken connection. */
  'lose-request',
  /** The call takes effect; the process sees a broken connection. */
  'lose-answer',
  /** The call takes effect after ten seconds, when the process has long stopped waiting for it. */
  'late-effect',
  /** Nobody answers; the process waits until its own patience ends. */
  'hang',
  /** The server answers 500, 429 or 409 and does nothing. */
  'server-error',
  'throttle',
  'conflict',
  /** The server answers a write with 404 or 422 and does nothing. */
  'not-found',
  'invalid',
  /** Nobody can reach the server for 30 seconds, or for ten minutes. */
  'outage',
  'long-outage',
  /** The watches fall silent for 20 seconds; what they would have told comes afterwards. */
  'freeze',
  /** The watches begin anew at a server that lags: it lists what was before what it has told, and tells that again later. */
  'rewind',
  /** The server has forgotten what came when (410): the watches begin anew with what is there. */
  'relist',
  /** The watches are away for 20 seconds and begin anew: what came and went meanwhile is never told. */
  'unseen',
  /** For 20 seconds every event is told twice. */
  'duplicate',
  /** For 20 seconds each kind has a delay of its own: what happened first is not heard of first. */
  'reorder',
  /** The watches break off in the middle of a line. */
  'cut',
  /** The process does not run for 20 seconds, longer than its lease lasts. */
  'pause',
  /** The same, for longer, and meanwhile another process takes over: two believe that they lead. */
  'deputy',
  /** Somebody sets the wall clock an hour ahead or back. Monotonic time and timers do not notice. */
  'clock-ahead',
  'clock-back',
] as const;

/**
 * Whether anybody could live through both. While a request is on its way, a wait that is stored as an instant is all
 * that keeps a later process from sending it once more; a wall clock that leaps over that wait takes it away.
 */
export function survivable(together: readonly Fault[]): boolean {
  return !(together.includes('late-effect') && together.includes('clock-ahead'));
}

/** Whether a fault can strike at a call: some are answers to writes only. */
export function fits(fault: Fault, call: string): boolean {
  const isWrite = /^(POST|PUT|PATCH|DELETE) /.test(call) && !call.includes('/proxy/');
  return isWrite || (fault !== 'not-found' && fault !== 'invalid');
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
  /**
   * What somebody does at the moment of a call, by its number; when people are done if it was not made by then, as 0 never is.
   * See `Subject.mischief`.
   */
  readonly acts?: Readonly<Record<number, string>>;
}

/** The run that a plan is compared with: undisturbed, with what somebody does done after all else if it counts. */
export function calmed(plan: Plan, mischief: Subject['mischief'] = {}): Plan {
  const { acts = {}, ...rest } = plan;
  const later = Object.values(acts).find((name) => mischief[name]?.end === 'as if later');
  return { ...rest, faults: {}, ...(later !== undefined && { acts: { 0: later } }) };
}

/** How to run a plan again. */
export function replay(plan: Plan): string {
  return `SIMULATION='${JSON.stringify(plan)}' npx vitest run test/simulation/${plan.subject}`;
}
