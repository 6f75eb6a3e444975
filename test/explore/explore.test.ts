import { describe, expect, it } from 'vitest';
import { decideBlueGreen } from '../../src/flink/decide/bluegreen/blue-green.ts';
import { remembering } from './decider.ts';
import { exploreScenario } from './scenario.ts';
import { deeper, scenarios } from './scenarios.ts';
import { variants } from './variants/variants.ts';

/** Nothing here waits for anything: the time is for slow machines, and for `EXPLORE`. */
const patience = 60 * 60_000;

describe('the decision about blue/green deployments', () => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'keeps every promise in every world that can be reached: %s',
    (_, scenario) => {
      const { exhausted, found, worlds } = exploreScenario(
        deeper(scenario, process.env.EXPLORE),
        remembering(decideBlueGreen),
      );
      expect(found).toEqual([]);
      expect(exhausted).toBe(true);
      expect(worlds).toBeGreaterThan(100);
    },
    patience,
  );
});

describe('a known mistake, made again on purpose', () => {
  it.each(variants.map((variant) => [variant.name, variant] as const))(
    'is found: %s',
    (name, variant) => {
      const decide = remembering(variant.of(decideBlueGreen));
      const { found } = exploreScenario({ name, ...variant.scenario }, decide, { firstOnly: true });
      expect(found.map(({ invariant }) => invariant)).toContain(variant.breaks);
    },
    patience,
  );

  it.each(variants.map((variant) => [variant.name, variant] as const))(
    'is not there without it: %s',
    (name, variant) => {
      const { found } = exploreScenario({ name, ...variant.scenario }, remembering(decideBlueGreen));
      expect(found).toEqual([]);
    },
    patience,
  );
});
