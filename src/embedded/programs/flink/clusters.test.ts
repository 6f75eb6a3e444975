import { afterEach, describe, expect, it } from 'vitest';
import { seen } from './counting.ts';
import { TestFlink } from './test-flink.ts';

const jobId = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const configuration = {
  '$internal.pipeline.job-id': jobId,
  'execution.checkpointing.interval': '10 s',
  'state.checkpoints.dir': 's3://bucket/cp',
  'state.savepoints.dir': 's3://bucket/sp',
};

let flink: TestFlink;
afterEach(async () => {
  expect(flink.troubles).toEqual([]);
  await flink.close();
});

describe('a native cluster', () => {
  it('refuses connections while it boots, answers 503 until it leads, and is ready only then', async () => {
    flink = await TestFlink.start();
    await flink.deploy({ name: 'app', configuration });
    await flink.until('the container runs', () => flink.pods('app', 'jobmanager')[0]?.status?.phase === 'Running');
    const [pod] = flink.pods('app', 'jobmanager');
    const answers: string[] = [];
    for (let at = 0; at < 40; at++) {
      const { status, text } = await flink.kube(
        'GET',
        `/api/v1/namespaces/ns01/pods/${pod?.metadata.name}:8081/proxy/config`,
      );
      const answer = status === 200 ? 'answers' : text.includes('leader election') ? 'elects' : 'refuses';
      const isReady = flink.pods('app', 'jobmanager')[0]?.status?.containerStatuses?.[0]?.ready === true;
      if (isReady) expect(answer).toBe('answers');
      if (answers.at(-1) !== answer) answers.push(answer);
      await flink.clock.advance(100);
    }
    expect(answers).toEqual(['refuses', 'elects', 'answers']);
  });

  it('restarts a job from its last checkpoint when a TaskManager dies, in a new pod', async () => {
    flink = await TestFlink.start();
    await flink.deploy({ name: 'app', configuration });
    await flink.job('app', 'RUNNING');
    await flink.clock.advance(25_000);
    await flink.kube('DELETE', '/api/v1/namespaces/ns01/pods/app-taskmanager-1-1', { gracePeriodSeconds: 0 });
    await flink.job('app', 'RESTARTING');
    await flink.job('app', 'RUNNING');
    await flink.clock.advance(5000);
    expect(flink.pods('app', 'taskmanager').map(({ metadata }) => metadata.name)).toEqual([
      'app-taskmanager-1-2',
      'app-taskmanager-1-3',
    ]);
    const [first, second] = flink.runs('app');
    expect(second?.origin.restoredFrom).toBe(`s3://bucket/cp/${jobId}/chk-2`);
    expect(flink.audit('app')).toMatchObject({ lost: [], doubled: [{ from: second?.from, to: first?.to }] });
    const { offset, counts } = second?.state ?? expect.fail('no state');
    expect(counts).toEqual([0, 1, 2, 3].map((key) => seen(offset, key, 4)));
    const { body } = await flink.rest('app', 'GET', `/jobs/${jobId}/metrics?get=numRestarts,fullRestarts`);
    expect(body).toEqual([
      { id: 'numRestarts', value: '1' },
      { id: 'fullRestarts', value: '1' },
    ]);
    const exceptions = await flink.rest('app', 'GET', `/v1/jobs/${jobId}/exceptions`);
    expect(exceptions.body['root-exception']).toContain('Connection unexpectedly closed by remote task manager');
  });

  it('makes another pod at once when one goes before it has registered', async () => {
    flink = await TestFlink.start();
    await flink.deploy({ name: 'app', configuration });
    await flink.until('pods are made', () => flink.pods('app', 'taskmanager').length === 2);
    await flink.kube('DELETE', '/api/v1/namespaces/ns01/pods/app-taskmanager-1-2', { gracePeriodSeconds: 0 });
    await flink.job('app', 'RUNNING', 20_000);
    expect(flink.runs('app')[0]?.origin.taskManagers.toSorted()).toEqual([
      'app-taskmanager-1-1',
      'app-taskmanager-1-3',
    ]);
  });

  it('gets no slots without rights, and says why', async () => {
    flink = await TestFlink.start({ rights: false });
    await flink.deploy({ name: 'app', configuration });
    await flink.clock.advance(60_000);
    const { body } = await flink.rest('app', 'GET', '/jobs/overview');
    // As with real Flink: the default scheduler says RUNNING although no task has a slot.
    expect(body.jobs[0]).toMatchObject({ state: 'RUNNING', tasks: { scheduled: 4, running: 0, total: 4 } });
    expect(flink.pods('app', 'taskmanager')).toEqual([]);
    const [pod] = flink.pods('app', 'jobmanager');
    expect(await flink.log(pod?.metadata.name ?? '')).toMatch(/TaskManager pods: .*pods is forbidden/);
    expect(flink.runs('app')).toEqual([]);
  });

  it('starts anew from the configured savepoint when its JobManager dies without high availability', async () => {
    flink = await TestFlink.start();
    await flink.deploy({ name: 'app', configuration });
    await flink.job('app', 'RUNNING');
    await flink.clock.advance(30_000);
    const { body } = await flink.savepoint('app', jobId);
    await flink.undeploy('app');
    const { location } = body.operation;
    await flink.deploy({ name: 'app', configuration: { ...configuration, 'execution.savepoint.path': location } });
    await flink.job('app', 'RUNNING');
    await flink.clock.advance(60_000);
    await flink.killJobManager('app');
    await flink.job('app', 'RUNNING');
    const [, second, third] = flink.runs('app');
    expect(third?.origin).toMatchObject({ jobId, restoredFrom: location });
    expect(third?.from).toBe(second?.from);
  });

  it('sends TaskManagers away that nobody needs any more, and keeps or drops checkpoints as configured', async () => {
    flink = await TestFlink.start();
    for (const retention of ['RETAIN_ON_CANCELLATION', 'DELETE_ON_CANCELLATION']) {
      const name = retention.startsWith('RETAIN') ? 'keeps' : 'drops';
      const own = { 'execution.checkpointing.externalized-checkpoint-retention': retention };
      const dir = { 'state.checkpoints.dir': `s3://bucket/${name}`, 'execution.checkpointing.num-retained': '2' };
      await flink.deploy({ name, configuration: { ...configuration, ...own, ...dir } });
      await flink.job(name, 'RUNNING');
      await flink.clock.advance(45_000);
      const kept = [3, 4].map((id) => `s3://bucket/${name}/${jobId}/chk-${id}/_metadata`);
      expect(flink.world.storage.list(`s3://bucket/${name}`)).toEqual(kept);
      await flink.rest(name, 'PATCH', `/jobs/${jobId}?mode=cancel`);
      await flink.job(name, 'CANCELED');
      expect(flink.world.storage.list(`s3://bucket/${name}`)).toEqual(name === 'keeps' ? kept : []);
      await flink.clock.advance(60_000);
      expect(flink.pods(name, 'taskmanager')).toEqual([]);
      expect((await flink.rest(name, 'GET', '/overview')).body).toMatchObject({ taskmanagers: 0, 'jobs-cancelled': 1 });
    }
  });

  it('does not start when it should be highly available without a storage, and says so', async () => {
    flink = await TestFlink.start();
    await flink.deploy({ name: 'app', configuration: { ...configuration, 'high-availability.type': 'kubernetes' } });
    await flink.clock.advance(30_000);
    const [pod] = flink.pods('app', 'jobmanager');
    const [status] = pod?.status?.containerStatuses ?? [];
    expect(status?.restartCount).toBeGreaterThan(0);
    expect(status?.lastState?.terminated?.exitCode).toBe(1);
    expect(await flink.log(pod?.metadata.name ?? '')).toContain('mandatory parameter: high-availability.storageDir');
  });

  it('goes as a whole when it is shut down', async () => {
    flink = await TestFlink.start();
    await flink.deploy({ name: 'app', configuration });
    await flink.job('app', 'RUNNING');
    expect((await flink.rest('app', 'DELETE', '/cluster')).status).toBe(200);
    await flink.until('all pods are gone', () => flink.pods('app').length === 0);
  });

  it('shows what it counts in the log of a TaskManager', async () => {
    flink = await TestFlink.start();
    await flink.deploy({ name: 'app', configuration, programArguments: ['--rate', '1', '--keys', '2'] });
    await flink.job('app', 'RUNNING');
    await flink.clock.advance(65_000);
    expect(await flink.log('app-taskmanager-1-1')).toMatch(/app \(a1b2\w+\): (\d+) records, counts \d+ \d+/);
  });

  it('costs nothing while it idles', async () => {
    flink = await TestFlink.start();
    for (const name of ['one', 'two', 'three']) {
      await flink.deploy({ name, configuration, programArguments: ['--checkpoint-ms', '100'] });
    }
    for (const name of ['one', 'two', 'three']) await flink.job(name, 'RUNNING');
    await flink.clock.advance(120_000);
    expect(flink.clock.untilNext).toBeGreaterThan(60_000);
    await flink.clock.advance(24 * 3_600_000);
    const { body } = await flink.rest('one', 'GET', `/jobs/${jobId}/checkpoints`);
    expect(body.counts.completed).toBeGreaterThan(24 * 36_000);
    expect(body.latest.completed.external_path).toBe(`s3://bucket/cp/${jobId}/chk-${body.latest.completed.id}`);
  });
});

