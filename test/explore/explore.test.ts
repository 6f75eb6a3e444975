import { describe, expect, it } from 'vitest';
import { idle, refTo } from '../../src/control/decision.ts';
import { decideBlueGreen } from '../../src/flink/decide/bluegreen/blue-green.ts';
import { type Decide, remembering } from './decider.ts';
import { exploreScenario } from './scenario.ts';
import { deeper, scenarios } from './scenarios.ts';
import { variants } from './variants/variants.ts';

/** Nothing here waits for anything: the time is for slow machines, and for `EXPLORE`. */
const patience = 60 * 60_000;

/** One memory for all: what was decided in one scenario need not be decided again in another. */
const real = remembering(decideBlueGreen);

describe('the decision about blue/green deployments', () => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'keeps every promise in every world that can be reached: %s',
    (name, scenario) => {
      const { exhausted, found, worlds } = exploreScenario(deeper(scenario, process.env.EXPLORE), real);
      console.log(`${worlds} worlds: ${name}`);
      expect(found).toEqual([]);
      expect(exhausted).toBe(true);
      expect(worlds).toBeGreaterThan(1000);
    },
    patience,
  );
});

describe('a known mistake, made again on purpose', () => {
  it.each(variants.map((variant) => [variant.name, variant] as const))(
    'is found: %s',
    (name, variant) => {
      const decide = remembering(variant.of(decideBlueGreen));
      const scenario = { name, ...variant.scenario };
      const { found, worlds } = exploreScenario(scenario, decide, { firstOnly: true });
      expect(found.map(({ invariant }) => invariant)).toContain(variant.breaks);
      expect(exploreScenario(scenario, real, { most: worlds }).found).toEqual([]);
    },
    patience,
  );
});

describe('the explorer', () => {
  const found = (decide: Decide) =>
    exploreScenario({ name: 'toy', edits: [], budget: {}, fromTheStart: true }, remembering(decide)).found;

  it('notices that nothing was done', () => {
    expect(found(() => idle('Nothing.'))).toEqual([
      { invariant: 'no edit lost', why: 'the newest spec was not looked at', trace: [] },
    ]);
  });

  it('notices what never stops', () => {
    const restless: Decide = ({ resource }) => {
      const status = { observedGeneration: resource.status?.observedGeneration === 1 ? 2 : 1 };
      return { because: 'Restless.', actions: [{ do: 'status', of: refTo(resource), status }] };
    };
    expect(found(restless)).toMatchObject([{ invariant: 'comes to rest', why: 'it goes in circles' }]);
  });

  it('notices a clock in the past', () => {
    const late: Decide = ({ resource, now }) => ({
      because: 'Late.',
      actions: [{ do: 'status', of: refTo(resource), status: {} }],
      wakeAt: now,
    });
    expect(found(late)).toMatchObject([{ why: 'it wants to be woken in the past' }]);
  });

  it('gives up where it is told to, and says so', () => {
    const [scenario] = scenarios;
    expect(scenario && exploreScenario(scenario, real, { most: 10 })).toMatchObject({ worlds: 10, exhausted: false });
  });
});
