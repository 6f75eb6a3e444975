import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import { openPki, type Pki } from '../../src/embedded/auth/pki.ts';
import { judge } from './judge.ts';
import { type Fault, faults, type Plan, replay, survivable } from './plan.ts';
import { type Report, simulate } from './simulate.ts';
import { workloads } from './workload.ts';

/**
 * Every fault at every call would be some four thousand runs. By default every 67th of them runs, which spreads over all
 * faults and calls; `SIMULATION_STRIDE=1` runs them all. `SIMULATION='PLAN'` runs one plan again.
 */
const stride = Number(process.env.SIMULATION_STRIDE ?? 67);
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
      const random = seededRandom(seed * 7919 + Object.keys(workloads).indexOf(workload) * 104_729);
      const some = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)] as T;
      const struck: Record<number, Fault> = {};
      while (Object.keys(struck).length < 3) {
        const fault = some(faults);
        if (!survivable([...Object.values(struck), fault])) continue;
        struck[1 + Math.floor(random.next() * calls.length)] = fault;
      }
      await mustHold({ workload, seed, faults: struck });
    }
  });
});

describe.runIf(asked === undefined)('a wait that is stored as an instant', () => {
  it('ends in good time although the clock is set back meanwhile', limit, async () => {
    const workload = 'forgetful';
    const { calls } = await reference(workload, 1);
    // Again and again the measurement is begun and not carried out; before each try stands a wait.
    const measured = calls.findIndex((call) => call.startsWith('call factory.measure'));
    const from = calls.findLastIndex((call, index) => index < measured && call.startsWith('POST'));
    expect(measured - from).toBeGreaterThan(5);
    for (let call = from + 1; call <= measured; call++) {
      await mustHold({ workload, seed: 1, faults: { [call]: 'clock-back' } });
    }
  });
});

describe.runIf(asked !== undefined)('the plan of SIMULATION', () => {
  it('holds', limit, () => mustHold(asked as Plan));
});
