import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ClusterSpec, TestFlink } from './test-flink.ts';

const jobId = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const rate = 10;
const interval = 10;

const cluster = (
  more: Partial<ClusterSpec> & { readonly extra?: Readonly<Record<string, string>> } = {},
): ClusterSpec => {
  const { extra, ...spec } = more;
  return {
    name: 'ha',
    ...spec,
    configuration: {
      '$internal.pipeline.job-id': jobId,
      'execution.checkpointing.interval': `${interval} s`,
      'state.checkpoints.dir': 's3://bucket/cp',
      'state.savepoints.dir': 's3://bucket/sp',
      'high-availability.type': 'kubernetes',
      'high-availability.storageDir': 's3://bucket/ha',
      'high-availability.cluster-id': 'ha',
      ...extra,
    },
  };
};

describe('Kubernetes high availability', () => {
  let flink: TestFlink;
  beforeEach(async () => {
    flink = await TestFlink.start();
  });
  afterEach(async () => {
    expect(flink.troubles).toEqual([]);
    await flink.close();
  });
  /** What an operator does before it deploys a changed job: the stored one would win over the configuration. */
  const forgetGraph = async (): Promise<void> => {
    const path = '/api/v1/namespaces/ns01/configmaps/ha-cluster-config-map';
    const patch = { data: { [`jobGraph-${jobId}`]: null } };
    await flink.kube('PATCH', path, patch, { 'content-type': 'application/merge-patch+json' });
  };
  const lastRun = () => flink.runs('ha').at(-1) ?? expect.fail('no run');

  it('keeps leader, job and checkpoints in ConfigMaps of the cluster', async () => {
    await flink.deploy(cluster());
    await flink.job('ha', 'RUNNING');
    await flink.clock.advance(35_000);
    const labels = { app: 'ha', 'configmap-type': 'high-availability', type: 'flink-native-kubernetes' };
    const shared = flink.configMap('ha-cluster-config-map');
    expect(shared?.metadata.labels).toEqual(labels);
    const leader = JSON.parse(shared?.metadata.annotations?.['control-plane.alpha.kubernetes.io/leader'] ?? '');
    expect(leader).toMatchObject({ leaseDuration: 15, leaderTransitions: 0 });
    expect(Object.keys(shared?.data ?? {}).sort()).toEqual([
      `jobGraph-${jobId}`,
      'org.apache.flink.k8s.leader.dispatcher',
      `org.apache.flink.k8s.leader.job-${jobId}`,
      'org.apache.flink.k8s.leader.resourcemanager',
      'org.apache.flink.k8s.leader.restserver',
    ]);
    const own = flink.configMap(`ha-${jobId}-config-map`);
    expect(own?.metadata.labels).toEqual(labels);
    expect(Object.keys(own?.data ?? {}).sort()).toEqual(['checkpointID-0000000000000000003', 'counter']);
    expect(own?.data?.counter).toBe('4');
  });

  it('names the stored job executionPlan from 2.0 on', async () => {
    await flink.deploy(cluster({ image: 'flink:2.1' }));
    await flink.job('ha', 'RUNNING');
    expect(Object.keys(flink.configMap('ha-cluster-config-map')?.data ?? {})).toContain(`executionPlan-${jobId}`);
  });

  it('goes on with the same job from its last checkpoint when the JobManager is killed', async () => {
    await flink.deploy(cluster());
    await flink.job('ha', 'RUNNING');
    await flink.clock.advance(35_000);
    await flink.killJobManager('ha');
    expect(await flink.job('ha', 'RUNNING')).toMatchObject({ jid: jobId });
    await flink.clock.advance(20_000);
    const [first, second] = flink.runs('ha');
    expect(first?.end).toBe('lost');
    expect(second?.origin.restoredFrom).toBe(`s3://bucket/cp/${jobId}/chk-3`);
    const { lost, doubled } = flink.audit('ha');
    expect(lost).toEqual([]);
    expect(doubled).toEqual([{ from: second?.from, to: first?.to }]);
    expect((first?.to ?? 0) - (second?.from ?? 0)).toBeLessThanOrEqual((interval + 1) * rate);
    expect(flink.pods('ha', 'taskmanager').map(({ metadata }) => metadata.name)).toEqual([
      'ha-taskmanager-1-1',
      'ha-taskmanager-1-2',
    ]);
  });

  it('waits for the lease of a killed JobManager, and not for one that left by itself', async () => {
    await flink.deploy(cluster());
    await flink.job('ha', 'RUNNING');
    const downtime = async (end: () => Promise<void>): Promise<number> => {
      const since = flink.clock.monotonic();
      await end();
      await flink.job('ha', 'RUNNING');
      return flink.clock.monotonic() - since;
    };
    const killed = await downtime(() => flink.killJobManager('ha'));
    const left = await downtime(async () => {
      const [pod] = flink.pods('ha', 'jobmanager');
      await flink.kube('DELETE', `/api/v1/namespaces/ns01/pods/${pod?.metadata.name}`);
      await flink.clock.advance(1000);
    });
    expect(killed).toBeGreaterThan(15_000);
    expect(left).toBeLessThan(12_000);
  });

  it('lets a standby answer with what the leader says, and take over', async () => {
    await flink.deploy(cluster({ replicas: 2 }));
    await flink.job('ha', 'RUNNING');
    await flink.clock.advance(5000);
    const pods = flink.pods('ha', 'jobmanager');
    expect(pods).toHaveLength(2);
    for (const { metadata } of pods) {
      const path = `/api/v1/namespaces/ns01/pods/${metadata.name}:8081/proxy/jobs`;
      expect((await flink.kube('GET', path)).body).toEqual({ jobs: [{ id: jobId, status: 'RUNNING' }] });
    }
    const address = /@([\d.]+):/.exec(JSON.stringify(flink.configMap('ha-cluster-config-map')?.data))?.[1];
    const leader = pods.find(({ status }) => status?.podIP === address);
    await flink.kube('DELETE', `/api/v1/namespaces/ns01/pods/${leader?.metadata.name}`, { gracePeriodSeconds: 0 });
    await flink.clock.advance(30_000);
    await flink.job('ha', 'RUNNING');
    expect(flink.runs('ha').map(({ end }) => end)).toEqual(['lost', undefined]);
    expect(flink.audit('ha').lost).toEqual([]);
  });

  it('prefers its own checkpoints to a dummy savepoint path, and fails on the path when it has none', async () => {
    const extra = { 'execution.savepoint.path': 'KUBERNETES_OPERATOR_LAST_STATE' };
    await flink.deploy(cluster());
    await flink.job('ha', 'RUNNING');
    await flink.clock.advance(15_000);
    await flink.undeploy('ha');
    expect(flink.configMap(`ha-${jobId}-config-map`)).toBeDefined();
    await forgetGraph();
    await flink.deploy(cluster({ extra }));
    await flink.job('ha', 'RUNNING');
    expect(lastRun().origin.restoredFrom).toBe(`s3://bucket/cp/${jobId}/chk-1`);

    await flink.deploy({ ...cluster({ extra: { ...extra, 'kubernetes.cluster-id': 'other' } }), name: 'other' });
    await flink.job('other', 'FAILED');
    const { body } = await flink.rest('other', 'GET', `/jobs/${jobId}/exceptions`);
    expect(body['root-exception']).toContain(
      "Cannot find checkpoint or savepoint file/directory 'KUBERNETES_OPERATOR_LAST_STATE' on file system 'file'.",
    );
  });

  it('recovers the stored job, and reads the configuration again once that entry is gone', async () => {
    await flink.deploy(cluster());
    await flink.job('ha', 'RUNNING');
    await flink.clock.advance(15_000);
    const widen = async (): Promise<number> => {
      await flink.undeploy('ha');
      await flink.deploy(cluster({ extra: { 'parallelism.default': '3' } }));
      return (await flink.job('ha', 'RUNNING')).tasks.total / 2;
    };
    expect(await widen()).toBe(2);
    await flink.undeploy('ha');
    await forgetGraph();
    await flink.deploy(cluster({ extra: { 'parallelism.default': '3' } }));
    expect((await flink.job('ha', 'RUNNING')).tasks.total / 2).toBe(3);
    expect(lastRun().origin.restoredFrom).toContain('/chk-');
  });

  it('cleans up after a job that has ended, and runs it again only when its result was not kept', async () => {
    for (const keep of [true, false]) {
      const name = keep ? 'kept' : 'dropped';
      const extra = { 'job-result-store.delete-on-commit': String(!keep), 'high-availability.cluster-id': name };
      await flink.deploy({ ...cluster({ extra: { ...extra, 'kubernetes.cluster-id': name } }), name });
      await flink.job(name, 'RUNNING');
      await flink.rest(name, 'PATCH', `/jobs/${jobId}?mode=cancel`);
      await flink.job(name, 'CANCELED');
      await flink.clock.advance(1000);
      expect(flink.configMap(`${name}-${jobId}-config-map`)).toBeUndefined();
      expect(Object.keys(flink.configMap(`${name}-cluster-config-map`)?.data ?? {})).not.toContain(`jobGraph-${jobId}`);
      await flink.killJobManager(name);
      await flink.clock.advance(40_000);
      expect((await flink.rest(name, 'GET', '/jobs')).body.jobs).toHaveLength(keep ? 0 : 1);
    }
  });

  it('says in its log what it may not do, and never leads', async () => {
    await flink.kube('DELETE', '/apis/rbac.authorization.k8s.io/v1/namespaces/ns01/rolebindings/flink');
    await flink.deploy(cluster());
    await flink.clock.advance(30_000);
    const [pod] = flink.pods('ha', 'jobmanager');
    expect((await flink.kube('GET', `/api/v1/namespaces/ns01/pods/${pod?.metadata.name}:8081/proxy/jobs`)).status).toBe(
      503,
    );
    expect(await flink.log(pod?.metadata.name ?? '')).toMatch(/acquiring the lock.*configmaps.*forbidden/s);
  });

  it('loses its checkpoints, audibly, when somebody deletes the ConfigMap of a running job', async () => {
    await flink.deploy(cluster());
    await flink.job('ha', 'RUNNING');
    await flink.kube('DELETE', `/api/v1/namespaces/ns01/configmaps/ha-${jobId}-config-map`);
    await flink.clock.advance(15_000);
    expect(flink.configMap(`ha-${jobId}-config-map`)).toBeUndefined();
    const [pod] = flink.pods('ha', 'jobmanager');
    expect(await flink.log(pod?.metadata.name ?? '')).toContain('does not exist');
  });
});
