import fc from 'fast-check';
import { it } from 'vitest';
import { walks } from './walks/steps.ts';
import { walk } from './walks/walk.ts';

/** How many walks; `SEED=random WALKS=300` explores. */
const runs = Number(process.env.WALKS ?? 12);

it('whatever people do, and whenever the operator dies, plans end, and pods restart when they should and only then', {
  timeout: runs * 60_000,
}, async () => {
  await fc.assert(fc.asyncProperty(walks, walk), { numRuns: runs });
});
