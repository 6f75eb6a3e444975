import fc from 'fast-check';
import { describe, it } from 'vitest';
import { type Paced, restartWalks, walks } from './walks/steps.ts';
import { walk } from './walks/walk.ts';

/** How many walks of each sort; `SEED=random WALKS=300` explores. */
const runs = Number(process.env.WALKS ?? 4);

describe('whatever people do, and whenever the operator dies', () => {
  it.each([
    ['plans end, nothing is left to be done, and nothing is done twice', walks],
    ['pods restart when they should, and only then', restartWalks],
  ])('%s', { timeout: runs * 60_000 }, async (_, taken) => {
    await fc.assert(fc.asyncProperty(taken, walk), { numRuns: runs });
  });
});

const set = (parameters: Readonly<Record<string, string>>, thenMs: number): Paced => ({
  step: { do: 'set', parameters },
  thenMs,
});
const hang: Paced = { step: { do: 'trigger', plan: 'hang', override: true }, thenMs: 200 };
const cancel: Paced = { step: { do: 'cancel' }, thenMs: 4_000 };
const partly: Paced = { step: { do: 'trigger', plan: 'refused', override: true, restart: false }, thenMs: 200 };

describe('a restart is not lost', () => {
  it.each([
    ['when a quiet change takes the place of the plan', [set({ LEVEL: 'debug' }, 200), set({ NODES: '3' }, 400)]],
    ['when the plan is cancelled', [set({ LEVEL: 'debug' }, 150), cancel]],
    ['when another plan demands another one', [set({ LEVEL: 'debug' }, 60), hang, set({ SIDE: 'b' }, 100), cancel]],
    ['when a plan applies pods without their settings', [set({ LEVEL: 'debug' }, 60), hang, partly]],
  ])('%s', async (_, steps) => {
    await walk(steps);
  });
});
