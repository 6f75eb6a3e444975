import { cpuUsage } from 'node:process';
import { seededRandom } from '../../src/clock/random.ts';
import { VirtualClock } from '../../src/clock/virtual.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { runOperator } from '../../src/control/operator.ts';
import { createEmbedded, type Embedded } from '../../src/embedded/embedded.ts';
import { audit } from '../../src/embedded/programs/flink/audit.ts';
import { FlinkWorld } from '../../src/embedded/programs/flink/flink-world.ts';
import { defaultOperatorConfig } from '../../src/flink/config/default-operator-config.ts';
import { flinkControllers } from '../../src/flink/controllers.ts';
import { definitions } from '../../src/flink/family.ts';
import { proxiedWire } from '../../src/flink/ports/proxied-wire.ts';
import {
  type FlinkBlueGreenDeployment,
  flinkBlueGreenDeployment,
} from '../../src/flink/resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { grantFlink } from '../../test/flink/grant-flink.ts';
import { blueGreen, namespace, rate } from '../../test/flink/manifests.ts';
import { FlinkOracle } from '../../test/simulation/flink/oracle.ts';
import { bugLog } from '../../test/stage/bug-log.ts';

/** What came of many transitions at once. */
export interface Transitions {
  readonly count: number;
  /** What the simulation's oracle saw that must never be, records that were lost, and what the operator calls a bug. */
  readonly violations: readonly string[];
  /** From the edits until the last was over. */
  readonly virtualSeconds: number;
  /** Of this process: operator, cluster and all Flink clusters. */
  readonly cpuSeconds: number;
}

/** In virtual time; nothing takes this long unless it is stuck. */
const patienceMs = 60 * 60_000;
/** So many pods fit on a node, with room for those that come before others have gone. */
const podsPerNode = 80;

/** On a whole embedded cluster with simulated Flink, in virtual time, so that it is the same each time. */
export async function measureTransitions(count: number, progress: (line: string) => void): Promise<Transitions> {
  const clock = new VirtualClock();
  const flink = new FlinkWorld();
  // Both sides of each, and both have a JobManager and a TaskManager.
  const nodes = { count: Math.ceil((count * 4) / podsPerNode), cpu: '512', memory: '4096Gi', flink };
  const cluster = await createEmbedded({ clock, random: seededRandom(1), nodes });
  const person = new Client(cluster.transport(), { clock, userAgent: 'person' });
  for (const definition of definitions()) await person.resource(kinds.customResourceDefinitions).create(definition);
  await grantFlink(person);
  await clock.advance(1_000);
  const oracle = new FlinkOracle(cluster.world, flink, clock);
  const bugs: string[] = [];
  const operator = startOperator(cluster, clock, bugs);
  const fleet = new Crowd(cluster, clock);

  const names = Array.from({ length: count }, (_, index) => `orders-${index}`);
  for (const name of names) {
    const resource = blueGreen({ name, ingress: { template: '{{name}}.example.com' } });
    await person.resource<FlinkBlueGreenDeployment>(flinkBlueGreenDeployment.type).create(resource);
  }
  await fleet.serving('BLUE', count);
  progress(`blue serves everywhere after ${Math.round(clock.monotonic() / 1000)} virtual seconds`);
  // Some records, and checkpoints of them.
  await clock.advance(25_000);
  const [began, before] = [clock.monotonic(), cpuUsage()];
  const spec = { job: { args: ['--rate', String(rate), '--label', 'v2'] } };
  const patch = { type: 'merge', body: { spec: { template: { spec } } } } as const;
  await Promise.all(
    names.map((name) => person.resource(flinkBlueGreenDeployment.type).patch({ namespace, name }, patch)),
  );
  await fleet.serving('GREEN', count);
  const virtualSeconds = (clock.monotonic() - began) / 1000;
  await clock.advance(15_000);
  const { user, system } = cpuUsage(before);
  await operator.stop();
  const violations = [...oracle.violations, ...bugs, ...names.flatMap((name) => lossOf(name, flink))];
  await cluster.close();
  for (const one of violations.slice(0, 5)) progress(one);
  return { count, violations, virtualSeconds, cpuSeconds: (user + system) / 1e6 };
}

function startOperator(cluster: Embedded, clock: VirtualClock, bugs: string[]): { stop(): Promise<void> } {
  const random = seededRandom(2);
  const client = new Client(cluster.transport(), { clock });
  const config = defaultOperatorConfig();
  const end = new AbortController();
  const running = runOperator({
    client,
    clock,
    random,
    log: bugLog(bugs, (message) => message.startsWith('a bug')),
    metrics: createMetrics({ process: false }),
    controllers: flinkControllers({
      client,
      wire: proxiedWire({ client, clock }),
      operator: () => config,
      clock,
      random,
      env: {},
    }),
    signal: end.signal,
    instance: 'operator-0',
  });
  return {
    async stop() {
      end.abort();
      await clock.advance(60_000);
      await running;
    },
  };
}

/** Which of them have come to where. */
class Crowd {
  readonly #clock: VirtualClock;
  /** By name: the side that serves, when nothing is under way and the other side has gone. */
  readonly #serving = new Map<string, string>();

  constructor({ world }: Embedded, clock: VirtualClock) {
    this.#clock = clock;
    const look = (resource: FlinkBlueGreenDeployment | undefined): void => {
      const { metadata, status = {} } = resource ?? {};
      const { name = '' } = metadata ?? {};
      const sides = ['blue', 'green'].filter((side) => world.get(flinkDeployment.type, namespace, `${name}-${side}`));
      const current = status.observedGeneration === metadata?.generation && status.transition === undefined;
      const settled = current && sides.length === 1 && status.blueGreenState?.startsWith('ACTIVE');
      this.#serving.set(name, settled ? (status.serving?.color ?? '') : '');
    };
    world.watch<FlinkBlueGreenDeployment>(flinkBlueGreenDeployment.type, ({ after }) => look(after));
    world.watch(flinkDeployment.type, ({ before, after }) => {
      const owner = (after ?? before)?.metadata.ownerReferences?.[0]?.name;
      if (owner) look(world.get(flinkBlueGreenDeployment.type, namespace, owner));
    });
  }

  /** Until so many are served by this side. */
  async serving(color: string, count: number): Promise<void> {
    const those = (): number => this.#serving.values().reduce((sum, one) => sum + (one === color ? 1 : 0), 0);
    if (await this.#clock.runUntil(() => those() === count, patienceMs)) return;
    throw new Error(`${color} serves ${those()} of ${count} after ${patienceMs / 60_000} virtual minutes`);
  }
}

/** What was lost of the records of one, or counted from the beginning. */
function lossOf(name: string, flink: FlinkWorld): readonly string[] {
  const clusters = new Set([`${namespace}/${name}-blue`, `${namespace}/${name}-green`]);
  const runs = flink.runs().filter(({ origin }) => clusters.has(origin.cluster));
  const { lost, startedEmpty } = audit(runs);
  return [
    ...(runs.length === 2 ? [] : [`${name}: ${runs.length} runs instead of 2`]),
    ...(lost.length > 0 ? [`${name}: records were lost: ${JSON.stringify(lost)}`] : []),
    ...(startedEmpty > 0 ? [`${name}: counted from the beginning again`] : []),
  ];
}
