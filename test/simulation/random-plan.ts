import type { Random } from '../../src/clock/random.ts';
import { type Fault, faults, type Plan, survivable } from './plan.ts';
import type { Report } from './simulate.ts';
import type { Subject } from './subject.ts';

/**
 * A plan with up to `most` faults, struck while people are at work in the undisturbed run. Half of those with several have
 * them close to each other, so that the second strikes while the first is being recovered from.
 */
export function randomPlan(subject: Subject, undisturbed: Plan, { busy }: Report, random: Random, most: number): Plan {
  const below = (count: number): number => Math.floor(random.next() * count);
  const count = 1 + below(most);
  const close = random.next() < 0.5;
  const first = 1 + below(busy);
  const struck: Record<number, Fault> = {};
  for (let tries = 0; Object.keys(struck).length < count && tries < 20; tries++) {
    const call = tries === 0 ? first : close ? first + below(30) : 1 + below(busy);
    const fault = faults[below(faults.length)] as Fault;
    const possible = !subject.spared?.includes(fault) && survivable([...Object.values(struck), fault]);
    if (possible) struck[call] = fault;
  }
  const { acts: _none, ...calm } = undisturbed;
  const mischief = mischiefIn(subject, undisturbed.workload);
  const act = random.next() < 0.3 ? mischief[below(mischief.length)] : undefined;
  return { ...calm, faults: struck, ...(act !== undefined && { acts: { [1 + below(busy)]: act } }) };
}

/** What may be done in a workload besides it. */
export function mischiefIn({ mischief = {} }: Subject, workload: string): readonly string[] {
  return Object.keys(mischief).filter((name) => mischief[name]?.workloads?.includes(workload) ?? true);
}
