import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import { openPki, type Pki } from '../../src/embedded/auth/pki.ts';
import { judge } from './judge.ts';
import { calmed, faults, fits, type Plan, replay } from './plan.ts';
import { mischiefIn, randomPlan } from './random-plan.ts';
import { type Report, simulate } from './simulate.ts';
import type { Subject } from './subject.ts';

/** In the short form nobody waits for long at the end. */
const shortQuietMs = 4 * 60_000;

/** Against runs that hang; says nothing about speed. */
const limit = { timeout: 8 * 60 * 60_000 };

export interface SuiteOptions {
  /** Of all single faults and double crashes, every how manyth is tried; `SIMULATION_STRIDE` overrides it, and 1 is all of them. */
  readonly stride: number;
  /** With how many seeds several faults are tried at least; more when the stride is small. */
  readonly seeds: number;
}

/** So many of all plans are tried at least, whatever the stride. */
const least = 3;

/** About every `stride`th, from the beginning to the end; others for each workload. */
function spread<T>(all: readonly T[], stride: number, nth: number): readonly T[] {
  if (all.length === 0) throw new Error('there is nothing to choose from');
  const count = Math.min(all.length, Math.max(least, Math.floor(all.length / stride)));
  const first = ((nth + 1) * 0.618) % 1;
  return Array.from({ length: count }, (_, index) => all[Math.floor(((index + first) * all.length) / count)] as T);
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
 * Tries a subject with no fault, with one at every call, with two crashes, with several faults, and with mischief.
 * `SIMULATION='PLAN'` runs one plan again instead.
 */
export function simulation(subject: Subject, options: SuiteOptions): Simulation {
  const stride = Number(process.env.SIMULATION_STRIDE ?? options.stride);
  const asked = process.env.SIMULATION === undefined ? undefined : (JSON.parse(process.env.SIMULATION) as Plan);
  const calmOf = (workload: string, seed: number): Plan => ({ subject: subject.name, workload, seed, faults: {} });
  const references = new Map<string, Report>();
  let pki: Pki;

  const fresh = (plan: Plan): Promise<Report> =>
    simulate(subject, plan, pki, asked === undefined ? { quietMs: shortQuietMs } : {});

  async function run(plan: Plan): Promise<Report> {
    const key = JSON.stringify(plan);
    const report = references.get(key) ?? (await fresh(plan));
    references.set(key, report);
    return report;
  }

  async function mustHold(plan: Plan): Promise<void> {
    const undisturbed = await run(calmed(plan, subject.mischief));
    const problems = judge(subject, plan, await fresh(plan), undisturbed);
    const where = Object.entries({ ...plan.faults, ...plan.acts }).map(
      ([call, what]) => `${what} at ${call}: ${undisturbed.calls[Number(call) - 1]}`,
    );
    expect(problems, `${where.join('; ')}\nrun it again with: ${replay(plan)}`).toEqual([]);
  }

  beforeAll(async () => {
    pki = await openPki({ clock: realClock });
  });

  describe.runIf(asked === undefined).each(subject.workloads)(`the ${subject.name} operator through %s`, (workload) => {
    const nth = subject.workloads.indexOf(workload);

    it('ends well undisturbed', limit, async () => {
      const { violations, calls } = await run(calmOf(workload, 1));
      expect(violations).toEqual([]);
      expect(calls.length).toBeGreaterThan(10);
    });

    it.runIf(subject.fresh?.workloads.includes(workload))(
      'ends as a new cluster would with the last specs',
      limit,
      async () => {
        const { end, written } = await run(calmOf(workload, 1));
        const made = await simulate(subject, calmOf(workload, 1), pki, { given: written, quietMs: shortQuietMs });
        expect(made.violations).toEqual([]);
        expect(subject.fresh?.essence(made.end)).toEqual(subject.fresh?.essence(end));
      },
    );

    it.runIf(nth === 0)('does the same when the seed is the same', limit, async () => {
      expect(await fresh(calmOf(workload, 1))).toEqual(await run(calmOf(workload, 1)));
    });

    it('reaches the same end through one fault, or two crashes, wherever they strike', limit, async () => {
      const { busy, calls } = await run(calmOf(workload, 1));
      const plans: Plan['faults'][] = [];
      for (let call = 1; call <= busy; call++) {
        const possible = faults.filter(
          (fault) => !subject.spared?.includes(fault) && fits(fault, calls[call - 1] ?? ''),
        );
        plans.push(...possible.map((fault) => ({ [call]: fault })));
        // The second process dies as well, sooner or later.
        plans.push(...[1, 7, 23].map((more) => ({ [call]: 'crash-after', [call + more]: 'crash-after' }) as const));
      }
      for (const struck of spread(plans, stride, nth)) await mustHold({ ...calmOf(workload, 1), faults: struck });
    });

    const seeds = Math.max(options.seeds, Math.floor(60 / stride));
    it.runIf(seeds > 0)('reaches the same end through several faults, under any interleaving', limit, async () => {
      for (let seed = 2; seed < 2 + seeds; seed++) {
        const random = seededRandom(seed * 7919 + nth * 104_729);
        const { acts: _left, ...plan } = randomPlan(
          subject,
          calmOf(workload, seed),
          await run(calmOf(workload, seed)),
          random,
          3,
        );
        await mustHold(plan);
      }
    });

    it.runIf(subject.mischief)('ends as it should whatever somebody does meanwhile', limit, async () => {
      const { busy } = await run(calmOf(workload, 1));
      const names = mischiefIn(subject, workload);
      const plans = names.flatMap((name) =>
        Array.from({ length: busy }, (_, index): Plan => ({ ...calmOf(workload, 1), acts: { [index + 1]: name } })),
      );
      for (const plan of spread(plans, 4 * stride, nth)) await mustHold(plan);
    });
  });

  describe.runIf(asked?.subject === subject.name)('the plan of SIMULATION', () => {
    it('holds', limit, () => mustHold(asked as Plan));
  });

  const reference = (workload: string, seed: number): Promise<Report> => run(calmOf(workload, seed));
  return { reference, mustHold, limit, replaying: asked !== undefined };
}
