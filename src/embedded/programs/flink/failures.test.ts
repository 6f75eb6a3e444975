import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Pod } from '../../kinds/objects/pod.ts';
import { type Failures, failuresOf } from './failures.ts';
import { type ClusterSpec, TestFlink } from './test-flink.ts';

const jobId = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const cluster = (what?: keyof Failures, how?: string, more: Partial<ClusterSpec> = {}): ClusterSpec => ({
  name: 'app',
  annotations: what && how ? { [`embedded.cutover.dev/flink-${what}`]: how } : {},
  ...more,
  configuration: {
    '$internal.pipeline.job-id': jobId,
    'execution.checkpointing.interval': '10 s',
    'state.checkpoints.dir': 's3://bucket/cp',
    'state.savepoints.dir': 's3://bucket/sp',
    ...more.configuration,
  },
});

describe('failures on demand', () => {
  let flink: TestFlink;
  beforeEach(async () => {
    flink = await TestFlink.start();
  });
  afterEach(async () => {
    expect(flink.troubles).toEqual([]);
    await flink.close();
  });

  it('fail a savepoint inside an answer of 200, as often as asked, and leave the job running', async () => {
    await flink.deploy(cluster('savepoints', 'fail times=1'));
    await flink.job('app', 'RUNNING');
    await flink.clock.advance(5000);
    const failed = await flink.savepoint('app', jobId, {}, 'stop');
    expect(failed).toMatchObject({ status: 200, body: { operation: { 'failure-cause': expect.anything() } } });
    await flink.clock.advance(5000);
    await flink.job('app', 'RUNNING');
    const [run] = flink.runs('app');
    expect(run?.isLive).toBe(true);
    const before = run?.to ?? 0;
    await flink.clock.advance(10_000);
    expect(run?.to).toBe(before + 100);
    expect((await flink.savepoint('app', jobId, {}, 'stop')).body.operation.location).toContain('s3://bucket/sp/');
    expect(flink.audit('app')).toMatchObject({ lost: [], doubled: [] });
  });

  it('keep a savepoint from ending until the checkpoint timeout', async () => {
    await flink.deploy(
      cluster('savepoints', 'never', { configuration: { 'execution.checkpointing.timeout': '2 min' } }),
    );
    await flink.job('app', 'RUNNING');
    const { body } = await flink.rest('app', 'POST', `/jobs/${jobId}/savepoints`, {});
    const status = async () => (await flink.rest('app', 'GET', `/jobs/${jobId}/savepoints/${body['request-id']}`)).body;
    await flink.clock.advance(115_000);
    expect(await status()).toEqual({ status: { id: 'IN_PROGRESS' }, operation: null });
    await flink.clock.advance(10_000);
    expect(JSON.stringify(await status())).toContain('Checkpoint expired before completing.');
  });

  it('slow a savepoint down without changing what is in it', async () => {
    await flink.deploy(cluster('savepoints', 'slow for=20s'));
    await flink.job('app', 'RUNNING');
    await flink.clock.advance(10_000);
    const triggered = flink.runs('app')[0]?.to ?? 0;
    const { body } = await flink.rest('app', 'POST', `/jobs/${jobId}/stop`, {});
    await flink.clock.advance(19_000);
    expect((await flink.rest('app', 'GET', `/jobs/${jobId}/status`)).body).toEqual({ status: 'RUNNING' });
    await flink.clock.advance(2000);
    const outcome = await flink.rest('app', 'GET', `/jobs/${jobId}/savepoints/${body['request-id']}`);
    expect(outcome.body.operation.location).toBeDefined();
    expect(flink.runs('app')[0]?.to).toBe(triggered);
  });

  it.each([
    ['at-start', 'FAILED', 'induced failure at start'],
    ['after for=5s', 'FAILED', 'Recovery is suppressed by NoRestartBackoffTimeStrategy'],
  ])('fail a job %s', async (how, state, message) => {
    await flink.deploy(cluster('job', how, { configuration: { 'restart-strategy.type': 'none' } }));
    await flink.job('app', state);
    const { body } = await flink.rest('app', 'GET', `/jobs/${jobId}/execution-result`);
    expect(body).toMatchObject({
      status: { id: 'COMPLETED' },
      'job-execution-result': { 'application-status': 'FAILED' },
    });
    expect(body['job-execution-result']['failure-cause']['stack-trace']).toContain(message);
  });

  it('fail a job once, by its own arguments, and let it recover', async () => {
    await flink.deploy(
      cluster(undefined, undefined, { programArguments: ['--fail-after', '15s', '--fail-times', '1'] }),
    );
    await flink.job('app', 'RUNNING');
    await flink.clock.advance(60_000);
    expect(flink.runs('app').map(({ end }) => end)).toEqual(['restarted', undefined]);
    expect(flink.audit('app').lost).toEqual([]);
  });

  it('fail checkpoints, and with them the job', async () => {
    await flink.deploy(cluster('checkpoints', 'fail times=2'));
    await flink.job('app', 'RUNNING');
    await flink.clock.advance(60_000);
    const { body } = await flink.rest('app', 'GET', `/jobs/${jobId}/checkpoints`);
    expect(body.counts.failed).toBe(2);
    expect(body.counts.completed).toBeGreaterThan(0);
    const exceptions = await flink.rest('app', 'GET', `/jobs/${jobId}/exceptions`);
    expect(exceptions.body['root-exception']).toContain('Exceeded checkpoint tolerable failure threshold.');
  });

  it('let a JobManager take long to start', async () => {
    await flink.deploy(cluster('start', 'slow for=40s'));
    await flink.clock.advance(40_000);
    expect(flink.pods('app', 'jobmanager')[0]?.status?.containerStatuses?.[0]?.ready).toBe(false);
    await flink.clock.advance(10_000);
    expect(flink.pods('app', 'jobmanager')[0]?.status?.containerStatuses?.[0]?.ready).toBe(true);
  });

  it('let REST hang until the caller gives up, answer rubbish, half an answer, or about another job', async () => {
    await flink.deploy(cluster());
    await flink.job('app', 'RUNNING');
    const name = flink.named('app');
    flink.world.fail(name, { rest: { mode: 'garbage' } });
    expect((await flink.rest('app', 'GET', '/jobs')).text).toMatch(/^<html>/);
    flink.world.fail(name, { rest: { mode: 'wrong-job-id' } });
    expect((await flink.rest('app', 'GET', '/jobs')).body.jobs[0].id).toBe([...jobId].reverse().join(''));
    flink.world.fail(name, { rest: { mode: 'cut', times: 1 } });
    await expect(flink.rest('app', 'GET', '/jobs')).rejects.toThrow(SyntaxError);
    expect((await flink.rest('app', 'GET', '/jobs')).body.jobs).toHaveLength(1);
    flink.world.fail(name, { rest: { mode: 'hang' } });
    let answered = false;
    void flink.rest('app', 'GET', '/jobs').then(
      () => (answered = true),
      () => {},
    );
    await flink.clock.advance(3_600_000);
    expect(answered).toBe(false);
  });

  it('let a JobManager run out of memory', async () => {
    await flink.deploy(cluster('jobmanager', 'out-of-memory for=5s times=1'));
    await flink.until('it has exited', () => {
      const [status] = flink.pods('app', 'jobmanager')[0]?.status?.containerStatuses ?? [];
      return status?.lastState?.terminated?.exitCode === 239;
    });
    await flink.job('app', 'RUNNING');
  });

  it('are told when they are not understood', () => {
    const told: string[] = [];
    const annotations = {
      'embedded.cutover.dev/flink-rest': 'hang times=3',
      'embedded.cutover.dev/flink-savepoints': 'explode',
      'embedded.cutover.dev/flink-constructor': 'fail',
      'embedded.cutover.dev/flink-start': 'slow for=soon',
    };
    const pod = { metadata: { annotations } } as unknown as Pod;
    expect(failuresOf(pod, (text) => told.push(text))).toEqual({ rest: { mode: 'hang', times: 3 } });
    expect(told).toHaveLength(3);
  });
});
