import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seen } from './counting.ts';
import { TestFlink } from './test-flink.ts';

const jobId = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const secondId = 'ffffffffe5f60718293a4b5c6d7e8f90';
const directories = {
  'execution.checkpointing.interval': '10 s',
  'state.checkpoints.dir': 's3://bucket/cp',
  'state.savepoints.dir': 's3://bucket/sp',
};

describe('a native application', () => {
  let flink: TestFlink;
  beforeEach(async () => {
    flink = await TestFlink.start();
  });
  afterEach(async () => {
    expect(flink.troubles).toEqual([]);
    await flink.close();
  });

  it('runs, is stopped with a savepoint, and goes on elsewhere without losing or doubling a record', async () => {
    const programArguments = ['--rate', '50', '--keys', '3'];
    const configuration = { ...directories, '$internal.pipeline.job-id': jobId };
    await flink.deploy({ name: 'orders', configuration, programArguments });
    const running = await flink.job('orders', 'RUNNING');
    expect(running).toMatchObject({ jid: jobId, name: 'orders' });
    expect(flink.pods('orders', 'taskmanager').map(({ metadata }) => metadata.name)).toEqual([
      'orders-taskmanager-1-1',
      'orders-taskmanager-1-2',
    ]);
    await flink.clock.advance(60_000);

    const stopped = await flink.savepoint('orders', jobId, { targetDirectory: 's3://bucket/own' }, 'stop');
    const { location } = stopped.body.operation;
    expect(location).toMatch(/^s3:\/\/bucket\/own\/savepoint-a1b2c3-[0-9a-f]{12}$/);
    await flink.job('orders', 'FINISHED');
    await flink.undeploy('orders');

    const restored = { ...directories, '$internal.pipeline.job-id': secondId, 'execution.savepoint.path': location };
    await flink.deploy({ name: 'orders', configuration: restored, programArguments });
    await flink.job('orders', 'RUNNING');
    await flink.clock.advance(30_000);

    const runs = flink.runs('orders');
    expect(runs.map(({ end, origin }) => ({ end, jobId: origin.jobId, from: origin.restoredFrom }))).toEqual([
      { end: 'FINISHED', jobId, from: undefined },
      { end: undefined, jobId: secondId, from: location },
    ]);
    const { end, lost, doubled } = flink.audit('orders');
    expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
    expect(end).toBeGreaterThan(50 * 85);
    const { state } = runs[1] ?? expect.fail('no second run');
    expect(state.counts).toEqual([0, 1, 2].map((key) => seen(state.offset, key, 3)));
  });

  it('does exactly the same with the same seed', async () => {
    const life = async (own: TestFlink): Promise<string> => {
      const configuration = {
        ...directories,
        'high-availability.type': 'kubernetes',
        'high-availability.storageDir': 's3://b/ha',
      };
      await own.deploy({ name: 'orders', configuration });
      await own.job('orders', 'RUNNING');
      await own.kube('DELETE', '/api/v1/namespaces/ns01/pods/orders-taskmanager-1-1', { gracePeriodSeconds: 0 });
      await own.clock.advance(60_000);
      const [pod] = own.pods('orders', 'jobmanager');
      return JSON.stringify([await own.log(pod?.metadata.name ?? ''), own.configMap('orders-cluster-config-map')]);
    };
    const other = await TestFlink.start();
    const [one, two] = [await life(flink), await life(other)];
    await other.close();
    expect(two).toBe(one);
  });
});
