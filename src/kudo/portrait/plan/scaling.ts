import type { PlannedStep } from '../../../portrait/plan.ts';
import { counted, names } from '../wording.ts';
import type { Cost } from './availability.ts';
import type { Fate } from './consequences.ts';
import { replicasOf } from './replicas-of.ts';

/** How many pods a workload that stays gets or loses. */
export interface Scaling {
  readonly from: number;
  readonly to: number;
}

/** `undefined` when its number of pods stays, or nobody knows it. */
export function scalingOf({ does, live, before, wanted }: Fate): Scaling | undefined {
  const [from, to] = [replicasOf(live ?? before), replicasOf(wanted)];
  return does === 'change' && from !== undefined && to !== undefined && from !== to ? { from, to } : undefined;
}

export function scalingStep({ kind, name }: Fate, { from, to }: Scaling, where: string): PlannedStep {
  const count = Math.abs(to - from);
  const first = Math.min(from, to);
  // The pods of a StatefulSet are numbered, and the last ones come and go.
  const numbered = Array.from({ length: Math.min(count, 20) }, (_, at) => `${name}-${first + at}`);
  const pods = count === 1 ? 'pod' : 'pods';
  const what = kind === 'StatefulSet' ? `${pods} ${names(numbered)}` : `${counted(count, 'pod')} of ${kind} ${name}`;
  return { symbol: to > from ? '+' : '-', what, detail: `step ${where}; replicas ${from} → ${to}` };
}

/** What it costs that pods go. */
export function costOfScaling({ kind, name }: Fate, { from, to }: Scaling): readonly Cost[] {
  if (to >= from) return [];
  const title = `${kind} ${name}`;
  if (to === 0) return [{ serves: 'interrupted', sentence: `${title} is left without pods`, surge: 0 }];
  return [{ serves: 'reduced', sentence: `${from - to} of ${counted(from, 'pod')} of ${title} go`, surge: 0 }];
}
