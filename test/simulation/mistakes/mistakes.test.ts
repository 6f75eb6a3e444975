import { beforeAll, describe, expect, it } from 'vitest';
import { realClock } from '../../../src/clock/real.ts';
import { openPki, type Pki } from '../../../src/embedded/auth/pki.ts';
import type { Report } from '../simulate.ts';
import { calmOf, killOf, run, strikingAt, wrongWith } from './kill.ts';
import { kills } from './kills.ts';
import type { Mistake } from './mistake.ts';
import { mistakes } from './mistakes.ts';

/** Against runs that hang; says nothing about speed. */
const limit = { timeout: 60 * 60_000 };

describe('a known mistake, made on purpose', () => {
  const references = new Map<string, Report>();
  let pki: Pki;

  beforeAll(async () => {
    pki = await openPki({ clock: realClock });
  });

  async function referenceOf(mistake: Mistake): Promise<Report> {
    const key = `${mistake.subject} ${mistake.workload}`;
    const report = references.get(key) ?? (await run(mistake, calmOf(mistake), pki, {}));
    references.set(key, report);
    return report;
  }

  it('is one of many, of every family and every class, and none goes unnoticed', () => {
    expect(mistakes.length).toBeGreaterThanOrEqual(20);
    expect(new Set(mistakes.map(({ name }) => name)).size).toBe(mistakes.length);
    expect(Object.keys(kills)).toEqual(mistakes.map(({ name }) => name));
    expect(new Set(mistakes.map(({ subject }) => subject)).size).toBe(5);
    expect(new Set(mistakes.map(({ root }) => root)).size).toBe(4);
  });

  it.each(mistakes.map((mistake) => [mistake.name, mistake] as const))(
    'is noticed: %s',
    limit,
    async (name, mistake) => {
      const { strike, oracles = [] } = kills[name] ?? {};
      const reference = await referenceOf(mistake);
      const calm = calmOf(mistake);
      const undisturbed = await run(mistake, calm, pki, mistake.spoil());
      const plan = strike ? strikingAt(calm, strike, undisturbed.calls) : calm;
      if (!plan) return expect.fail(`nobody asks for ${strike?.call}: ${again}`);
      const spoiled = strike ? await run(mistake, plan, pki, mistake.spoil()) : undisturbed;
      const noticed = killOf(wrongWith(mistake, plan, spoiled, reference)).oracles;
      expect(noticed, again).toEqual(expect.arrayContaining([...oracles]));
      // Without the mistake the same faults do no harm: it is the mistake that is noticed.
      const shipped = strike ? await run(mistake, plan, pki, {}) : reference;
      expect(wrongWith(mistake, plan, shipped, reference)).toEqual([]);
    },
  );
});

const again = 'look for another way to notice it by: npm run simulate -- --mistakes';
