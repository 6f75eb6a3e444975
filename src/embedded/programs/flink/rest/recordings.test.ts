import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../registry/test-server.ts';
import { TestFlink } from '../test-flink.ts';

interface Recording {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly status: number;
  readonly response: unknown;
}

interface Answer {
  readonly errors?: readonly string[];
  readonly operation?: { readonly 'failure-cause'?: { readonly class: string; readonly 'stack-trace': string } } | null;
}

const jobs = {
  first: '215d821f5649499385c092f5a38184b9',
  second: '7bc0b40d63a3757364b558fff13029cb',
  third: '6b1d885b84c7690f1fdd4da89fc0a576',
  failing: 'ef516f20472834c5345494be7fb191c3',
  unknown: '0'.repeat(32),
};
const trigger = (digits: string): string => digits.repeat(32 / digits.length);

const configuration = {
  'execution.checkpointing.interval': '2 s',
  'execution.checkpointing.num-retained': '3',
  'state.checkpoints.dir': 'file:///data/checkpoints',
  'state.savepoints.dir': 'file:///data/savepoints',
  'restart-strategy.type': 'fixed-delay',
  'restart-strategy.fixed-delay.attempts': '3',
  'parallelism.default': '1',
  'pipeline.name': '',
};

/** Fields whose presence or type depends on the moment, not on the API. */
const momentary = new Set(['accumulated-busy-time', 'location-on-disk']);

/** Checkpoints of different kinds and fates have different fields. */
const variant = (one: unknown): string => {
  const { className = '', is_savepoint: isSavepoint = false } = (one ?? {}) as Record<string, unknown>;
  return `${className}${isSavepoint ? ' savepoint' : ''}`;
};

/** Paths of all fields with their types: what a client relies on. Ids as keys are one; elements of a list are merged. */
function shape(value: unknown, path = '', found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const one of value) shape(one, `${path}[${variant(one)}]`, found);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (!momentary.has(key)) shape(inner, `${path}.${/^[0-9a-f]{32}$/.test(key) ? 'ID' : key}`, found);
    }
  } else found.add(`${path}: ${value === null ? 'null' : typeof value}`);
  return found;
}

/** Both without the kinds of checkpoints that only one of them happened to have in its history. */
function common(...shapes: readonly [Set<string>, Set<string>]): readonly (readonly string[])[] {
  const kind = (field: string): string => /^\.history\[.*?\]/.exec(field)?.[0] ?? '';
  const [ours, theirs] = shapes.map((fields) => new Set([...fields].map(kind)));
  const shared = (field: string): boolean => ours?.has(kind(field)) === true && theirs?.has(kind(field)) === true;
  return shapes.map((fields) => [...fields].filter(shared).sort());
}

/** The first line of every error and failure, ids aside. */
const firstLines = (response: unknown): readonly string[] => {
  const { errors = [], operation } = (response ?? {}) as Answer;
  const cause = operation?.['failure-cause'];
  const texts = [...errors, ...(cause ? [cause.class, cause['stack-trace']] : [])];
  return texts.map((text) =>
    (text.split('\n', 1)[0] ?? '')
      .replace(/[0-9a-f]{32}/g, 'ID')
      .replace(/savepoint-[0-9a-f]{6}-[0-9a-f]{12}/, 'SAVEPOINT'),
  );
};

