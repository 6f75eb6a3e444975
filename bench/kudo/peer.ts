import { instance } from '../../src/kudo/resources/instance.ts';
import { type BenchmarkOptions, median, type Row } from '../benchmark.ts';
import { timed } from '../cloudfoundry/wire.ts';
import { change, settled } from './changes.ts';
import { Follow } from './follow.ts';
import { startPeer } from './manager.ts';
import { World } from './world.ts';

/**
 * Another manager of the same kinds, on a cluster of its own: a command that finds it by KUBECONFIG. Whatever it needs
 * besides (definitions are installed, webhooks are not) its command has to bring.
 */
export async function measurePeer(
  command: string,
  ours: readonly Row[],
  { rounds, progress }: { readonly rounds: number } & Pick<BenchmarkOptions, 'progress'>,
): Promise<readonly Row[]> {
  await using world = await World.open();
  await using manager = startPeer(command, world.kubeconfig);
  const name = 'changed';
  await world.deploy([name]);
  await using follow = await Follow.start(world.client, instance.type, name);
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    took.push(await timed(() => change(world, follow, String(round))));
    await settled(follow);
  }
  progress(`the other manager: ${median(took).toFixed(1)} ms`);
  const beside = (metric: string, unit: string, value: number, most?: number): Row[] => {
    const [row] = ours.filter((one) => one.metric.startsWith(metric));
    if (!row) return [];
    const ratio = row.ours / value;
    const bound = most === undefined ? { goal: '', holds: null } : { goal: `≤ ${most}×`, holds: ratio <= most };
    return [{ metric: row.metric, unit, ours: row.ours, peer: value, peerName: 'the other manager', ratio, ...bound }];
  };
  return [
    ...beside('parameter change → plan COMPLETE, p50', 'ms', median(took), 0.9),
    ...beside('parameter change → plan COMPLETE, worst', 'ms', Math.max(...took)),
    ...beside('memory after', 'MB', (manager.cost().residentMiB * 1024 * 1024) / 1_000_000),
  ];
}
