import fc from 'fast-check';
import { describe, it } from 'vitest';
import { restartWalks, walks } from './walks/steps.ts';
import { walk } from './walks/walk.ts';

/** How many walks of each sort; `SEED=random WALKS=300` explores. */
const runs = Number(process.env.WALKS ?? 6);

describe('whatever people do, and whenever the operator dies', () => {
  it.each([
    ['plans end, nothing is left to be done, and nothing is done twice', walks],
    ['pods restart when they should, and only then', restartWalks],
  ])('%s', { timeout: runs * 60_000 }, async (_, taken) => {
    await fc.assert(fc.asyncProperty(taken, walk), { numRuns: runs });
  });
});