describe.each(['1.20.5', '2.3.0'])('the REST API of Flink %s', (version) => {
  const file = new URL(`../testdata/rest-${version}.json`, import.meta.url);
  const recordings = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Recording>>;
  const compared = new Set<string>();
  let flink: TestFlink;

  beforeAll(async () => {
    flink = await TestFlink.start();
  });
  afterAll(async () => {
    expect(flink.troubles).toEqual([]);
    await flink.close();
  });

  const asker = (cluster: string) => {
    /** Sends what was recorded (or a like request) and compares the answer with the recording. */
    return async (name: string, ids: readonly string[] = [], body?: unknown): Promise<Reply> => {
      const recording = recordings[name] ?? expect.fail(`no recording ${name}`);
      compared.add(name);
      const left = [...ids];
      const path = recording.path.replace(/ID/g, () => left.shift() ?? jobs.first);
      const reply = await flink.rest(cluster, recording.method, path, body);
      const told = { name, status: reply.status, errors: firstLines(reply.body) };
      expect(told).toEqual({ name, status: recording.status, errors: firstLines(recording.response) });
      const [ours, theirs] = common(shape(reply.body), shape(recording.response));
      expect({ name, fields: ours }).toEqual({ name, fields: theirs });
      return reply;
    };
  };

  it('answers a session cluster as recorded', async () => {
    await flink.deploy({
      name: 'session',
      mode: 'session',
      resources: 'standalone',
      taskManagers: 1,
      image: `flink:${version}`,
      configuration: { ...configuration, 'taskmanager.numberOfTaskSlots': '4' },
    });
    const slots = async (): Promise<number> => (await flink.rest('session', 'GET', '/overview')).body['slots-total'];
    while ((await slots()) !== 4) await flink.clock.advance(500);
    const ask = asker('session');
    await ask('jobs-empty');
    await ask('jobs-overview-empty');
    await ask('overview');
    await ask('config');
    await ask('taskmanagers');
    await ask('jobmanager-config');

    compared.add('jars-upload');
    const multipart =
      '--b\r\ncontent-disposition: form-data; name="jarfile"; filename="countjob.jar"\r\n\r\nPK\r\n--b--\r\n';
    const proxy = '/api/v1/namespaces/ns01/services/session-rest:rest/proxy';
    const upload = await flink.kube('POST', `${proxy}/jars/upload`, multipart, {
      'content-type': 'multipart/form-data; boundary=b',
    });
    expect(shape(upload.body)).toEqual(shape(recordings['jars-upload']?.response));
    await ask('jars');
    const jar = upload.body.filename.split('/').at(-1);
    const run = async (name: string, body: object): Promise<Reply> => {
      const recording = recordings[name] ?? expect.fail(`no recording ${name}`);
      compared.add(name);
      const pending = flink.rest('session', 'POST', `/jars/${jar}/run`, body);
      await flink.clock.advance(100);
      const reply = await pending;
      expect({ name, status: reply.status, errors: firstLines(reply.body), fields: shape(reply.body) }).toEqual({
        name,
        status: recording.status,
        errors: firstLines(recording.response),
        fields: shape(recording.response),
      });
      return reply;
    };

    await run('jars-run', { programArgsList: ['--label', 'v1', '--rate', '100'], jobId: jobs.first });
    await ask('savepoint-early-post', [jobs.first], { triggerId: trigger('fd') });
    await ask('savepoint-early-get', [jobs.first, trigger('fd')]);
    await flink.job('session', 'RUNNING');
    await flink.clock.advance(7000);
    for (const name of [
      'jobs',
      'jobs-overview',
      'job-details',
      'job-status',
      'job-plan',
      'job-config',
      'job-metrics',
    ]) {
      await ask(name);
    }
    await ask('checkpoints-config');
    await ask('exceptions-none');
    await ask('job-resource-requirements');
    await ask('overview-running');
    await ask('job-unknown', [jobs.unknown]);
    await ask('checkpoints');
    await ask('checkpoint-details');

    const savepoint = { 'target-directory': 'file:///data/savepoints', 'cancel-job': false, formatType: 'CANONICAL' };
    const first = trigger('264abaff');
    await ask('savepoint-post', [jobs.first], { ...savepoint, triggerId: first });
    await ask('savepoint-get-first', [jobs.first, first]);
    await ask('savepoint-post-again-immediately', [jobs.first], { ...savepoint, triggerId: first });
    await flink.clock.advance(500);
    const { body: done } = await ask('savepoint-get-completed', [jobs.first, first]);
    expect(done.operation.location).toMatch(/^file:\/data\/savepoints\/savepoint-215d82-[0-9a-f]{12}$/);
    await ask('savepoint-post-again-after-completion', [jobs.first], { ...savepoint, triggerId: first });
    await ask('savepoint-post-same-id-different-body', [jobs.first], { triggerId: first, formatType: 'NATIVE' });
    await ask('savepoint-post-no-id', [jobs.first], savepoint);
    await ask('savepoint-post-empty-body', [jobs.first], {});
    await flink.clock.advance(3000);
    await ask('checkpoints-after-savepoint');
    await ask('savepoint-post-bad-triggerid', [jobs.first], { triggerId: 'not-hex' });
    await ask('savepoint-post-bad-dir', [jobs.first], {
      'target-directory': 'file:///proc/nope',
      triggerId: trigger('ab'),
    });
    await ask('savepoint-post-unknown-job', [jobs.unknown], { triggerId: trigger('cd') });
    await ask('savepoint-get-unknown-job', [jobs.unknown, trigger('cd')]);
    await ask('savepoint-get-unknown-trigger', [jobs.first, trigger('0')]);
    await flink.clock.advance(500);
    await ask('savepoint-get-failed', [jobs.first, trigger('ab')]);
    const locations = flink.world.storage.list('file:/data/savepoints/savepoint-215d82-');
    expect(locations).toHaveLength(3);

    await ask('checkpoint-post-1', [jobs.first], { checkpointType: 'FULL', triggerId: trigger('9d') });
    await ask('checkpoint-post-2', [jobs.first], { checkpointType: 'FULL', triggerId: trigger('9d') });
    await flink.clock.advance(3500);
    await ask('checkpoint-get-completed', [jobs.first, trigger('9d')]);
    await ask('checkpoint-get-unknown-trigger', [jobs.first, trigger('0')]);

    flink.world.fail(flink.named('session'), { job: { mode: 'after', ms: 0, times: 1 } });
    await flink.clock.advance(500);
    await ask('job-details-restarting');
    await ask('exceptions-one');
    await ask('exceptions-max1');
    await flink.job('session', 'RUNNING');
    await flink.clock.advance(5000);
    await ask('checkpoints-after-restore');

    const stop = { targetDirectory: 'file:///data/savepoints', drain: false, formatType: 'NATIVE' };
    await ask('stop-post', [jobs.first], { ...stop, triggerId: trigger('0d') });
    await ask('stop-get-first', [jobs.first, trigger('0d')]);
    await ask('stop-post-again', [jobs.first], { ...stop, triggerId: trigger('0d') });
    await flink.job('session', 'FINISHED');
    const { body: stopped } = await ask('stop-get-completed', [jobs.first, trigger('0d')]);
    await ask('stop-post-after-finished', [jobs.first], { ...stop, triggerId: trigger('0d') });
    await ask('stop-post-newid-after-finished', [jobs.first], { ...stop, triggerId: trigger('2a') });
    await ask('stop-get-newid-after-finished', [jobs.first, trigger('2a')]);
    await flink.clock.advance(3000);
    await ask('job-details-finished');
    await ask('checkpoints-finished');

    const savepointPath = stopped.operation.location;
    await run('jars-run-restore', { programArgsList: ['--label', 'v2'], jobId: jobs.second, savepointPath });
    await flink.job('session', 'RUNNING');
    await flink.clock.advance(4500);
    await ask('checkpoints-restored-from-savepoint', [jobs.second]);
    await ask('savepoint-post-same-id-other-job', [jobs.second], { ...savepoint, triggerId: first });
    await flink.rest('session', 'GET', `/jobs/${jobs.second}`);
    await ask('cancel-patch', [jobs.second]);
    const { body: stale } = await ask('job-details-cancelling', [jobs.second]);
    expect(stale.state).toBe('RUNNING');
    await flink.clock.advance(3500);
    const { body: canceled } = await ask('job-details-canceled', [jobs.second]);
    expect(canceled.state).toBe('CANCELED');
    await ask('cancel-again', [jobs.second]);
    await ask('savepoint-post-canceled-job', [jobs.second], { ...savepoint, triggerId: trigger('ef') });
    await ask('savepoint-get-canceled-job', [jobs.second, trigger('ef')]);
    await run('jars-run-duplicate-jobid', { programArgsList: ['--label', 'v1'], jobId: jobs.first });
    await run('jars-run-bad-savepoint', {
      programArgsList: ['--label', 'v3'],
      jobId: jobs.third,
      savepointPath: 'file:///data',
    });

    flink.world.fail(flink.named('session'), {});
    const none = { 'restart-strategy.type': 'none' };
    await run('jars-run-flinkconf', {
      programArgsList: ['--fail-after', '1ms'],
      jobId: jobs.failing,
      flinkConfiguration: none,
    });
    await flink.clock.advance(5000);
    await ask('exceptions-failed', [jobs.failing]);
    await ask('job-details-failed', [jobs.failing]);
    await ask('jobs-overview-final');

    await ask('savepoint-disposal-post', [], { 'savepoint-path': savepointPath });
    const { body: disposal } = await flink.rest('session', 'POST', '/savepoint-disposal', {
      // The recorded 1.20 disposed of one that was gone already.
      'savepoint-path': version.startsWith('1.') ? savepointPath : done.operation.location,
    });
    await ask('savepoint-disposal-get', [disposal['request-id']]);
    compared.add('jars-delete');
    expect(await flink.rest('session', 'DELETE', `/jars/${jar}`)).toMatchObject({ status: 200, body: {} });
  });

  it('answers a highly available application as recorded, also after its JobManager was killed', async () => {
    await flink.deploy({
      name: 'app',
      resources: 'standalone',
      taskManagers: 1,
      image: `flink:${version}`,
      configuration: {
        ...configuration,
        '$internal.pipeline.job-id': jobs.first,
        'high-availability.type': 'kubernetes',
        'high-availability.storageDir': 'file:///data/ha',
        'job-result-store.delete-on-commit': 'false',
      },
    });
    await flink.job('app', 'RUNNING');
    await flink.clock.advance(7000);
    const ask = asker('app');
    await ask('app-jobs-overview');
    const id = trigger('f351');
    const savepoint = { 'target-directory': 'file:///data/savepoints', 'cancel-job': false, triggerId: id };
    await flink.rest('app', 'POST', `/jobs/${jobs.first}/savepoints`, savepoint);
    await flink.clock.advance(1000);
    await flink.killJobManager('app');

    const answers = new Set<number>();
    for (let status = 0; status !== 200; ) {
      ({ status } = await flink.rest('app', 'GET', '/jobs/overview'));
      answers.add(status);
      if (status === 503) {
        const { body } = await flink.rest('app', 'GET', '/jobs/overview');
        if (body.errors) await ask('app-jobs-overview-recovering');
      }
      await flink.clock.advance(250);
    }
    expect([...answers]).toEqual([503, 200]);
    expect([...compared]).toContain('app-jobs-overview-recovering');
    await ask('app-savepoint-get-after-jm-restart', [jobs.first, id]);
    await flink.job('app', 'RUNNING');
    await flink.clock.advance(5000);
    const { body: statistics } = await ask('app-checkpoints-after-jm-restart');
    expect(statistics.latest.savepoint).toBe(null);
    await ask('app-savepoint-repost-after-jm-restart', [jobs.first], savepoint);
    await flink.clock.advance(1000);
    await flink.savepoint('app', jobs.first, { triggerId: trigger('86') }, 'stop');
    await flink.job('app', 'FINISHED');
    await ask('app-jobs-overview-after-stop');
    if (!version.startsWith('1.')) await ask('app-applications-overview');

    await flink.killJobManager('app');
    while ((await flink.rest('app', 'GET', '/jobs/overview')).status !== 200) await flink.clock.advance(500);
    await ask('app-jobs-overview-restart-after-finished');
    await ask('app-job-details-restart-after-finished');
    await ask('app-checkpoints-restart-after-finished');
    await ask('app-stop-trigger-restart-after-finished', [jobs.first, trigger('86')]);
  });

  it('was compared with every recording', () => {
    expect(Object.keys(recordings).filter((name) => !compared.has(name))).toEqual([]);
  });
});
