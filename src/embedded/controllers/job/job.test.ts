import { afterEach, describe, expect, it } from 'vitest';
import type { Job } from '../../kinds/objects/workload.ts';
import { jobs, pods } from '../../kinds/resource-types.ts';
import { conditionOf, holds } from '../condition.ts';
import { isActive } from '../pods.ts';
import { TestCluster } from '../test-cluster.ts';
import { formatIndexes, parseIndexes } from './indexes.ts';

let cluster: TestCluster;

afterEach(() => cluster.stop());

const job = (): Job => cluster.get<Job>(jobs, 'work');
const is = (type: string): boolean => holds(job().status?.conditions, type);

async function start(spec: Partial<Job['spec']> = {}, command = ['sh', '-c', 'sleep 2; echo done']): Promise<void> {
  cluster = new TestCluster();
  const object: Job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'work', namespace: 'default' },
    spec: {
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'work', image: 'busybox', command }] } },
      ...spec,
    },
  };
  await cluster.world.create(jobs, object);
}

describe('a Job', () => {
  it('completes when its pod has succeeded, and counts it once', async () => {
    await start();
    await cluster.until('complete', () => is('Complete'));
    await cluster.run(60_000);
    expect(job().status).toMatchObject({ succeeded: 1, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
    expect(job().status?.active).toBeUndefined();
    expect(job().status?.completionTime).toBeDefined();
    expect(conditionOf(job().status?.conditions, 'SuccessCriteriaMet')?.reason).toBe('CompletionsReached');
    expect(cluster.pods()).toHaveLength(1);
    expect(cluster.pods()[0]?.metadata.finalizers ?? []).toEqual([]);
  });

  it('runs as many at once as parallelism says, until completions are reached', async () => {
    await start({ completions: 5, parallelism: 2 });
    let most = 0;
    await cluster.until('complete', () => {
      most = Math.max(most, cluster.pods().filter(isActive).length);
      return is('Complete');
    });
    expect(most).toBe(2);
    expect(job().status?.succeeded).toBe(5);
    expect(cluster.pods()).toHaveLength(5);
  });

  it('gives every index one pod', async () => {
    await start({ completions: 3, parallelism: 3, completionMode: 'Indexed' }, [
      'sh',
      '-c',
      'echo part $JOB_COMPLETION_INDEX',
    ]);
    await cluster.until('complete', () => is('Complete'));
    expect(job().status).toMatchObject({ succeeded: 3, completedIndexes: '0-2' });
    const hosts = cluster.pods().map((pod) => pod.spec.hostname);
    expect(hosts.toSorted()).toEqual(['work-0', 'work-1', 'work-2']);
    const pod = cluster.pods().find((one) => one.spec.hostname === 'work-1');
    const chunks: string[] = [];
    for await (const chunk of await cluster.runtime.log(pod as never, {})) chunks.push(Buffer.from(chunk).toString());
    expect(chunks.join('')).toBe('part 1\n');
  });

  it('fails when its pods fail more often than backoffLimit, each try later than the one before', async () => {
    await start({ backoffLimit: 2 }, ['sh', '-c', 'exit 3']);
    await cluster.until('failed', () => is('Failed'));
    expect(job().status?.failed).toBe(3);
    expect(conditionOf(job().status?.conditions, 'Failed')).toMatchObject({
      reason: 'BackoffLimitExceeded',
      message: 'Job has reached the specified backoff limit',
    });
    const times = cluster
      .pods()
      .map((pod) => Date.parse(pod.metadata.creationTimestamp ?? ''))
      .toSorted((a, b) => a - b);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(gaps[0]).toBeGreaterThanOrEqual(10_000);
    expect(gaps[1]).toBeGreaterThanOrEqual(20_000);
  });

  it('is stopped by its deadline', async () => {
    await start({ activeDeadlineSeconds: 20 }, ['sleep', '3600']);
    await cluster.until('failed', () => is('Failed'));
    expect(conditionOf(job().status?.conditions, 'Failed')?.reason).toBe('DeadlineExceeded');
    expect(cluster.pods().filter(isActive)).toEqual([]);
  });

  it('does nothing while suspended and starts when resumed', async () => {
    await start({ suspend: true });
    await cluster.run(60_000);
    expect(cluster.pods()).toEqual([]);
    expect(conditionOf(job().status?.conditions, 'Suspended')).toMatchObject({
      status: 'True',
      reason: 'JobSuspended',
    });
    expect(job().status?.startTime).toBeUndefined();
    await cluster.world.update(jobs, { ...job(), spec: { ...job().spec, suspend: false } });
    await cluster.until('complete', () => is('Complete'));
    expect(conditionOf(job().status?.conditions, 'Suspended')?.status).toBe('False');
  });

  it('is removed with its pods when its time to live is over', async () => {
    await start({ ttlSecondsAfterFinished: 30 });
    await cluster.until('complete', () => is('Complete'));
    await cluster.run(25_000);
    expect(cluster.world.get(jobs, 'default', 'work')).toBeDefined();
    await cluster.run(30_000);
    expect(cluster.world.get(jobs, 'default', 'work')).toBeUndefined();
    expect(cluster.world.list(pods)).toEqual([]);
  });

  it('restarts containers in place with OnFailure', async () => {
    await start({
      backoffLimit: 1,
      template: {
        spec: { restartPolicy: 'OnFailure', containers: [{ name: 'work', image: 'busybox', command: ['false'] }] },
      },
    });
    await cluster.until('failed', () => is('Failed'));
    expect(cluster.world.writes.filter((write) => write.startsWith('create pods'))).toHaveLength(1);
  });

  it('loses its pods with it', async () => {
    await start({}, ['sleep', '3600']);
    await cluster.until('running', () => job().status?.ready === 1);
    await cluster.world.remove(jobs, job(), { propagation: 'Background' });
    await cluster.run(60_000);
    expect(cluster.world.list(pods)).toEqual([]);
  });
});

describe('index lists', () => {
  it.each([
    [[0, 1, 2, 4, 6, 7], '0-2,4,6,7'],
    [[5], '5'],
    [[], ''],
  ])('writes %j as %s and reads it back', (numbers, text) => {
    cluster = new TestCluster();
    expect(formatIndexes(numbers)).toBe(text);
    expect([...parseIndexes(text)]).toEqual(numbers);
  });
});
