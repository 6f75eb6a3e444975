import { expect, it } from 'vitest';
import { transitionsUnderKills } from '../program/bluegreen-kill/transitions.ts';

/** Another one every time; `SEED=NUMBER` goes back to one. */
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

/** The bundle of another version, which then takes turns with this one: an upgrade and a way back in the middle of everything. */
const otherProgram = process.env.CUTOVER_OTHER_PROGRAM;

it('ends a hundred transitions right although their operator is killed again and again', {
  timeout: 900_000,
}, async () => {
  const told = await transitionsUnderKills({ seed, transitions: 100, resources: 10, otherProgram });
  console.log(told.text);
  expect(told.flaws, told.text).toEqual([]);
  expect(told.fewestKills, told.text).toBeGreaterThan(0);
});
