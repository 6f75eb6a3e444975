import { describe, expect, it } from 'vitest';
import { flinkRest } from './flink-rest.ts';
import { cluster, recorded, type SampleName, sample, scripted, versions } from './samples.fixture.ts';
import type { Heard } from './wire.ts';

const { signal } = new AbortController();
const asking = (...args: Parameters<typeof recorded>) => flinkRest(recorded(...args), { timeoutMs: 10_000 });
const hearing = (heard: Heard) =>
  flinkRest(
    scripted(() => heard),
    { timeoutMs: 10_000 },
  );

describe.each(versions)('Flink %s', (version) => {
  it('tells its jobs', async () => {
    const one = sample(version, 'app-jobs-overview');
    expect(await asking(version, 'app-jobs-overview').jobs(cluster, signal)).toEqual({
      ok: true,
      value: [
        {
          id: one.response.jobs[0]?.jid,
          name: 'CountJob-a1',
          state: 'RUNNING',
          startedAt: expect.any(Number),
          changedAt: expect.any(Number),
        },
      ],
    });
    const ended = await asking(version, 'jobs-overview-final').jobs(cluster, signal);
    expect(ended.ok && ended.value.map(({ state }) => state).sort()).toEqual([
      'CANCELED',
      'FAILED',
      'FAILED',
      'FINISHED',
    ]);
    expect(await asking(version, 'jobs-overview-empty').jobs(cluster, signal)).toEqual({ ok: true, value: [] });
  });

  it('says to come again while it elects a leader', async () => {
    expect(await asking(version, 'app-jobs-overview-recovering').jobs(cluster, signal)).toMatchObject({
      ok: false,
      failure: {
        kind: 'not ready',
        status: 503,
        message: expect.stringMatching(/^GET \/jobs\/overview of team-a\/orders: Service temporarily unavailable/),
      },
    });
  });

  it.each([
    'checkpoints',
    'checkpoints-after-savepoint',
    'checkpoints-after-restore',
    'checkpoints-restored-from-savepoint',
    'app-checkpoints-after-jm-restart',
  ] as const)('tells its checkpoints: %s', async (name) => {
    const { response, jobId } = sample(version, name);
    const answer = await asking(version, name).job(cluster, jobId, 'checkpoints', signal);
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    const { completed, savepoint, restored } = response.latest;
    const newest = [completed, savepoint, restored].filter((one) => one !== null).sort((a, b) => b.id - a.id)[0];
    expect(answer.value.last).toMatchObject({ id: newest?.id, path: newest?.external_path });
    expect(answer.value.counts).toEqual({ completed: response.counts.completed, failed: response.counts.failed });
    expect(answer.value.lastSavepoint?.id).toBe(savepoint?.id);
    expect(answer.value.inProgress).toBeUndefined();
  });

  it('never takes a checkpoint that Flink threw away for the last state', async () => {
    const { jobId, response } = sample(version, 'checkpoints-finished');
    const answer = await asking(version, 'checkpoints-finished').job(cluster, jobId, 'checkpoints', signal);
    expect(response.latest.completed?.discarded).toBe(true);
    expect(answer.ok && answer.value.last).toMatchObject({ path: response.latest.savepoint?.external_path });
  });

  it('knows nothing of the checkpoints of a job that it has forgotten', async () => {
    const name = 'app-checkpoints-restart-after-finished';
    const { jobId } = sample(version, name);
    expect(await asking(version, name).job(cluster, jobId, 'checkpoints', signal)).toMatchObject({
      ok: false,
      failure: { kind: 'refused', status: 404, message: expect.stringContaining(`Job ${jobId} not found`) },
    });
  });

  it('tells what went wrong in a job, newest first, with where', async () => {
    const { jobId } = sample(version, 'exceptions-one');
    const answer = await asking(version, 'exceptions-one').job(cluster, jobId, 'exceptions', signal);
    expect(answer.ok && answer.value).toEqual([
      {
        name: 'java.lang.RuntimeException',
        stack: expect.stringMatching(/^java\.lang\.RuntimeException: induced failure: \/data\/FAIL\n\tat /),
        at: expect.any(Number),
        task: 'keyed-count -> discard: Writer (1/1) - execution #0',
        endpoint: expect.stringContaining('localhost:'),
        taskManager: expect.stringContaining('127.0.0.1:'),
        labels: {},
      },
    ]);
    const failed = await asking(version, 'exceptions-failed').job(cluster, jobId, 'exceptions', signal);
    expect(failed.ok && failed.value[0]).toMatchObject({
      name: 'org.apache.flink.runtime.JobException',
      task: undefined,
    });
    const none = await asking(version, 'exceptions-none').job(cluster, jobId, 'exceptions', signal);
    expect(none).toEqual({ ok: true, value: [] });
  });

  it.each([
    ['savepoint-get-first', { is: 'in progress' }],
    ['savepoint-get-completed', { is: 'done', location: /^file:\/data\/savepoints\/savepoint-/ }],
    ['stop-get-first', { is: 'in progress' }],
    ['stop-get-completed', { is: 'done', location: /^file:\/data\/savepoints\/savepoint-/ }],
    ['savepoint-get-failed', { is: 'failed', message: /IOException: Failed to create savepoint directory at file:/ }],
    ['savepoint-early-get', { is: 'failed', message: /^CheckpointException: Checkpoint triggering task Source: / }],
    ['savepoint-get-unknown-job', { is: 'failed', message: /^FlinkJobNotFoundException: Could not find Flink job/ }],
    ['savepoint-get-canceled-job', { is: 'failed', message: /^FlinkJobNotFoundException: Could not find Flink job/ }],
    ['stop-get-newid-after-finished', { is: 'failed', message: /Could not find Flink job/ }],
    ['savepoint-get-unknown-trigger', { is: 'unknown' }],
    ['app-savepoint-get-after-jm-restart', { is: 'unknown' }],
  ] as [SampleName, Record<string, string | RegExp>][])(
    'tells what became of a savepoint: %s',
    async (name, expected) => {
      const { id, jobId } = sample(version, name);
      const answer = await asking(version, name).operation(cluster, { id, of: 'savepoint', jobId }, signal);
      const shape = Object.entries(expected).map(([key, value]) => [
        key,
        value instanceof RegExp ? expect.stringMatching(value) : value,
      ]);
      expect(answer).toEqual({ ok: true, value: Object.fromEntries(shape) });
    },
  );

  it('tells what became of a checkpoint, and where it lies if that can still be told', async () => {
    const { id, jobId } = sample(version, 'checkpoint-get-completed');
    const done = sample(version, 'checkpoint-get-completed').response.operation.checkpointId;
    const details = { ...sample(version, 'checkpoint-details').response, id: done };
    const wire = (second: Heard) =>
      scripted(({ path }) =>
        path.includes('/details/')
          ? second
          : { is: 'answer', status: 200, text: sample(version, 'checkpoint-get-completed').text },
      );
    const operation = { id, of: 'checkpoint', jobId } as const;
    const at = (second: Heard) => flinkRest(wire(second), { timeoutMs: 1 }).operation(cluster, operation, signal);
    expect(await at({ is: 'answer', status: 200, text: JSON.stringify(details) })).toEqual({
      ok: true,
      value: { is: 'done', checkpointId: done, location: details.external_path },
    });
    const forgotten = sample(version, 'job-unknown');
    expect(await at({ is: 'answer', status: 404, text: forgotten.text })).toEqual({
      ok: true,
      value: { is: 'done', checkpointId: done },
    });
    const other = { ...details, id: 9999 };
    expect(await at({ is: 'answer', status: 200, text: JSON.stringify(other) })).toMatchObject({
      ok: false,
      failure: {
        kind: 'nonsense',
        message: `team-a/orders was asked about checkpoint ${done} and answered about checkpoint 9999`,
      },
    });
    expect(await at({ is: 'silence', message: 'x' })).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
    const unknown = sample(version, 'checkpoint-get-unknown-trigger');
    const gone = asking(version, 'checkpoint-get-unknown-trigger');
    expect(await gone.operation(cluster, { id: unknown.id, of: 'checkpoint', jobId }, signal)).toEqual({
      ok: true,
      value: { is: 'unknown' },
    });
  });

  it('tells its version and its TaskManagers', async () => {
    expect(await asking(version, 'config').version(cluster, signal)).toEqual({
      ok: true,
      value: { version, revision: expect.stringContaining('@') },
    });
    expect(await asking(version, 'taskmanagers').taskManagers(cluster, signal)).toEqual({ ok: true, value: 1 });
  });

  it('refuses bounds of vertices without the adaptive scheduler, with its own words', async () => {
    const { jobId } = sample(version, 'job-resource-requirements');
    const answer = await asking(version, 'job-resource-requirements').job(cluster, jobId, 'requirements', signal);
    expect(answer).toMatchObject({
      ok: false,
      failure: {
        kind: 'refused',
        status: 500,
        message: expect.stringContaining('The DefaultScheduler does not support'),
      },
    });
  });

  it('lists metrics without values when it is not asked for any', async () => {
    const { jobId } = sample(version, 'job-metrics');
    expect(await asking(version, 'job-metrics').job(cluster, jobId, 'metrics', signal)).toEqual({
      ok: true,
      value: {},
    });
  });
});

