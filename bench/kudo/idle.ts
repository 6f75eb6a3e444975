import { setTimeout as delay } from 'node:timers/promises';
import type { BenchmarkOptions, Row } from '../benchmark.ts';
import { type Manager, megabytes } from './manager.ts';
import type { World } from './world.ts';

/** Within this time whatever an installation leads to is over. */
const quietMs = 5_000;
const mostCores = 0.02;

/** What Instances cost that nobody touches: writes, processor, memory. */
export async function measureIdle(
  { world, manager }: { readonly world: World; readonly manager: Manager },
  {
    instances,
    forMs,
    progress,
  }: { readonly instances: number; readonly forMs: number } & Pick<BenchmarkOptions, 'progress'>,
): Promise<readonly Row[]> {
  await world.deploy(Array.from({ length: instances }, (_, at) => `idle-${at}`));
  await delay(Math.min(quietMs, forMs));
  progress(`${instances} Instances are deployed`);
  const [before, writes] = [manager.cost(), await manager.writes()];
  await delay(forMs);
  const [after, written] = [manager.cost(), await manager.writes()];
  const cores = (after.cpuSeconds - before.cpuSeconds) / (forMs / 1000);
  const more = written - writes;
  const alone = { peer: null, peerName: null, ratio: null };
  const unbound = { ...alone, goal: '', holds: null };
  const what = `${instances} idle Instances`;
  return [
    { metric: `${what}, writes in ${forMs / 1000} s`, unit: '', ours: more, ...alone, goal: '0', holds: more === 0 },
    { metric: what, unit: 'cores', ours: cores, ...alone, goal: `≤ ${mostCores}`, holds: cores <= mostCores },
    { metric: `memory with ${what}`, unit: 'MB', ours: megabytes(after), ...unbound },
  ];
}
