import { expect } from 'vitest';
import { type Paced, take } from './steps.ts';
import { app, WalkStage } from './walk-stage.ts';
import { Witness } from './witness.ts';

const hour = 3_600_000;

/** Takes all steps on a stage of its own, and lets time pass until nothing moves: then nothing is written any more. */
export async function walk(steps: readonly Paced[]): Promise<void> {
  await using stage = await WalkStage.open();
  const witness = new Witness(stage);
  const taken: Promise<void>[] = [];
  for (const { step, together, thenMs } of steps) {
    // A stop that nobody bumps counts when it was seen: nobody starts the app again in the same moment.
    const alone = step.do === 'flip';
    if (alone) await stage.during(Promise.all(taken.splice(0)));
    if (taken.length === 0) witness.settle();
    taken.push(take(stage, witness, step));
    if (together && !alone) continue;
    await stage.during(Promise.all(taken.splice(0)));
    const { body } = await stage.during(stage.ask('GET', `/v3/deployments?app_guids=${app}`));
    witness.hears(body.resources ?? []);
    await stage.clock.advance(thenMs);
    expect(witness.wrong).toEqual([]);
  }
  await stage.during(Promise.all(taken));
  stage.live();
  await stage.clock.advance(hour / 2);
  witness.conclude();
  stage.writes.length = 0;
  await stage.clock.advance(hour);
  expect({ wrong: witness.wrong, writes: stage.writes }).toEqual({ wrong: [], writes: [] });
}
