import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import { openPki, type Pki } from '../../src/embedded/auth/pki.ts';
import { judge } from './judge.ts';
import { type Fault, faults, type Plan, replay, survivable } from './plan.ts';
import { type Report, simulate } from './simulate.ts';
import type { Subject } from './subject.ts';

/** Against runs that hang; says nothing about speed. */
const limit = { timeout: 8 * 60 * 60_000 };

export interface SuiteOptions {
  /** Of all single faults, every how manyth is tried; `SIMULATION_STRIDE` overrides it, and 1 is all of them. */
  readonly stride: number;
  /** With how many seeds several faults are tried at least. */
  readonly seeds: number;
}

/** What a test file may do with its subject beyond the suite. */
export interface Simulation {
  /** The same workload with the same seed, undisturbed. */
  reference(workload: string, seed: number): Promise<Report>;
  mustHold(plan: Plan): Promise<void>;
  readonly limit: { readonly timeout: number };
  /** Whether one plan was asked for instead of the suite. */
  readonly replaying: boolean;
}

/**
 * Tries a subject with no fault, with one at every call, and with several. `SIMULATION='PLAN'` runs one plan again
 * instead.
 */
export function simulation(subject: Subject, options: SuiteOptions): Simulation {
  const stride = Number(process.env.SIMULATION_STRIDE ?? options.stride);
  const asked = process.env.SIMULATION === undefined ? undefined : (JSON.parse(process.env.SIMULATION) as Plan);
  const about = { subject: subject.name };
  const references = new Map<string, Report>();
  let pki: Pki;

  async function reference(workload: string, seed: number): Promise<Report> {
    const key = `${workload} ${seed}`;
    const report = references.get(key) ?? (await simulate(subject, { ...about, workload, seed, faults: {} }, pki));
    references.set(key, report);
    return report;
  }

  async function mustHold(plan: Plan): Promise<void> {
    const undisturbed = await reference(plan.workload, plan.seed);
    const problems = judge(subject, plan, await simulate(subject, plan, pki), undisturbed);
    const where = Object.entries(plan.faults).map(
      ([call, fault]) => `${fault} at ${call}: ${undisturbed.calls[Number(call) - 1]}`,
    );
    expect(problems, `${where.join('; ')}\nrun it again with: ${replay(plan)}`).toEqual([]);
  }

  beforeAll(async () => {
    pki = await openPki({ clock: realClock });
  });

  describe.runIf(asked === undefined).each(subject.workloads)(`the ${subject.name} operator through %s`, (workload) => {
    it('ends well undisturbed, and the same seed gives the same run', limit, async () => {
      const first = await reference(workload, 1);
      expect(first.violations).toEqual([]);
      expect(first.calls.length).toBeGreaterThan(10);
      expect(await simulate(subject, { ...about, workload, seed: 1, faults: {} }, pki)).toEqual(first);
    });

    it('reaches the same end through one fault, wherever it strikes', limit, async () => {
      const { busy } = await reference(workload, 1);
      const plans: Plan[] = [];
      for (let call = 1; call <= busy; call++) {
        for (const fault of faults) plans.push({ ...about, workload, seed: 1, faults: { [call]: fault } });
      }
      for (const plan of plans.filter((_, index) => index % stride === 0)) await mustHold(plan);
    });

    it('reaches the same end through several faults, under any interleaving', limit, async () => {
      for (let seed = 2; seed < 2 + Math.max(options.seeds, 60 / stride); seed++) {
        const { busy } = await reference(workload, seed);
        const random = seededRandom(seed * 7919 + subject.workloads.indexOf(workload) * 104_729);
        const some = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)] as T;
        const struck: Record<number, Fault> = {};
        while (Object.keys(struck).length < 3) {
          const fault = some(faults);
          if (!survivable([...Object.values(struck), fault])) continue;
          struck[1 + Math.floor(random.next() * busy)] = fault;
        }
        await mustHold({ ...about, workload, seed, faults: struck });
      }
    });
  });

  describe.runIf(asked?.subject === subject.name)('the plan of SIMULATION', () => {
    it('holds', limit, () => mustHold(asked as Plan));
  });

  return { reference, mustHold, limit, replaying: asked !== undefined };
}
