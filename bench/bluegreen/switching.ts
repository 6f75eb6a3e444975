import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { type BenchmarkOptions, median, type Row, ratioRow } from '../benchmark.ts';
import { BarePairs } from './bare-pairs.ts';
import { startSwitchingOperator } from './switching-operator.ts';
import { SwitchingWorld } from './switching-world.ts';

/** By then all that follows from a switch is over. */
const settleMs = 200;
const single = 'single';
const pair = 'an Ingress and a status, written bare';

/**
 * From the target's STABLE to traffic moved and status written, with nobody but the blue/green controller behind a real
 * API server. Ours and the bare pair in turn, so that both meet the same machine.
 */
export async function measureSwitching({ smoke, progress }: BenchmarkOptions): Promise<readonly Row[]> {
  progress('bundling');
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const sizes = smoke ? { singles: 3, crowd: 10, rounds: 1 } : { singles: 30, crowd: 200, rounds: 3 };
  await using world = await SwitchingWorld.open();
  await using operator = await startSwitchingOperator(world.kubeconfig);

  await world.create([single]);
  const bare = await BarePairs.copy(world, [single]);
  await switchAll(world, [single]);
  const before = await operator.writes();
  const ours: number[] = [];
  const floor: number[] = [];
  for (let index = 0; index < sizes.singles; index++) {
    ours.push(...(await switchAll(world, [single])));
    await delay(settleMs);
    floor.push(await bare.write(single));
    await delay(settleMs);
  }
  const writes = ((await operator.writes()) - before) / sizes.singles;
  const p50 = { metric: 'STABLE until traffic moved, p50', unit: 'ms', ours: median(ours) };
  progress(`one at a time: ${p50.ours.toFixed(1)} ms; ${sizes.crowd} at once`);

  const crowd = Array.from({ length: sizes.crowd }, (_, index) => `crowd-${index}`);
  await world.create(crowd);
  const bareCrowd = await BarePairs.copy(world, crowd);
  const rounds: { readonly ours: number; readonly floor: number }[] = [];
  for (let round = 1; round <= sizes.rounds; round++) {
    const together = await switchAll(world, crowd);
    await delay(settleMs);
    const pairs = await Promise.all(crowd.map((name) => bareCrowd.write(name)));
    rounds.push({ ours: p99Of(together), floor: p99Of(pairs) });
    progress(`round ${round}: p99 ${rounds.at(-1)?.ours.toFixed(0)} ms, bare ${rounds.at(-1)?.floor.toFixed(0)} ms`);
  }
  const p99 = { metric: `${sizes.crowd} at once, p99`, unit: 'ms', ours: median(rounds.map((round) => round.ours)) };
  const ratio = median(rounds.map((round) => round.ours / round.floor));
  return [
    ratioRow(p50, { name: pair, value: median(floor) }, { most: 5 }),
    ratioRow(p99, { name: pair, value: median(rounds.map((round) => round.floor)), ratio }, { most: 10 }),
    writesRow(writes),
  ];
}

/** One whole transition of each; how long the part took that is measured. */
async function switchAll(world: SwitchingWorld, names: readonly string[]): Promise<readonly number[]> {
  await world.edit(names);
  await delay(settleMs);
  const took = await world.switched(names);
  await world.settled(names);
  return took;
}

function writesRow(writes: number): Row {
  const figure = { metric: 'writes of one transition', unit: 'requests', ours: writes };
  return { ...figure, peer: null, peerName: null, ratio: null, goal: '≤ 25 requests', holds: writes <= 25 };
}

/** All but one in a hundred are as fast. */
function p99Of(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}
