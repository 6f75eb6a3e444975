import { describe, expect, it } from 'vitest';
import { type FlinkDeployment, flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { flinkStateSnapshot } from '../../src/flink/resources/flink-state-snapshot.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { type GoldenCase, goldenCases } from '../golden/flink/load.ts';
import { renewLease } from './java-lease.ts';
import { leftByJavaOperator } from './left-by-java-operator.ts';
import { application, blueGreen, namespace } from './manifests.ts';
import { FlinkStage, type StageOptions } from './stage.ts';

const takeover = ['flinkdeployment', 'flinksessionjob', 'flinkstatesnapshot'];

/** What the Java operator had deployed. */
const deployed = goldenCases().filter(
  ({ kind, sent, status }) =>
    kind === 'FlinkDeployment' && sent.length > 0 && status.reconciliationStatus?.state === 'DEPLOYED',
);
const running = deployed.filter(({ status }) => status.lifecycleState === 'STABLE');

/** One to a namespace: some have the same. */
function apart(golden: GoldenCase): GoldenCase {
  const text = JSON.stringify(golden).replaceAll(`${golden.input.metadata.namespace}`, `case-${golden.name}`);
  return JSON.parse(text) as GoldenCase;
}

/** Objects that have to stay the very same. */
function standing(stage: FlinkStage): readonly string[] {
  const types = [kinds.deployments, kinds.services, kinds.configMaps, kinds.ingresses, kinds.pods];
  return types
    .flatMap((type) => stage.embedded.world.list(type))
    .filter(({ metadata }) => metadata.namespace?.startsWith('case-'))
    .map(({ kind, metadata }: AnyObject) => `${kind} ${metadata.namespace}/${metadata.name} ${metadata.uid}`)
    .sort();
}

/** A stage with recorded clusters that have started, and nobody who operates them. */
async function inherited(cases: readonly GoldenCase[], options: StageOptions = {}): Promise<FlinkStage> {
  const stage = await FlinkStage.open({ ...options, nodes: { count: 8, cpu: '512', memory: '4096Gi' } });
  for (const golden of cases) await leftByJavaOperator(stage.person, apart(golden), stage.clock.now());
  await stage.clock.advance(120_000);
  return stage;
}

/** A savepoint of a job that is not there. */
const snapshot = (name: string): AnyObject => ({
  apiVersion: 'flink.apache.org/v1beta1',
  kind: 'FlinkStateSnapshot',
  metadata: { name, namespace },
  spec: { jobReference: { kind: 'FlinkDeployment', name: 'missing' }, savepoint: {} },
});

const all = (stage: FlinkStage): readonly FlinkDeployment[] =>
  stage.embedded.world.list<FlinkDeployment>(flinkDeployment.type);

describe('taking over from the Java operator', () => {
  it('finds recordings to take over', () => {
    expect(running.length).toBeGreaterThan(4);
    expect(deployed.length).toBeGreaterThan(35);
  });

  it('restarts nothing and writes nothing but the statuses of its resources', async () => {
    await using stage = await inherited(deployed);
    const before = standing(stage);
    const runs = [...stage.flink.runs()];
    const live = runs.filter(({ isLive }) => isLive);
    expect(live.length).toBeGreaterThan(30);
    stage.start({ takeover });
    await stage.clock.advance(10 * 60_000);
    const others = stage.writes.filter((write) => !/^(PUT|PATCH) .*\/flinkdeployments\/[^/]+(\/status)?$/.test(write));
    expect(others).toEqual([]);
    expect(standing(stage)).toEqual(before);
    expect(stage.flink.runs()).toEqual(runs);
    expect(stage.flink.runs().filter(({ isLive }) => isLive)).toEqual(live);
    const moved = all(stage).filter(({ status }) => status?.transition !== undefined || status?.history !== undefined);
    expect(moved.map(({ metadata }) => metadata.namespace)).toEqual([]);
    // Some need a volume, a savepoint or a priority that is not there; whatever runs is found to be well.
    const counting = new Set(live.map(({ origin }) => origin.cluster.split('/')[0]));
    const unstable = all(stage).filter(
      ({ metadata, status }) => counting.has(metadata.namespace ?? '') && status?.lifecycleState !== 'STABLE',
    );
    expect(unstable.map(({ metadata }) => metadata.namespace)).toEqual([]);
    // And then it is quiet.
    stage.writes.length = 0;
    await stage.clock.advance(30 * 60_000);
    expect(stage.writes).toEqual([]);
  }, 300_000);

  it('leaves all alone until it is told to take over', async () => {
    await using stage = await inherited(running);
    const before = standing(stage);
    stage.start();
    await stage.clock.advance(10 * 60_000);
    expect(standing(stage)).toEqual(before);
    for (const { metadata, status } of all(stage)) {
      const { conditions = [] } = status ?? {};
      expect(conditions, metadata.namespace).toContainEqual(
        expect.objectContaining({ type: 'ManagedElsewhere', status: 'True' }),
      );
      expect(status).not.toHaveProperty('nonces');
    }
  });

  it('takes nothing over while that one renews its lease, in whatever namespace it was said to be', async () => {
    await using stage = await inherited(running.slice(0, 2), { otherOperator: 'flink-operator' });
    const end = await renewLease(stage, 'flink-operator');
    stage.start({ takeover });
    await stage.clock.advance(10 * 60_000);
    const told = (): unknown[] =>
      all(stage).map(({ status }) => status?.conditions?.find(({ type }) => type === 'ManagedElsewhere')?.reason);
    expect(told()).toEqual(['LeaseAlive', 'LeaseAlive']);
    for (const { status } of all(stage)) expect(status).not.toHaveProperty('nonces');
    end();
    await stage.until('both are taken over', () => told().every((reason) => reason === undefined));
  });

  it('stands aside when that one writes again, and goes on when it has been silent for a while', async () => {
    const [golden] = running;
    if (!golden) throw new Error('nothing was recorded');
    await using stage = await inherited([golden]);
    stage.start({ takeover });
    await stage.clock.advance(60_000);
    const [{ metadata }] = all(stage) as [FlinkDeployment];
    const at = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
    const deployments = stage.person.resource<FlinkDeployment>(flinkDeployment.type);
    const found = await deployments.get(at);
    const status = { ...found.status, error: 'written by the other one' };
    await deployments.status.update({ ...found, status }, { fieldManager: 'fabric8-kubernetes-client' });
    await stage.clock.advance(1_000);
    await deployments.patch(at, { type: 'merge', body: { spec: { job: { args: ['--label', 'edited'] } } } });
    await stage.clock.advance(4 * 60_000);
    const edited = (): boolean => stage.flink.runs().some(({ origin }) => origin.label === 'edited');
    const told = () => all(stage)[0]?.status?.conditions?.find(({ type }) => type === 'ManagedElsewhere');
    expect(told()).toMatchObject({ reason: 'WrittenByAnother' });
    expect(edited()).toBe(false);
    await stage.until('the edit runs', edited);
    expect(told()).toBeUndefined();
  });

  it.each([true, false])(
    'leaves a new resource to it as well until it is known to be silent: it is alive %s',
    async (alive) => {
      await using stage = await inherited(running.slice(0, 1));
      stage.start();
      await stage.clock.advance(10_000);
      await stage.apply(application({ name: 'fresh' }));
      await stage.clock.advance(30_000);
      const fresh = (): FlinkDeployment | undefined => stage.find<FlinkDeployment>(flinkDeployment.type, 'fresh');
      expect(fresh()?.metadata.finalizers).toBeUndefined();
      expect(fresh()?.status).toBeUndefined();
      if (!alive) return await stage.stable('fresh');
      const status = { lifecycleState: 'DEPLOYED', reconciliationStatus: { state: 'DEPLOYED' } };
      const deployments = stage.person.resource<AnyObject>(flinkDeployment.type);
      const found = stage.find<AnyObject>(flinkDeployment.type, 'fresh') ?? expect.fail('it is gone');
      await deployments.status.update({ ...found, status }, { fieldManager: 'fabric8-kubernetes-client' });
      await stage.clock.advance(10 * 60_000);
      expect(stage.condition('fresh', 'ManagedElsewhere')).toMatchObject({ reason: 'StatusKeptByAnother' });
      expect(stage.pods('fresh')).toEqual([]);
    },
  );

  it('acts at once beside it on what it makes itself', async () => {
    await using stage = await inherited(running.slice(0, 1));
    stage.start();
    await stage.clock.advance(10_000);
    await stage.apply(blueGreen());
    await stage.clock.advance(30_000);
    expect(stage.status('orders-blue').reconciliationStatus?.state).toBe('DEPLOYED');
  });

  it('leaves a new snapshot to it while it keeps jobs, and then waits for the job as ever', async () => {
    await using stage = await inherited(running.slice(0, 1));
    stage.start();
    await stage.clock.advance(10_000);
    await stage.apply(snapshot('fresh'));
    await stage.clock.advance(59_000);
    expect(stage.snapshots()[0]?.status).toBeUndefined();
    await stage.clock.advance(30_000);
    expect(stage.snapshots()[0]?.status?.state).toBe('TRIGGER_PENDING');
    await stage.clock.advance(60_000);
    expect(stage.snapshots()[0]?.status?.state).toBe('ABANDONED');
  });

  it('does not take it for alive because of a snapshot that was over long ago', async () => {
    await using stage = await inherited([]);
    await stage.apply(snapshot('old'));
    const [old] = stage.snapshots() as unknown as [AnyObject];
    const status = { state: 'COMPLETED', path: 's3://bucket/savepoint-1', failures: 0 };
    const snapshots = stage.person.resource<AnyObject>(flinkStateSnapshot.type);
    await snapshots.status.update({ ...old, status }, { fieldManager: 'fabric8-kubernetes-client' });
    stage.start();
    await stage.clock.advance(10_000);
    await stage.apply(snapshot('fresh'));
    await stage.clock.advance(10_000);
    const fresh = stage.snapshots().find(({ metadata }) => metadata.name === 'fresh');
    expect(fresh?.status?.state).toBe('TRIGGER_PENDING');
  });

  it.each(running.map((golden) => [golden.name, golden] as const))(
    'goes on with %s: the next edit is an upgrade that keeps what its mode promises',
    async (_, golden) => {
      await using stage = await inherited([golden]);
      const namespace = `case-${golden.name}`;
      const { name = '' } = golden.input.metadata;
      stage.start({ takeover });
      await stage.clock.advance(60_000);
      const at = { namespace, name };
      const body = { spec: { job: { args: ['--label', 'edited'] } } };
      await stage.person.resource(flinkDeployment.type).patch(at, { type: 'merge', body });
      await stage.until('the edit runs', () => stage.flink.runs().some(({ origin }) => origin.label === 'edited'));
      await stage.clock.advance(60_000);
      const [first, ...more] = stage.flink.runs();
      const last = more.at(-1);
      expect(stage.flink.runs().filter(({ isLive }) => isLive)).toEqual([last]);
      expect(first?.isLive).toBe(false);
      const { upgradeMode = 'stateless' } = golden.input.spec.job as { upgradeMode?: string };
      if (upgradeMode === 'stateless') expect(last?.from).toBe(0);
      // The recorded jobs make no checkpoints of their own: only a savepoint can carry something over.
      if (upgradeMode === 'savepoint') expect(last?.origin.restoredFrom).toContain('/savepoint-');
      const { lost } = stage.counted(name, stage.flink.runs());
      expect(lost).toEqual([]);
    },
  );
});
