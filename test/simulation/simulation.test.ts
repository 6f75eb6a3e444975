import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import { openPki, type Pki } from '../../src/embedded/auth/pki.ts';
import { judge } from './judge.ts';
import { type Fault, faults, type Plan, replay } from './plan.ts';
import { type Report, simulate } from './simulate.ts';
import { workloads } from './workload.ts';

/**
 * Every fault at every call would be some two thousand runs. By default every 37th of them runs, which spreads over all
 * faults and calls; `SIMULATION_STRIDE=1` runs them all. `SIMULATION='PLAN'` runs one plan again.
 */
const stride = Number(process.env.SIMULATION_STRIDE ?? 37);
const asked = process.env.SIMULATION === undefined ? undefined : (JSON.parse(process.env.SIMULATION) as Plan);
/** Against runs that hang; says nothing about speed. */
const limit = { timeout: 60 * 60_000 };

let pki: Pki;
const references = new Map<string, Report>();

/** The same workload with the same seed, undisturbed. */
async function reference(workload: string, seed: number): Promise<Report> {
  const key = `${workload} ${seed}`;
  const report = references.get(key) ?? (await simulate({ workload, seed, faults: {} }, pki));
  references.set(key, report);
  return report;
}

async function mustHold(plan: Plan): Promise<void> {
  const undisturbed = await reference(plan.workload, plan.seed);
  const problems = judge(plan, await simulate(plan, pki), undisturbed);
  const where = Object.entries(plan.faults).map(
    ([call, fault]) => `${fault} at ${call}: ${undisturbed.calls[Number(call) - 1]}`,
  );
  expect(problems, `${where.join('; ')}\nrun it again with: ${replay(plan)}`).toEqual([]);
}

beforeAll(async () => {
  pki = await openPki({ clock: realClock });
});

describe.runIf(asked === undefined).each(Object.keys(workloads))('the toy operator through %s', (workload) => {
  it('ends well undisturbed, and the same seed gives the same run', limit, async () => {
    const first = await reference(workload, 1);
    expect(first.violations).toEqual([]);
    expect(first.calls.length).toBeGreaterThan(10);
    expect(await simulate({ workload, seed: 1, faults: {} }, pki)).toEqual(first);
  });

  it('reaches the same end through one fault, wherever it strikes', limit, async () => {
    const { calls } = await reference(workload, 1);
    const plans: Plan[] = [];
    for (let call = 1; call <= calls.length; call++) {
      for (const fault of faults) plans.push({ workload, seed: 1, faults: { [call]: fault } });
    }
    for (const plan of plans.filter((_, index) => index % stride === 0)) await mustHold(plan);
  });

  it('reaches the same end through several faults, under any interleaving', limit, async () => {
    for (let seed = 2; seed < 2 + Math.max(3, 60 / stride); seed++) {
      const { calls } = await reference(workload, seed);
      const random = seededRandom(seed * 7919);
      const some = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)] as T;
      const struck: Record<number, Fault> = {};
      for (let i = 0; i < 3; i++) struck[1 + Math.floor(random.next() * calls.length)] = some(faults);
      await mustHold({ workload, seed, faults: struck });
    }
  });
});

describe.runIf(asked !== undefined)('the plan of SIMULATION', () => {
  it('holds', limit, () => mustHold(asked as Plan));
});
