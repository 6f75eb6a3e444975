import { describe, expect, it } from 'vitest';
import { decideBlueGreen } from '../../src/flink/decide/bluegreen/blue-green.ts';
import { remembering } from './decider.ts';
import { exploreScenario } from './scenario.ts';

describe('the decision about blue/green deployments', () => {
  it('breaks nothing when nothing goes wrong', () => {
    const explored = exploreScenario(
      { name: 'one edit', edits: ['image'], budget: { edits: 1 } },
      remembering(decideBlueGreen),
    );
    expect(explored).toMatchObject({ exhausted: true, found: [] });
  });
});
