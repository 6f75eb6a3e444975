import { afterEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { seededRandom } from '../clock/random.ts';
import { VirtualClock } from '../clock/virtual.ts';
import type { Caches } from '../control/caches.ts';
import { kindTable } from '../control/kinds.ts';
import type { Fields, Log } from '../control/log.ts';
import { createMetrics } from '../control/metrics.ts';
import { runOperator } from '../control/operator.ts';
import { TestFlink } from '../embedded/programs/flink/test-flink.ts';
import { Client } from '../kube/client.ts';
import { kinds } from '../kube/kinds.ts';
import type { AnyObject } from '../kube/object.ts';
import { defaultOperatorConfig } from './config/default-operator-config.ts';
import { flinkControllers } from './controllers.ts';
import { definitions } from './family.ts';
import { openWire } from './ports/open-wire.ts';
import type { Wire } from './ports/wire.ts';
import { type FlinkDeployment, flinkDeployment } from './resources/flink-deployment.ts';
import { type FlinkSessionJob, flinkSessionJob } from './resources/flink-session-job.ts';
import { type FlinkStateSnapshot, flinkStateSnapshot } from './resources/flink-state-snapshot.ts';
import { sampleManifest } from './sample.ts';

const types = kindTable([flinkDeployment.type, flinkSessionJob.type, flinkStateSnapshot.type]);
const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** A cluster with simulated Flink in it, and the operator beside it, all on one virtual clock. */
async function world(options: { without?: string; settings?: Record<string, string> } = {}) {
  const clock = new VirtualClock();
  const { embedded, troubles } = await TestFlink.open({ clock });
  const client = new Client(embedded.transport(), { clock });
  for (const definition of definitions()) {
    if (definition.metadata.name !== options.without)
      await client.resource(kinds.customResourceDefinitions).create(definition);
  }
  await clock.advance(1_000);

  const asked: string[] = [];
  const looks: string[] = [];
  const bugs: string[] = [];
  const open = openWire({ way: 'proxy', client, clock, env: {} });
  const wire: Wire = {
    request: (cluster, request) => {
      asked.push(`${request.method} ${request.path.replace(/[0-9a-f]{32}/g, '*')}`);
      return open.request(cluster, request);
    },
    close: () => open.close(),
  };
  const random = seededRandom(3);
  const config = defaultOperatorConfig();
  const operator = () => ({ ...config, settings: { ...config.settings, ...options.settings } });
  const made = flinkControllers({ client, wire, operator, clock, random, env: {} });
  const counted = Object.entries(made).map(([name, make]) => {
    return [
      name,
      (caches: Caches) => {
        const controller = make(caches);
        const observe: typeof controller.observe = (key, glance) => {
          looks.push(`${name} ${key}`);
          return controller.observe(key, glance);
        };
        return { ...controller, observe };
      },
    ] as const;
  });
  const stop = new AbortController();
  const ended = runOperator({
    client: new Client(embedded.transport(), { clock }),
    clock,
    random,
    log: complaining(bugs),
    metrics: createMetrics({ process: false }),
    controllers: Object.fromEntries(counted),
    signal: stop.signal,
    instance: 'i',
    freeze: true,
  });
  endings.push(async () => {
    stop.abort();
    await clock.runUntil(() => false, 20_000);
    expect(await ended).toBe('stopped');
    await wire.close();
    await embedded.close();
    expect([...bugs, ...troubles]).toEqual([]);
  });

  const apply = async (text: string): Promise<void> => {
    for (const document of parseAllDocuments(text)) {
      const object = document.toJS() as AnyObject;
      await client.resource(types(object.apiVersion, object.kind)).create(object);
    }
  };
  const deployment = (name = 'counter') =>
    embedded.world.get(flinkDeployment.type, 'default', name) as unknown as FlinkDeployment | undefined;
  const sessionJob = () =>
    embedded.world.get(flinkSessionJob.type, 'default', 'job') as unknown as FlinkSessionJob | undefined;
  const snapshot = () =>
    embedded.world.get(flinkStateSnapshot.type, 'default', 'snap') as unknown as FlinkStateSnapshot | undefined;
  const until = async (what: () => boolean | undefined, seconds = 120): Promise<void> => {
    const came = await clock.runUntil(() => what() === true, seconds * 1_000);
    if (!came)
      throw new Error(
        `it did not come to be: ${JSON.stringify([deployment()?.status, sessionJob()?.status, snapshot()?.status])}`,
      );
  };
  const stable = (name?: string) => deployment(name)?.status?.lifecycleState === 'STABLE';
  return { clock, client, embedded, asked, looks, apply, deployment, sessionJob, snapshot, until, stable };
}

/** Keeps what is a bug. */
function complaining(bugs: string[]): Log {
  const none = (): void => {};
  const error = (fields: Fields, message: string): void =>
    void bugs.push(`${message}: ${fields.error instanceof Error ? fields.error.stack : JSON.stringify(fields)}`);
  return { debug: none, info: none, warn: none, error, child: () => complaining(bugs) };
}

const edit = (client: Client, job: object): Promise<unknown> =>
  client
    .resource(flinkDeployment.type)
    .patch({ namespace: 'default', name: 'counter' }, { type: 'merge', body: { spec: { job } } });

describe('the operator for Flink', () => {
  it('brings an application up as soon as its JobManager answers, and lets it be afterwards', async () => {
    const { clock, apply, until, stable, deployment, asked, looks } = await world();
    await apply(sampleManifest);
    await until(stable, 30);
    expect(deployment()?.status?.jobStatus?.state).toBe('RUNNING');
    await clock.advance(60_000);
    const { resourceVersion } = deployment()?.metadata ?? {};
    asked.length = 0;
    looks.length = 0;
    await clock.advance(600_000);
    expect(deployment()?.metadata.resourceVersion).toBe(resourceVersion);
    expect(looks).toEqual([]);
    expect(new Set(asked)).toEqual(
      new Set([
        'GET /jobs/overview',
        'GET /jobs/*/checkpoints',
        'GET /jobs/*/exceptions?maxExceptions=20',
        'GET /taskmanagers',
      ]),
    );
    expect(asked.length).toBeLessThan(4 * 50);
  });

  it('carries the state of a job over when its spec changes', async () => {
    const { clock, client, apply, until, stable, deployment, asked } = await world();
    await apply(sampleManifest);
    await until(stable);
    // A savepoint fails while some tasks are still on their way.
    await clock.advance(5_000);
    const before = deployment()?.status?.jobStatus?.jobId;
    asked.length = 0;
    await edit(client, { parallelism: 4 });
    await until(() => stable() && deployment()?.status?.jobStatus?.jobId !== before);
    expect(asked.filter((one) => one.startsWith('POST'))).toEqual(['POST /jobs/*/stop']);
    expect(deployment()?.status?.jobStatus?.upgradeSavepointPath).toMatch(/^s3:\/*sample\/savepoints\//);
  });

  it('notices within a moment that a JobManager died, and that it is back', async () => {
    const { client, embedded, apply, until, stable, looks } = await world();
    await apply(sampleManifest);
    await until(stable);
    looks.length = 0;
    const pods = embedded.world.list(kinds.pods, { namespace: 'default' });
    const [pod] = pods.filter(({ metadata }) => metadata.labels?.component === 'jobmanager');
    await client
      .resource(kinds.pods)
      .delete({ namespace: 'default', name: pod?.metadata.name ?? '' }, { gracePeriodSeconds: 0 });
    await until(() => looks.length > 0, 2);
    expect(looks[0]).toBe('flinkdeployment default/counter');
  });

  it('takes a snapshot of a running job', async () => {
    const { apply, until, stable, snapshot } = await world();
    await apply(sampleManifest);
    await until(stable);
    await apply(`
apiVersion: flink.apache.org/v1beta1
kind: FlinkStateSnapshot
metadata: { name: snap, namespace: default }
spec:
  jobReference: { kind: FlinkDeployment, name: counter }
  savepoint: { disposeOnDelete: false }
`);
    await until(() => snapshot()?.status?.state === 'COMPLETED');
    expect(snapshot()?.status?.path).toMatch(/^s3:\/*sample\/savepoints\//);
  });

  it('runs without snapshots where their kind is not installed', async () => {
    const { apply, until, stable } = await world({ without: 'flinkstatesnapshots.flink.apache.org' });
    await apply(sampleManifest);
    await until(stable);
  });

  it('submits a job to a session cluster and follows it there', async () => {
    const { apply, until, sessionJob, asked, deployment, client } = await world();
    await apply(sampleManifest.replace(/ {2}job:\n(?: {4}.*\n)+/, ''));
    await until(() => deployment()?.status?.jobManagerDeploymentStatus === 'READY');
    await apply(`
apiVersion: flink.apache.org/v1beta1
kind: FlinkSessionJob
metadata: { name: job, namespace: default }
spec:
  deploymentName: counter
  job: { entryClass: dev.example.Counter, parallelism: 1, upgradeMode: stateless }
`);
    await until(() => sessionJob()?.status?.jobStatus?.state === 'RUNNING');
    expect(asked.filter((one) => !one.startsWith('GET'))).toEqual([
      'POST /jars/upload',
      expect.stringMatching(/^POST \/jars\/.*\/run$/),
      expect.stringMatching(/^DELETE \/jars\//),
    ]);
    await client.resource(flinkSessionJob.type).delete({ namespace: 'default', name: 'job' });
    await until(() => sessionJob() === undefined);
    expect(asked.filter((one) => one.startsWith('PATCH'))).toEqual(['PATCH /jobs/*?mode=cancel']);
  });

  it('watches only the namespaces and labels that it is told to', async () => {
    const { clock, apply, looks } = await world({
      settings: { 'kubernetes.operator.watched.namespaces': 'other, more' },
    });
    await apply(sampleManifest);
    await clock.advance(5_000);
    expect(looks).toEqual([]);
    const labelled = await world({ settings: { 'kubernetes.operator.label.selector': 'team=a' } });
    await labelled.apply(sampleManifest);
    await labelled.clock.advance(5_000);
    expect(labelled.looks).toEqual([]);
  });
});
