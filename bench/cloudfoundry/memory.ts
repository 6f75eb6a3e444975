import { setTimeout as delay } from 'node:timers/promises';
import { type BenchmarkOptions, median, type Row, ratioRow } from '../benchmark.ts';
import type { CloudFoundryOperator } from './operator.ts';
import type { World } from './world.ts';

/** What Korifi 0.18.0 was seen to need on two cores, its API and controllers together. With more apps it is not known. */
const korifi = { name: 'Korifi 0.18.0 with 2 instances, as once measured', value: 139 };
const fewApps = 2;
const mostGrowth = 25;

/** Resident memory of the one process, before there is an app and with many that run. */
export async function measureMemory(
  {
    world,
    operator,
    space,
  }: { readonly world: World; readonly operator: CloudFoundryOperator; readonly space: string },
  { apps, restMs, progress }: { readonly apps: number; readonly restMs: number } & Pick<BenchmarkOptions, 'progress'>,
): Promise<readonly Row[]> {
  const names = Array.from({ length: apps }, (_, index) => `resident-${index}`);
  const empty = await atRest(operator, restMs);
  await world.push(space, names.slice(0, fewApps));
  const few = await atRest(operator, restMs);
  await world.push(space, names.slice(fewApps));
  const full = await atRest(operator, restMs);
  const growth = full - empty;
  progress(`${empty.toFixed(0)} MB without apps, ${full.toFixed(0)} MB with ${apps}`);
  const unmeasured = { peer: null, peerName: null, ratio: null };
  return [
    { metric: 'memory with no app', unit: 'MB', ours: empty, ...unmeasured, goal: '', holds: null },
    ratioRow({ metric: `memory with ${fewApps} apps`, unit: 'MB', ours: few }, korifi, { most: 0.8 }),
    ratioRow({ metric: `memory with ${apps} apps`, unit: 'MB', ours: full }, korifi, { most: 0.8 }),
    {
      metric: `growth from 0 to ${apps} apps`,
      unit: 'MB',
      ours: growth,
      ...unmeasured,
      goal: `≤ ${mostGrowth} MB`,
      holds: growth <= mostGrowth,
    },
  ];
}

/** The middle of what is seen while nothing happens, in MB. */
async function atRest(operator: CloudFoundryOperator, restMs: number): Promise<number> {
  await delay(restMs);
  const seen: number[] = [];
  for (let sample = 0; sample < 10; sample++) {
    seen.push(operator.residentMiB());
    await delay(restMs / 10);
  }
  return (median(seen) * 1024 * 1024) / 1_000_000;
}
