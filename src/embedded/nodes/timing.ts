import type { Random } from '../../clock/random.ts';

/** How long things take on a node, in milliseconds: from, to. Chosen so that a rollout can be watched, not waited for. */
export interface Timing {
  /** From being told of a pod to its sandbox with an address. */
  readonly sandbox: Span;
  /** The first pull of an image on a node. */
  readonly pull: Span;
  /** From an image to a running process. */
  readonly start: Span;
  /** From a running process to its first successful probe, for containers that have one. */
  readonly warmUp: Span;
}

export type Span = readonly [from: number, to: number];

export const usualTiming: Timing = {
  sandbox: [150, 400],
  pull: [300, 1200],
  start: [50, 150],
  warmUp: [300, 1500],
};

/** A moment within the span. */
export function within([from, to]: Span, random: Random): number {
  return Math.round(from + random.next() * (to - from));
}

const [firstBackOff, lastBackOff] = [10_000, 300_000];

/** How long to wait before the n-th try (from 1 on) of something that keeps failing: 10 s, doubled up to 5 min. */
export function backOff(tries: number): number {
  return Math.min(lastBackOff, firstBackOff * 2 ** (tries - 1));
}

/** As Go prints a duration of whole seconds: `10s`, `1m20s`, `5m0s`. */
export function goDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
