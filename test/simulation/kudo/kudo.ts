import { seededRandom } from '../../../src/clock/random.ts';
import type { AnyController, OperatorOptions } from '../../../src/control/operator.ts';
import { sealer } from '../../../src/control/sealed.ts';
import { createEmbedded } from '../../../src/embedded/embedded.ts';
import { Client } from '../../../src/kube/client.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { kudoControllers } from '../../../src/kudo/controllers.ts';
import { definitions } from '../../../src/kudo/family.ts';
import { instance } from '../../../src/kudo/resources/instance.ts';
import { operatorVersion } from '../../../src/kudo/resources/operator-version.ts';
import { Acts } from '../acts.ts';
import type { Ground, Scene, Subject, Surroundings } from '../subject.ts';
import { withoutHistory } from './essential.ts';
import { meddle, mischief } from './mischief.ts';
import { KudoOracle } from './oracle.ts';
import { simulatedPackage } from './package.ts';
import { namespace, personWith } from './person.ts';
import { workloads } from './workloads.ts';

/** The operator for KUDO packages, on a cluster with simulated pods. */
export const kudo: Subject = {
  name: 'kudo',
  workloads: Object.keys(workloads),
  racing: new Set(),
  moreChanges: 12,
  mischief,
  fresh: { workloads: ['change'], types: [instance.type], essence: withoutHistory },
  open,
  anyTransition: (end) =>
    end
      .replaceAll(/"(history|plans)":\[[^\]]*\]/g, '"$1":[]')
      .replaceAll(/"executions":\d+/g, '"executions":N')
      .replaceAll(/"plan":"\w+"/g, '"plan":"P"'),
};

async function open({ clock, seed, pki, patience }: Ground): Promise<Scene> {
  const nodes = { count: 1, cpu: '64', memory: '256Gi' };
  const server = await createEmbedded({ clock, random: seededRandom(seed), pki, nodes });
  const client = new Client(server.transport(), { clock });
  for (const one of definitions()) await client.resource(kinds.customResourceDefinitions).create(one);
  await clock.advance(100);
  await client.resource<KubeObject>(kinds.namespaces).create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  for (const version of [1, 2] as const) {
    await client.resource<KubeObject>(operatorVersion.type).create({
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'OperatorVersion',
      metadata: { name: `demo-0.${version}.0`, namespace },
      spec: simulatedPackage(version),
    } as KubeObject);
  }
  const oracle = new KudoOracle(server.world);
  const { world } = server;
  let isExcused = false;
  const violate = (what: string): void => oracle.violate(what);
  const person = personWith({ client, world, patience, violate, isExcused: () => isExcused });
  return {
    server,
    oracle,
    transport: () => server.transport(),
    controllers: (process) => controllers(process),
    play: async (workload) => workloads[workload]?.(person),
    act: async (name) => {
      isExcused = true;
      await meddle(name, new Acts({ client, world, clock }));
    },
  };
}

function controllers({ client, random, hazards }: Surroundings): OperatorOptions['controllers'] {
  const randomBytes = (count: number): Uint8Array => new Uint8Array(count).map(() => Math.floor(random.next() * 256));
  const seal = sealer(new Uint8Array(32));
  const made = kudoControllers({ client, seal, randomBytes, waiterImage: 'busybox' });
  return {
    instance: (caches): AnyController => {
      const controller = made.instance(caches);
      return { ...controller, ports: hazards.ports(controller.ports ?? {}) };
    },
  };
}