describe('answers that were not recorded', () => {
  const jobId = 'a'.repeat(32);
  const json = (value: unknown): Heard => ({ is: 'answer', status: 200, text: JSON.stringify(value) });

  it('are read for metrics and bounds of vertices', async () => {
    const metrics = json([
      { id: 'numRestarts', value: '3' },
      { id: 'numberOfCompletedCheckpoints', value: 'NaN' },
    ]);
    expect(await hearing(metrics).job(cluster, jobId, 'metrics', signal)).toEqual({
      ok: true,
      value: { numRestarts: 3 },
    });
    const bounds = json({ [jobId]: { parallelism: { lowerBound: 1, upperBound: 4 } } });
    expect(await hearing(bounds).job(cluster, jobId, 'requirements', signal)).toEqual({
      ok: true,
      value: { [jobId]: { lower: 1, upper: 4 } },
    });
  });

  it('tell why a job failed, and nothing while it runs', async () => {
    const trace =
      'org.apache.flink.runtime.JobException: Recovery is suppressed\n\tat a.B\nCaused by: java.lang.IllegalStateException: disk full\n\tat c.D\n';
    const failed = json({
      status: { id: 'COMPLETED' },
      'job-execution-result': { 'application-status': 'FAILED', 'failure-cause': { class: 'x', 'stack-trace': trace } },
    });
    expect(await hearing(failed).job(cluster, jobId, 'failure', signal)).toEqual({
      ok: true,
      value: { summary: 'JobException: Recovery is suppressed: IllegalStateException: disk full', stack: trace },
    });
    const runs = json({ status: { id: 'IN_PROGRESS' } });
    expect(await hearing(runs).job(cluster, jobId, 'failure', signal)).toEqual({ ok: true, value: undefined });
  });

  it('say that no checkpoints are taken', async () => {
    const text = JSON.stringify({ errors: ['org.apache.X: Checkpointing has not been enabled.'] });
    const answer = await hearing({ is: 'answer', status: 404, text }).job(cluster, jobId, 'checkpoints', signal);
    expect(answer).toMatchObject({ ok: true, value: { last: undefined, counts: { completed: 0, failed: 0 } } });
  });

  it('leave out a path that leads nowhere', async () => {
    const entry = {
      id: 7,
      status: 'COMPLETED',
      trigger_timestamp: 1,
      state_size: 2,
      external_path: '<checkpoint-not-externally-addressable>',
      discarded: false,
    };
    const running = { id: 8, status: 'IN_PROGRESS', trigger_timestamp: 5 };
    const body = {
      counts: { completed: 1, failed: 0 },
      latest: { completed: entry, savepoint: null, restored: null },
      history: [running, entry],
    };
    const answer = await hearing(json(body)).job(cluster, jobId, 'checkpoints', signal);
    expect(answer).toMatchObject({
      ok: true,
      value: { last: { id: 7, path: undefined }, inProgress: { id: 8, triggeredAt: 5 } },
    });
  });
});

