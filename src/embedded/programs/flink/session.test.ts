import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '../../registry/test-server.ts';
import { TestFlink } from './test-flink.ts';

const ids = ['a'.repeat(32), 'b'.repeat(32)] as const;
const configuration = {
  'pipeline.name': '',
  'parallelism.default': '1',
  'execution.checkpointing.interval': '10 s',
  'state.checkpoints.dir': 's3://bucket/cp',
  'state.savepoints.dir': 's3://bucket/sp',
  'jobstore.expiration-time': '600',
  'high-availability.type': 'kubernetes',
  'high-availability.storageDir': 's3://bucket/ha',
};

describe('a session cluster', () => {
  let flink: TestFlink;
  beforeEach(async () => {
    flink = await TestFlink.start();
    await flink.deploy({ name: 'session', mode: 'session', configuration });
    while ((await flink.rest('session', 'GET', '/overview')).status !== 200) await flink.clock.advance(500);
  });
  afterEach(async () => {
    expect(flink.troubles).toEqual([]);
    await flink.close();
  });

  const upload = async (name = 'job.jar'): Promise<string> => {
    const body = `--b\r\ncontent-disposition: form-data; name="jarfile"; filename="${name}"\r\n\r\nPK\r\n--b--\r\n`;
    const path = '/api/v1/namespaces/ns01/services/session-rest:rest/proxy/jars/upload';
    const reply = await flink.kube('POST', path, body, { 'content-type': 'multipart/form-data; boundary=b' });
    return reply.body.filename?.split('/').at(-1) ?? reply.text;
  };
  const run = async (jar: string, body: object): Promise<Reply> => {
    const pending = flink.rest('session', 'POST', `/jars/${jar}/run`, body);
    await flink.clock.advance(100);
    return pending;
  };

  it('cannot tell of the checkpoints of a job while it initialises it', async () => {
    const path = `/jobs/${ids[0]}/checkpoints`;
    const pending = flink.rest('session', 'POST', `/jars/${await upload()}/run`, { jobId: ids[0] });
    while ((await flink.rest('session', 'GET', path)).status === 404) await flink.clock.advance(1);
    expect((await flink.rest('session', 'GET', '/jobs/overview')).body.jobs[0].state).toBe('INITIALIZING');
    const { status, body } = await flink.rest('session', 'GET', path);
    expect(status).toBe(500);
    expect(body.errors[1]).toContain('Unable to get JobMasterGateway for initializing job.');
    await flink.clock.advance(100);
    await pending;
    expect((await flink.rest('session', 'GET', path)).status).toBe(200);
  });

  it('makes TaskManagers for the jobs that come, and keeps nobody waiting for those that go', async () => {
    const jar = await upload();
    for (const jobId of ids) expect((await run(jar, { jobId })).body).toEqual({ jobid: jobId });
    await flink.clock.advance(30_000);
    expect((await flink.rest('session', 'GET', '/overview')).body).toMatchObject({
      taskmanagers: 2,
      'jobs-running': 2,
    });
    await flink.rest('session', 'PATCH', `/jobs/${ids[0]}?mode=cancel`);
    await flink.clock.advance(60_000);
    expect((await flink.rest('session', 'GET', '/overview')).body).toMatchObject({
      taskmanagers: 1,
      'jobs-cancelled': 1,
    });
    expect((await run(jar, { jobId: ids[0] })).status).toBe(400);
    await flink.clock.advance(600_000);
    expect((await flink.rest('session', 'GET', `/jobs/${ids[0]}`)).status).toBe(404);
    expect((await run(jar, { jobId: ids[0] })).status).toBe(400);
  });

  it('recovers all its jobs, but no jar, when the JobManager is killed', async () => {
    const jar = await upload();
    for (const jobId of ids) await run(jar, { jobId, programArgsList: ['--label', jobId.slice(0, 1)] });
    await flink.clock.advance(45_000);
    await flink.killJobManager('session');
    await flink.clock.advance(60_000);
    const { body } = await flink.rest('session', 'GET', '/jobs');
    expect(body.jobs).toEqual(ids.map((id) => ({ id, status: 'RUNNING' })));
    expect((await flink.rest('session', 'GET', '/jars')).body.files).toEqual([]);
    for (const label of ['a', 'b']) {
      const where = { cluster: 'ns01/session', label };
      expect(flink.world.runs(where).map(({ end }) => end)).toEqual(['lost', undefined]);
      expect(flink.world.audit(where).lost).toEqual([]);
    }
  });

  it('restores what it is told to, and says what does not fit', async () => {
    const jar = await upload();
    await run(jar, { jobId: ids[0] });
    await flink.job('session', 'RUNNING');
    await flink.clock.advance(20_000);
    const { body } = await flink.savepoint('session', ids[0], {}, 'stop');
    const savepointPath = body.operation.location;
    const programArgsList = ['--count-uid', 'renamed'];
    const refused = await run(jar, { jobId: ids[1], savepointPath, programArgsList });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('you can set the --allowNonRestoredState option');
    const jobId = 'c'.repeat(32);
    await run(jar, { jobId, savepointPath, programArgsList, allowNonRestoredState: true });
    await flink.clock.advance(20_000);
    const [first] = flink.world.runs({ jobId: ids[0] });
    const [last] = flink.world.runs({ jobId });
    expect(last?.from).toBe(first?.to);
    expect(last?.state.counts.reduce((all, one) => all + one)).toBe((last?.to ?? 0) - (last?.from ?? 0));
  });

  it('keeps a restored savepoint as what it would restart from, before its own first checkpoint', async () => {
    const jar = await upload();
    await run(jar, { jobId: ids[0] });
    await flink.job('session', 'RUNNING');
    await flink.clock.advance(5000);
    const { body } = await flink.savepoint('session', ids[0], {}, 'stop');
    await run(jar, { jobId: ids[1], savepointPath: body.operation.location });
    await flink.job('session', 'RUNNING');
    const keys = Object.keys(flink.configMap(`session-${ids[1]}-config-map`)?.data ?? {});
    expect(keys.filter((key) => key.startsWith('checkpointID-'))).toHaveLength(1);
    await flink.killJobManager('session');
    await flink.clock.advance(60_000);
    expect(flink.world.runs({ jobId: ids[1] }).map(({ origin }) => origin.restoredFrom)).toEqual(
      Array(2).fill(body.operation.location),
    );
  });

  it('answers what is wrong in Flink’s way', async () => {
    for (const [method, path, body, status, text] of [
      ['POST', '/jars/none.jar/run', {}, 400, 'does not exist'],
      ['POST', '/jars/none.jar/run', 'no json', 400, 'Bad request'],
      ['POST', '/jars/none.jar/run', [1], 400, 'did not match expected format'],
      ['DELETE', '/jars/none.jar', undefined, 400, 'does not exist'],
      ['GET', '/nowhere', undefined, 404, 'Not found: /nowhere'],
      ['PATCH', `/jobs/${ids[0]}`, undefined, 404, 'not found'],
      ['GET', `/jobs/${ids[0]}/checkpoints`, undefined, 404, 'not found'],
      ['POST', `/jobs/${ids[0]}/savepoints`, { formatType: 'OTHER' }, 400, 'SavepointFormatType'],
      ['POST', `/jobs/${ids[0]}/checkpoints`, { checkpointType: 'OTHER' }, 400, 'CheckpointType'],
      ['POST', '/savepoint-disposal', {}, 400, 'savepoint-path'],
      ['GET', `/savepoint-disposal/${ids[0]}`, undefined, 404, 'Operation not found'],
    ] as const) {
      const reply = await flink.rest('session', method, path, body);
      expect(reply).toMatchObject({ status, text: expect.stringContaining(text) });
      expect(reply.body.errors).toBeInstanceOf(Array);
    }
  });

  it('takes nothing but jars', async () => {
    expect(await upload('job.txt')).toContain('Only Jar files are allowed.');
    expect((await flink.rest('session', 'POST', '/jars/upload', 'PK')).text).toContain('Exactly 1 file must be sent');
  });
});
