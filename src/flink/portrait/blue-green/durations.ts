import type { Status } from '../../decide/bluegreen/blue-green-case.ts';
import { instantOf } from '../../decide/instant-text.ts';

/** How long transitions took before, from those in the history that were promoted. */
export interface Durations {
  /** Of how many transitions this is known. */
  readonly count: number;
  /** All of it, on average. */
  readonly totalMs: number;
  /** On average, by phase. */
  readonly phases: ReadonlyMap<string, number>;
}

/** Undefined when none was promoted yet. The first deployment took no other side's place and does not count. */
export function durationsOf({ history = [] }: Status): Durations | undefined {
  const totals: number[] = [];
  const byPhase = new Map<string, number[]>();
  for (const { outcome, from, startedAt, endedAt, steps = [] } of history) {
    const [begin, end] = [instantOf(startedAt), instantOf(endedAt)];
    if (outcome !== 'promoted' || !from || begin === undefined || end === undefined || end < begin) continue;
    totals.push(end - begin);
    for (const [index, step] of steps.entries()) {
      const [at, until] = [instantOf(step.startedAt), instantOf(steps[index + 1]?.startedAt ?? endedAt)];
      if (at === undefined || until === undefined || until < at) continue;
      byPhase.set(step.phase, [...(byPhase.get(step.phase) ?? []), until - at]);
    }
  }
  if (totals.length === 0) return undefined;
  return {
    count: totals.length,
    totalMs: mean(totals),
    phases: new Map([...byPhase].map(([phase, times]) => [phase, mean(times)])),
  };
}

function mean(times: readonly number[]): number {
  return Math.round(times.reduce((sum, one) => sum + one, 0) / times.length);
}
