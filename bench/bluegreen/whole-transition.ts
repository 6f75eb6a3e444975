import { setTimeout as delay } from 'node:timers/promises';
import type { Color } from '../../src/flink/resources/blue-green-transition.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { application, countingArguments } from '../../test/real/flink/manifests.ts';
import { migrate } from '../../test/real/flink-bluegreen/migrate.ts';
import { BlueGreenWorld } from '../../test/real/flink-bluegreen/world.ts';
import { type BenchmarkOptions, median, type Row, ratioRow } from '../benchmark.ts';
import { ByHand, type RunningSide } from './by-hand.ts';

const name = 'orders';
const lookEveryMs = 50;

/** From an edit until the other side serves and the old one is on its way out, with real Flink. Runs beside a node. */
export async function measureTransition({ smoke, progress }: BenchmarkOptions): Promise<readonly Row[]> {
  await using world = await BlueGreenWorld.open('bluegreen-bench', name);
  const cluster = application(world.flink.volume, { name, version: 'v1_20' }, { upgradeMode: 'savepoint' });
  const configuration = { 'kubernetes.operator.bluegreen.deployment-deletion.delay': '0 ms' };
  const ingress = { template: '{{name}}.example.com' };
  await world.flink.apply(migrate(cluster, configuration, { ingress, job: {} }));
  await world.untilActive('BLUE', 1);
  const byHand = new ByHand(world.client, world.flink.namespace);
  const ours: number[] = [];
  const floor: number[] = [];
  for (let round = 1; round <= (smoke ? 1 : 3); round++) {
    const to = round % 2 === 1 ? 'GREEN' : 'BLUE';
    ours.push(await seconds(world, to, round + 1));
    await quiet(world, to);
    floor.push(await byHand.seconds(await running(world, to)));
    progress(`round ${round}: ours ${ours.at(-1)?.toFixed(1)} s, by hand ${floor.at(-1)?.toFixed(1)} s`);
  }
  const ratio = median(ours.map((time, index) => time / (floor[index] ?? Number.NaN)));
  const figure = { metric: 'a whole transition, edit until ACTIVE', unit: 's', ours: median(ours) };
  const peer = { name: 'a savepoint and the same pods, by hand', value: median(floor), ratio };
  return [ratioRow(figure, peer, { most: 1.5 })];
}

async function seconds(world: BlueGreenWorld, to: Color, revision: number): Promise<number> {
  const began = performance.now();
  await world.edit({ args: countingArguments(world.flink.volume, name, revision) });
  while ((await world.read()).status?.blueGreenState !== `ACTIVE_${to}`) await delay(lookEveryMs);
  return (performance.now() - began) / 1000;
}

/** Until nothing of the old side is left: what is measured next has one running side beside it. */
async function quiet(world: BlueGreenWorld, serving: Color): Promise<void> {
  const app = `${name}-${serving === 'BLUE' ? 'green' : 'blue'}`;
  while ((await world.flink.list(kinds.pods, { app })).length > 0) await delay(lookEveryMs);
  await world.untilGone(serving === 'BLUE' ? 'GREEN' : 'BLUE');
}

async function running(world: BlueGreenWorld, color: Color): Promise<RunningSide> {
  const side = await world.side(color);
  const { jobId = '' } = side?.status?.jobStatus ?? {};
  return { cluster: `${name}-${color.toLowerCase()}`, jobId, restoredFrom: side?.spec.job?.initialSavepointPath ?? '' };
}
