import { seededRandom } from '../../../src/clock/random.ts';
import { cloudFoundryControllers } from '../../../src/cloudfoundry/controllers.ts';
import { definitions } from '../../../src/cloudfoundry/family.ts';
import { installation } from '../../../src/cloudfoundry/install/installation.ts';
import type { ImageRegistry } from '../../../src/cloudfoundry/ports/image-registry.ts';
import { defaultSettings } from '../../../src/cloudfoundry/settings.ts';
import type { OperatorOptions } from '../../../src/control/operator.ts';
import { sealer } from '../../../src/control/sealed.ts';
import { createEmbedded } from '../../../src/embedded/embedded.ts';
import { Client } from '../../../src/kube/client.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { account } from '../../stage/account.ts';
import { Acts } from '../acts.ts';
import type { Ground, Scene, Subject, Surroundings } from '../subject.ts';
import { openApi } from './api.ts';
import { canMeddle, meddle, mischief, withoutEdits } from './mischief.ts';
import { CloudFoundryOracle } from './oracle.ts';
import { personWith } from './person.ts';
import { workloads } from './workloads.ts';

const operator = { namespace: 'cutover', name: 'cutover' };

/** The operator for Cloud Foundry's apps with the rights of its role, on a cluster with simulated pods. */
export const cloudFoundry: Subject = {
  name: 'cloudfoundry',
  workloads: Object.keys(workloads),
  racing: new Set(),
  moreChanges: 20,
  mischief,
  open,
  anyTransition: withoutEdits,
};

async function open({ clock, seed, pki, patience }: Ground): Promise<Scene> {
  const nodes = { count: 1, cpu: '64', memory: '256Gi' };
  const server = await createEmbedded({ clock, random: seededRandom(seed), pki, nodes });
  const client = new Client(server.transport(), { clock });
  const settings = defaultSettings;
  for (const object of [...definitions(), ...installation(settings, { operator })]) {
    const group = object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : '';
    const type = server.world.types().find((one) => one.kind === object.kind && one.group === group);
    if (type) await client.resource<KubeObject>(type).create(object);
    if (object.kind === 'Namespace') await clock.advance(100);
  }
  await clock.advance(100);
  const oracle = new CloudFoundryOracle(server.world);
  const api = openApi({ client, clock, seed, settings, patience });
  const person = personWith({ client, world: server.world, ask: api.ask, patience, oracle });
  const acts = new Acts({ client, world: server.world, clock });
  return {
    server,
    oracle,
    transport: () => server.transport(account(operator.namespace, operator.name)),
    controllers: (process) => controllers(process),
    play: (workload) => (workloads[workload]?.(person) ?? Promise.resolve()).finally(() => api.close()),
    act: async (name) => {
      oracle.excuse();
      await meddle(name, acts);
    },
    canAct: (name) => canMeddle(name, acts),
  };
}

function controllers({ client, clock, random, hazards }: Surroundings): OperatorOptions['controllers'] {
  const registry: ImageRegistry = {
    read: (image) =>
      hazards
        .reach(`read ${image}`, async () => ({ read: true, config: { ports: [8080], user: '65532' } }) as const)
        .catch(() => ({ read: false, why: 'the registry cannot be reached', passing: true }) as const),
  };
  const seal = sealer(new Uint8Array(32));
  return cloudFoundryControllers({ client, clock, random, settings: defaultSettings, seal, registry });
}