describe('an answer that cannot be used', () => {
  const whole = sample('2.3.0', 'app-jobs-overview').text;

  it.each([
    ['is not JSON', '<html>hello</html>', /is not JSON, or is cut off: "<html>/],
    ['is cut off', whole.slice(0, -20), /is not JSON, or is cut off/],
    ['is empty', '', /is not JSON/],
    ['has another shape', '{"jobs": 3}', /is not what Flink's should be: jobs /],
    ['names a state that Flink does not have', whole.replace('RUNNING', 'DANCING'), /jobs\[0\]\.state/],
    ['names a job by no id', whole.replace(/"jid":"[0-9a-f]+"/, '"jid":"../../x"'), /jobs\[0\]\.jid/],
    ['is a hostile object', '{"__proto__": {"jobs": []}}', /jobs /],
  ])('%s', async (_what, text, message) => {
    expect(await hearing({ is: 'answer', status: 200, text }).jobs(cluster, signal)).toMatchObject({
      ok: false,
      failure: { kind: 'nonsense', message: expect.stringMatching(message) },
    });
  });

  it.each([
    [{ is: 'silence', message: 'm' }, 'unreachable'],
    [{ is: 'flood', message: 'm' }, 'nonsense'],
    [{ is: 'barred', message: 'm' }, 'refused'],
    [{ is: 'answer', status: 502, text: 'Bad Gateway' }, 'not ready'],
    [{ is: 'answer', status: 500, text: '' }, 'refused'],
    [{ is: 'answer', status: 302, text: '' }, 'refused'],
  ] as [Heard, string][])('%j is %s', async (heard, kind) => {
    expect(await hearing(heard).jobs(cluster, signal)).toMatchObject({ ok: false, failure: { kind } });
  });

  it('is trouble also when a trigger is said to be over without an outcome', async () => {
    const over = hearing({ is: 'answer', status: 200, text: '{"status":{"id":"COMPLETED"},"operation":null}' });
    for (const of of ['savepoint', 'checkpoint'] as const) {
      const answer = await over.operation(cluster, { id: 'b'.repeat(32), of, jobId: 'a'.repeat(32) }, signal);
      expect(answer).toMatchObject({ ok: false, failure: { kind: 'nonsense' } });
    }
  });
});