describe('a standalone cluster', () => {
  const scale = (replicas: number) =>
    flink.kube(
      'PATCH',
      '/apis/apps/v1/namespaces/ns01/deployments/app-taskmanager',
      { spec: { replicas } },
      {
        'content-type': 'application/merge-patch+json',
      },
    );

  it('waits for the slots of TaskManagers that somebody else provides', async () => {
    flink = await TestFlink.start({ rights: false });
    await flink.deploy({ name: 'app', resources: 'standalone', taskManagers: 1, configuration });
    await flink.clock.advance(30_000);
    expect((await flink.rest('app', 'GET', '/overview')).body).toMatchObject({ taskmanagers: 1, 'slots-available': 1 });
    expect(flink.runs('app')).toEqual([]);
    await scale(2);
    await flink.job('app', 'RUNNING');
    expect(flink.runs('app')).toHaveLength(1);
  });

  it('fails a job that waits for slots for too long, again and again', async () => {
    flink = await TestFlink.start();
    await flink.deploy({ name: 'app', resources: 'standalone', taskManagers: 1, configuration });
    await flink.clock.advance(310_000);
    const { body } = await flink.rest('app', 'GET', `/jobs/${jobId}/exceptions`);
    expect(body['root-exception']).toContain('NoResourceAvailableException');
  });

  it('uses all slots in reactive mode, whatever the parallelism says', async () => {
    flink = await TestFlink.start();
    const reactive = { ...configuration, 'scheduler-mode': 'reactive' };
    await flink.deploy({ name: 'app', resources: 'standalone', taskManagers: 2, configuration: reactive });
    await flink.job('app', 'RUNNING');
    await flink.clock.advance(30_000);
    await scale(4);
    await flink.clock.advance(60_000);
    expect((await flink.job('app', 'RUNNING')).tasks.total).toBe(8);
    await scale(1);
    await flink.clock.advance(60_000);
    expect((await flink.job('app', 'RUNNING')).tasks.total).toBe(2);
    expect(flink.audit('app').lost).toEqual([]);
  });

  it('changes the parallelism of an adaptive job in place', async () => {
    flink = await TestFlink.start();
    const adaptive = { ...configuration, 'jobmanager.scheduler': 'adaptive' };
    await flink.deploy({ name: 'app', configuration: adaptive });
    await flink.job('app', 'RUNNING');
    await flink.clock.advance(25_000);
    const path = `/jobs/${jobId}/resource-requirements`;
    const { body } = await flink.rest('app', 'GET', path);
    const wider = Object.fromEntries(
      Object.keys(body).map((id) => [id, { parallelism: { lowerBound: 1, upperBound: 4 } }]),
    );
    expect(Object.values(body)).toEqual(Array(2).fill({ parallelism: { lowerBound: 1, upperBound: 2 } }));
    expect((await flink.rest('app', 'PUT', path, { ...wider, nope: wider })).status).toBe(400);
    expect((await flink.rest('app', 'PUT', path, wider)).status).toBe(200);
    await flink.clock.advance(60_000);
    expect((await flink.job('app', 'RUNNING')).tasks.total).toBe(8);
    expect(flink.pods('app', 'taskmanager')).toHaveLength(4);
    expect(flink.audit('app').lost).toEqual([]);
  });
});
