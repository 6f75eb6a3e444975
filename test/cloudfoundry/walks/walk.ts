import { expect } from 'vitest';
import { type Paced, take } from './steps.ts';
import { app, WalkStage } from './walk-stage.ts';
import { Witness } from './witness.ts';

const hour = 3_600_000;

/** Takes all steps on a stage of its own, and lets time pass until nothing moves: then nothing is written any more. */
export async function walk(steps: readonly Paced[]): Promise<void> {
  await using stage = await WalkStage.open();
  const witness = new Witness(stage);
  for (const { step, thenMs } of steps) {
    witness.settle();
    await take(stage, witness, step);
    witness.hears((await stage.ask('GET', `/v3/deployments?app_guids=${app}`)).body.resources ?? []);
    await stage.clock.advance(thenMs);
    expect(witness.wrong).toEqual([]);
  }
  stage.live();
  await stage.clock.advance(hour);
  witness.conclude();
  stage.writes.length = 0;
  await stage.clock.advance(hour);
  expect({ wrong: witness.wrong, writes: stage.writes }).toEqual({ wrong: [], writes: [] });
}
