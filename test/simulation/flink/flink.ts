import { seededRandom } from '../../../src/clock/random.ts';
import type { AnyController, OperatorOptions } from '../../../src/control/operator.ts';
import type { Ports, Verb } from '../../../src/control/port.ts';
import { createEmbedded } from '../../../src/embedded/embedded.ts';
import { FlinkWorld } from '../../../src/embedded/programs/flink/flink-world.ts';
import { defaultOperatorConfig } from '../../../src/flink/config/default-operator-config.ts';
import { flinkControllers } from '../../../src/flink/controllers.ts';
import { definitions } from '../../../src/flink/family.ts';
import { proxiedWire } from '../../../src/flink/ports/proxied-wire.ts';
import type { Wire } from '../../../src/flink/ports/wire.ts';
import { flinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import { Client } from '../../../src/kube/client.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import type { Transport } from '../../../src/kube/transport.ts';
import { grantFlink } from '../../flink/grant-flink.ts';
import { Acts } from '../acts.ts';
import type { Ground, Scene, Subject, Surroundings } from '../subject.ts';
import { withoutHistory, withoutTries } from './essential.ts';
import { canMeddle, isMoreOrLess, meddle, mischief, withoutEdits } from './mischief.ts';
import { FlinkOracle } from './oracle.ts';
import { namespace, personWith } from './person.ts';
import { type Workload, workloads } from './workloads.ts';

export const flink: Subject = flinkSubject('flink', workloads);

/** The operator for Flink, on a cluster with simulated Flink in it. */
export function flinkSubject(name: string, played: Readonly<Record<string, Workload>>): Subject {
  return {
    name,
    workloads: Object.keys(played),
    racing: new Set(),
    // A status says what several caches show, each of which may be behind, and come after, on its own.
    moreChanges: 20,
    mayNeverBe: (workload, object) => {
      const [kind = '', of] = object.split(' ');
      // These are made after the Deployment that owns them: one that goes soon enough never had them.
      return kind === 'Service' || kind === 'ConfigMap' || played[workload]?.overtaken === of;
    },
    mischief,
    fresh: { workloads: ['savepoint', 'last-state'], types: [flinkDeployment.type], essence: withoutHistory },
    open: (ground) => open(ground, played),
    anyTransition: (end) => withoutEdits(withoutTries(end)).replaceAll(/"history":\[[^\]]*\]/g, '"history":[]'),
  };
}

async function open(
  { clock, seed, pki, patience }: Ground,
  played: Readonly<Record<string, Workload>>,
): Promise<Scene> {
  const world = new FlinkWorld();
  const nodes = { count: 1, cpu: '64', memory: '256Gi', flink: world };
  const server = await createEmbedded({ clock, random: seededRandom(seed), pki, nodes });
  const client = new Client(server.transport(), { clock });
  for (const one of definitions()) await client.resource(kinds.customResourceDefinitions).create(one);
  await client.resource<KubeObject>(kinds.namespaces).create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  await grantFlink(client, namespace);
  await clock.advance(100);
  const oracle = new FlinkOracle(server.world, world, clock);
  const acts = new Acts({ client, world: server.world, clock });
  return {
    server,
    oracle,
    transport: () => judged(server.transport(), oracle),
    controllers: (process) => controllers(process, oracle),
    play: async (workload) => {
      oracle.expect(played[workload]);
      await played[workload]?.play(personWith(client, server.world, world, patience, oracle));
    },
    canAct: (name) => canMeddle(name, acts),
    act: async (name) => {
      oracle.excuse(isMoreOrLess(name));
      await meddle(name, acts);
    },
  };
}

function judged(transport: Transport, oracle: FlinkOracle): Transport {
  return {
    ...transport,
    request: async (request) => {
      const fault = oracle.fault(request);
      const response = await transport.request(request);
      if (fault && response.status < 300) oracle.violate(fault);
      return response;
    },
  };
}

/** The controllers of one process. Whatever changes something in Flink must be the work of a verb of its port. */
function controllers({ client, clock, random }: Surroundings, oracle: FlinkOracle): OperatorOptions['controllers'] {
  let working = 0;
  const proxied = proxiedWire({ client, clock });
  const wire: Wire = {
    ...proxied,
    request: (cluster, request) => {
      if (request.method !== 'GET' && working === 0) oracle.violate(`${request.method} ${request.path} by no port`);
      return proxied.request(cluster, request);
    },
  };
  const watched =
    (verb: Verb): Verb =>
    async (call) => {
      oracle.judgeCall(call.id);
      working += 1;
      try {
        return await verb(call);
      } finally {
        working -= 1;
      }
    };
  const operator = defaultOperatorConfig();
  const made = flinkControllers({ client, wire, operator: () => operator, clock, random, env: {} });
  return Object.fromEntries(
    Object.entries(made).map(([name, make]) => [
      name,
      (caches): AnyController => {
        const controller = make(caches);
        return { ...controller, ports: mapVerbs(controller.ports ?? {}, watched) };
      },
    ]),
  );
}

function mapVerbs(ports: Ports, change: (verb: Verb) => Verb): Ports {
  const entries = Object.entries(ports).map(([port, verbs]) => [
    port,
    Object.fromEntries(Object.entries(verbs).map(([name, verb]) => [name, change(verb)])),
  ]);
  return Object.fromEntries(entries);
}
