import { describe, expect, it } from 'vitest';
import { demoPackage } from './demo-package.ts';
import { KudoStage } from './kudo-stage.ts';

interface Run {
  readonly writes: readonly string[];
  /** Pods that are there in the end, and how many of them were there when the change was made. */
  readonly pods: number;
  readonly kept: number;
  readonly history: readonly string[];
}

/**
 * Installs, changes, and lets the operator die of its n-th write after the change; another one goes on.
 * `Infinity`: nobody dies.
 */
async function run(change: Readonly<Record<string, string>>, deathAt: number): Promise<Run> {
  const { stage, operator } = await KudoStage.running(demoPackage);
  await using _ = stage;
  await stage.install('one');
  await stage.settled('one', 1);
  await stage.until('it is ready', () => stage.condition('one', 'Ready') === 'True ResourcesReady');
  const before = stage.podUids();
  const from = stage.writes.length;
  if (Number.isFinite(deathAt)) operator.dieAt(deathAt);
  await stage.set('one', change);
  if (Number.isFinite(deathAt)) {
    await stage.until('it dies', () => operator.dead);
    stage.start();
  }
  await stage.settled('one', 2);
  await stage.until('it is ready', () => stage.condition('one', 'Ready') === 'True ResourcesReady');
  const uids = stage.podUids();
  return {
    writes: stage.writes.slice(from),
    pods: uids.length,
    kept: uids.filter((uid) => before.includes(uid)).length,
    history: (stage.instance('one').status?.history ?? []).map(({ plan, outcome }) => `${plan} ${outcome}`),
  };
}

describe('an operator that dies of a write', () => {
  it.each([
    ['a quiet change', { NODE_COUNT: '3' }, { pods: 3, kept: 2 }],
    ['a change that restarts', { LEVEL: 'debug' }, { pods: 2, kept: 0 }],
    ['both at once', { LEVEL: 'debug', NODE_COUNT: '3' }, { pods: 3, kept: 0 }],
  ])('finishes %s all the same, whichever write it was', async (_, change, expected) => {
    const calm = await run(change, Number.POSITIVE_INFINITY);
    expect(calm).toMatchObject({ ...expected, history: ['deploy COMPLETE', 'deploy COMPLETE'] });
    for (let death = 1; death <= calm.writes.length; death++) {
      const died = await run(change, death);
      expect({ death, ...died }).toMatchObject({ death, ...expected, history: calm.history });
    }
  });
});
