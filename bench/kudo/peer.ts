import type { Cost } from '../flink/process-tree.ts';
import { startPeer } from './manager.ts';
import { World } from './world.ts';

/** Another manager of the same kinds, on a cluster of its own. */
export interface Peer extends AsyncDisposable {
  readonly name: string;
  readonly world: World;
  cost(): Cost;
}

/** Its cluster is empty when its command starts: definitions and webhooks are its own. The operator package is ours. */
export async function openPeer(command: string): Promise<Peer> {
  await using opened = new AsyncDisposableStack();
  const world = opened.use(await World.empty());
  const manager = opened.use(await startPeer(command, world.kubeconfig));
  await world.offer();
  const kept = opened.move();
  return {
    name: manager.name,
    world,
    cost: () => manager.cost(),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
