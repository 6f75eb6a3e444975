import { expect } from 'vitest';
import { instance } from '../../../src/kudo/resources/instance.ts';
import { wrongAfterDeploy, wrongAtRest } from './at-rest.ts';
import { type Paced, take } from './steps.ts';
import { unedited } from './walk-package.ts';
import { name, WalkStage } from './walk-stage.ts';
import { Witness } from './witness.ts';

const minute = 60_000;
const hour = 60 * minute;

/**
 * Takes all steps on a stage of its own, lets time pass until nothing moves, and then has everything set right, which must
 * always be possible. After that nothing is written any more.
 */
export async function walk(steps: readonly Paced[]): Promise<void> {
  await using stage = await WalkStage.open();
  const witness = new Witness(stage);
  const expectNothingWrong = (...more: readonly string[]): void =>
    expect([...witness.wrong, ...more, ...stage.bugs]).toEqual([]);
  for (const { step, thenMs } of steps) {
    await take(stage, witness, step);
    await stage.clock.advance(thenMs);
    expectNothingWrong();
  }
  stage.live();
  // Somebody may have paused it, or named a plan that hangs: people end what they began.
  const resumed = { metadata: { annotations: { 'cutover.dev/paused': null } } };
  await stage.patchIfThere(instance.type, name, resumed);
  await stage.clock.advance(20 * minute);
  for (const version of [1, 2] as const) await stage.putVersion(version, unedited);
  await stage.clock.advance(5 * minute);
  if (stage.one()?.status?.execution) {
    await stage.edit(name, { planExecution: { planName: '' } });
    await stage.clock.advance(10 * minute);
  }
  if (stage.one()) expectNothingWrong(...wrongAtRest(stage));
  else await stage.installOne();
  await stage.clock.advance(5 * minute);
  await stage.trigger(name, 'deploy', { restart: false });
  await stage.clock.advance(5 * minute);
  expectNothingWrong(...wrongAtRest(stage), ...wrongAfterDeploy(stage, witness));
  stage.writes.length = 0;
  await stage.clock.advance(hour);
  expectNothingWrong(...stage.writes);
}
