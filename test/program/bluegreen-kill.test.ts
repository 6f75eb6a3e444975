import { expect, it } from 'vitest';
import { transitionsUnderKills } from './bluegreen-kill/transitions.ts';

/** `SEED=random` for another run, or the number of one. */
const { SEED = '1' } = process.env;
const seed = SEED === 'random' ? Date.now() % 2 ** 31 : Number(SEED);

it('ends every transition right although its operator is killed again and again', { timeout: 900_000 }, async () => {
  const told = await transitionsUnderKills({ seed, transitions: 5, resources: 5 });
  expect(told.flaws, told.text).toEqual([]);
  expect(told.fewestKills, told.text).toBeGreaterThan(0);
});
