import { seededRandom } from '../../../src/clock/random.ts';
import { sealer } from '../../../src/control/sealed.ts';
import { createEmbedded } from '../../../src/embedded/embedded.ts';
import { Client } from '../../../src/kube/client.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import { Factory } from '../../toy/factory.ts';
import { lampController } from '../../toy/lamp-controller.ts';
import { definition } from '../../toy/stage.ts';
import type { Ground, Scene, Subject } from '../subject.ts';
import { LampOracle } from './oracle.ts';
import { personWith } from './person.ts';
import { racing, workloads } from './workloads.ts';

/** The toy operator, its lamps and its factory. */
export const toy: Subject = {
  name: 'toy',
  workloads: Object.keys(workloads),
  racing,
  moreChanges: 6,
  open,
  anyTransition: (end) =>
    end
      .replaceAll(/UID-\d+/g, 'UID-N')
      .replaceAll(/"l-\d+-/g, '"l-N-')
      .replaceAll(/"attempt":\d+/g, '"attempt":N')
      .replaceAll(/"cutover.dev\/applied":"\w+"/g, '"cutover.dev/applied":"HASH"'),
};

async function open({ clock, seed, pki, patience }: Ground): Promise<Scene> {
  const server = await createEmbedded({ clock, random: seededRandom(seed), pki, nodes: { count: 1 } });
  const factory = new Factory();
  const client = new Client(server.transport(), { clock });
  await client.resource(kinds.customResourceDefinitions).create(definition());
  await clock.advance(100);
  const oracle = new LampOracle(server.world, factory);
  return {
    server,
    oracle,
    transport: () => server.transport(),
    controllers: ({ hazards }) => ({
      lamp: (caches) =>
        lampController(caches, {
          ports: hazards.ports(factory.ports()),
          look: (uid) => hazards.reach('look', async () => factory.look(uid)),
          seal: sealer(),
        }),
    }),
    play: async (workload) => workloads[workload]?.(personWith(client, server.world, patience, factory, oracle)),
  };
}
