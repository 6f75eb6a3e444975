import { setTimeout as delay } from 'node:timers/promises';
import { install } from '../../src/cli/install.ts';
import { realRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import { silent } from '../../src/control/log.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { runOperator } from '../../src/control/operator.ts';
import { createEmbedded } from '../../src/embedded/embedded.ts';
import type { Program } from '../../src/embedded/programs/program.ts';
import { definitions } from '../../src/flink/family.ts';
import { type FlinkDeployment, flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { deployment, namespace } from '../flink/deployment.ts';
import { operatorParts } from '../flink/operator-parts.ts';
import { startRestStub } from '../flink/rest-stub.ts';
import { nameOf } from './names.ts';

/** Which FlinkDeployment was recorded, and what its job is called. */
export interface Template {
  readonly name: string;
  readonly jobId: string;
}

/** Nothing here takes this long. */
const patienceMs = 120_000;

/** It is there, and does nothing. */
const jobManager: Program = {
  name: 'job-manager',
  runs: (image) => image.startsWith('flink:'),
  start: ({ exit }) => ({ stop: () => exit(0), kill: () => {} }),
};

/**
 * Deploys one FlinkDeployment on a whole cluster, by the operator's own controllers, and waits until it has come to rest.
 * What it consists of is then found in the directory.
 */
export async function recordTemplate(data: string): Promise<Template> {
  const cluster = await createEmbedded({
    clock: realClock,
    random: realRandom,
    data,
    nodes: { count: 1, programs: [jobManager] },
  });
  const client = new Client(cluster.transport());
  await prepare(client);
  await using stub = await startRestStub(client);
  const stop = new AbortController();
  const running = runOperator({
    client,
    clock: realClock,
    random: realRandom,
    log: silent,
    metrics: createMetrics({ process: false }),
    controllers: operatorParts(client, stub.port),
    signal: stop.signal,
    instance: 'recorder',
  });
  const resources = client.resource<FlinkDeployment>(flinkDeployment.type);
  await resources.create(deployment(nameOf(0), 8081) as unknown as FlinkDeployment);
  let resource: FlinkDeployment;
  const until = performance.now() + patienceMs;
  do {
    await delay(100);
    resource = await resources.get({ namespace, name: nameOf(0) });
    if (performance.now() > until) throw new Error(`it did not come to rest: ${JSON.stringify(resource.status)}`);
  } while (!isAtRest(resource));
  stop.abort();
  await running;
  await cluster.close();
  return { name: nameOf(0), jobId: resource.status?.jobStatus?.jobId ?? '' };
}

/** What must be there before a FlinkDeployment can be. */
async function prepare(client: Client): Promise<void> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'flink', namespace } };
  const home = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await client.resource(kinds.namespaces).create(home);
  await client.resource(kinds.serviceAccounts).create(account);
  await install(client, definitions(), AbortSignal.timeout(patienceMs));
}

function isAtRest({ metadata, status = {} }: FlinkDeployment): boolean {
  const { lifecycleState, transition, observedGeneration, reconciliationStatus = {} } = status;
  const current = observedGeneration === metadata.generation && transition === undefined;
  const isStable = reconciliationStatus.lastStableSpec === reconciliationStatus.lastReconciledSpec;
  return lifecycleState === 'STABLE' && current && isStable;
}
