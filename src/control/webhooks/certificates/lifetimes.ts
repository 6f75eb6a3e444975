const minute = 60_000;
const day = 24 * 60 * minute;

export interface Lifetimes {
  readonly authorityMs: number;
  readonly leafMs: number;
  /**
   * How long the configurations must have carried a new authority before anything that it signed is served: API servers read
   * them by a watch of their own. Nothing is in a hurry then, so it is far longer than any watch lags.
   */
  readonly settleMs: number;
  /** How long an authority stays after its end: clocks differ, and one that has ended vouches for nothing anyway. */
  readonly graceMs: number;
}

/** Both are renewed when two thirds are over, so a month and more is left for what hinders it to be seen and mended. */
export const usualLifetimes: Lifetimes = {
  authorityMs: 365 * day,
  leafMs: 90 * day,
  settleMs: 10 * minute,
  graceMs: day,
};
