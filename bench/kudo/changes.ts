import { setTimeout as delay } from 'node:timers/promises';
import { instance } from '../../src/kudo/resources/instance.ts';
import { type BenchmarkOptions, median, type Row, ratioRow } from '../benchmark.ts';
import { timed } from '../cloudfoundry/wire.ts';
import { changeBare } from './bare.ts';
import { Follow } from './follow.ts';
import { namespace, parameter } from './package.ts';
import { isAtRest, twinType, type World } from './world.ts';

/** What KUDO 0.19's manager was seen to need on two cores. */
const kudo = { name: 'KUDO 0.19 on two cores, as once measured', value: 29 };

/** What follows from a change is written by then. */
const quietMs = 10;

/** Changes a parameter, and waits until a watch tells that the plan which it ran is complete. */
export async function change(world: World, follow: Follow, value: string): Promise<void> {
  const { metadata, status } = follow.seen;
  const before = status?.planStatus?.deploy?.uid;
  const ended = follow.until((seen) => {
    const plan = seen.status?.planStatus?.deploy;
    return plan?.status === 'COMPLETE' && plan.uid !== before;
  });
  const path = `/apis/${instance.apiVersion}/namespaces/${namespace}/instances/${metadata.name}`;
  await world.wire.merge(path, { spec: { parameters: { [parameter]: value } } });
  await ended;
}

/** Resolves when all that a change leads to is over, or the next would share the processors with it. */
export async function settled(follow: Follow): Promise<void> {
  await follow.until(isAtRest);
  await delay(quietMs);
}

/** Ours and the floor in turn, the first changing from round to round, so that both meet the same machine. */
export async function measureChanges(
  world: World,
  { rounds, progress }: { readonly rounds: number } & Pick<BenchmarkOptions, 'progress'>,
): Promise<readonly Row[]> {
  const name = 'changed';
  await world.deploy([name]);
  await using mine = await Follow.start(world.client, instance.type, name);
  await world.twin(mine.seen);
  await using twin = await Follow.start(world.client, twinType, name);
  const took = { ours: [] as number[], bare: [] as number[] };
  // The first rounds are for connections, caches and compilers.
  const warmUps = Math.min(30, rounds);
  for (let round = -warmUps; round < rounds; round++) {
    const sides = round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
    for (const side of sides) {
      const value = `${round}-${side}`;
      const ms = await timed(() => (side === 'ours' ? change(world, mine, value) : changeBare(world, twin, value)));
      if (round >= 0) took[side].push(ms);
      await settled(mine);
    }
  }
  const ours = median(took.ours);
  const ratio = median(took.ours.map((ms, round) => ms / (took.bare[round] ?? Number.NaN)));
  progress(`a change: ${ours.toFixed(1)} ms, bare ${median(took.bare).toFixed(1)} ms (${ratio.toFixed(2)}×)`);
  const metric = 'parameter change → plan COMPLETE';
  const p50 = { metric: `${metric}, p50`, unit: 'ms', ours };
  const worst = { metric: `${metric}, worst of ${rounds}`, unit: 'ms', ours: Math.max(...took.ours) };
  const floor = 'the same writes, bare';
  const slowest = ratioRow(worst, { name: floor, value: Math.max(...took.bare) }, { most: 1 });
  return [
    ratioRow(p50, { name: floor, value: median(took.bare), ratio }, { most: 2.5 }),
    { ...slowest, goal: '', holds: null },
    besideKudo(p50, median(took.bare)),
  ];
}

/** A machine on which the bare writes alone take longer than the goal is busier, or slower, than the one of that figure. */
function besideKudo(p50: { readonly metric: string; readonly unit: string; readonly ours: number }, bare: number): Row {
  const row = ratioRow(p50, kudo, { most: 0.9 });
  return bare > 0.9 * kudo.value ? { ...row, holds: null } : row;
}
