import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import type { PortError } from '../../control/port.ts';
import type { FlinkCalls } from '../calls.ts';
import type { ClusterAddress } from '../rest.ts';
import { flinkPort } from './flink-port.ts';
import { cluster, recorded, sample, scripted, versions } from './samples.fixture.ts';
import type { Heard, Wire, WireRequest } from './wire.ts';

const { signal } = new AbortController();
const revoked = signal;
const timeouts = { request: 10_000, cancel: 60_000, submission: 600_000 };

function at(wire: Wire, clock = new VirtualClock()) {
  const acted: [ClusterAddress, string | undefined][] = [];
  const port = flinkPort({ wire, clock, timeouts, acted: (address, id) => acted.push([address, id]) });
  const call = <V extends keyof FlinkCalls>(verb: V, id: string, args: FlinkCalls[V]): Promise<unknown> =>
    port[verb]({ id, args: JSON.parse(JSON.stringify(args)), signal, revoked });
  return { call, acted, clock };
}

const answer = (status: number, body: unknown): Heard => ({ is: 'answer', status, text: JSON.stringify(body) });
const refused = { name: 'PortError', kind: 'refused' };
const unknown = { name: 'PortError', kind: 'unknown' };
const jobId = 'a'.repeat(32);
const id = 'c'.repeat(32);

describe.each(versions)('the port of Flink %s', (version) => {
  it('stops a job, takes a savepoint, takes a checkpoint: each under the id of its call, and once more with the same', async () => {
    for (const [verb, name, args] of [
      ['stop', 'stop-post', { directory: 'file:///data/savepoints', drain: false, format: 'NATIVE' }],
      ['savepoint', 'savepoint-post', { directory: 'file:///data/savepoints', format: 'CANONICAL' }],
      ['checkpoint', 'checkpoint-post-1', { type: 'FULL' }],
    ] as const) {
      const one = sample(version, name);
      const triggerId = one.response['request-id'];
      const bodies: unknown[] = [];
      const wire = scripted(({ body }) => {
        bodies.push(JSON.parse(String(body)));
        return { is: 'answer', status: one.status, text: one.text };
      });
      const { call, acted } = at(wire);
      const given = { cluster, jobId: one.jobId, ...args } as never;
      await expect(call(verb, triggerId, given)).resolves.toEqual({ triggerId });
      await expect(call(verb, triggerId, given)).resolves.toEqual({ triggerId });
      expect(wire.sent).toEqual([`POST ${one.path}`, `POST ${one.path}`]);
      expect(bodies[0]).toEqual(bodies[1]);
      expect(bodies[0]).toMatchObject({ triggerId });
      expect(acted).toEqual([
        [cluster, triggerId],
        [cluster, triggerId],
      ]);
    }
  });

  it('is refused when the id is no id', async () => {
    const { call } = at(recorded(version, 'savepoint-post-bad-triggerid'));
    await expect(call('savepoint', 'not-hex', { cluster, jobId, format: 'CANONICAL' })).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('Request did not match expected format SavepointTriggerRequestBody'),
    });
  });

  it('cancels a job, also one that is cancelled already or unknown', async () => {
    const cancel = (wire: Wire) => at(wire).call('cancel', id, { cluster, jobId });
    await expect(cancel(recorded(version, 'cancel-patch'))).resolves.toEqual({ job: 'cancelling' });
    await expect(cancel(recorded(version, 'cancel-again'))).resolves.toEqual({ job: 'cancelling' });
    await expect(cancel(recorded(version, 'job-unknown'))).resolves.toEqual({ job: 'unknown' });
    await expect(cancel(recorded(version, 'app-jobs-overview-recovering'))).rejects.toMatchObject(unknown);
  });

  it('removes a savepoint, and takes one that is not there for removed', async () => {
    const wire = scripted(({ method }) => {
      const one = sample(version, method === 'POST' ? 'savepoint-disposal-post' : 'savepoint-disposal-get');
      return { is: 'answer', status: one.status, text: one.text };
    });
    const { call, clock } = at(wire);
    const done = call('dispose', id, { cluster, path: 'file:/data/savepoints/s' });
    await clock.advance(1_000);
    // The recording of the older version is of a second removal.
    await expect(done).resolves.toEqual({ disposed: version !== '1.20.5' });
  });

  it('takes a job that exists already for the one that was submitted', async () => {
    const one = sample(version, 'jars-run-duplicate-jobid');
    const seen: WireRequest[] = [];
    const wire = scripted((request) => {
      seen.push(request);
      const { path } = request;
      if (path === '/jobs/overview') return answer(200, { jobs: [] });
      if (path === '/jars/upload') return answer(200, sample(version, 'jars-upload').response);
      return path.endsWith('/run') ? { is: 'answer', status: 400, text: one.text } : answer(200, {});
    });
    const { call } = at(wire);
    const artifacts = { allowedSchemes: ['https'], disallowRestrictedHosts: true, headers: {} };
    const args = { cluster, jobId, run: { entryClass: 'a.B', programArgsList: ['--x'] }, artifacts };
    await expect(call('submit', id, args)).resolves.toEqual({ jobId, submitted: false });
    const jar = sample(version, 'jars-run').path.split('/')[2];
    expect(wire.sent).toEqual([
      'GET /jobs/overview',
      'POST /jars/upload',
      `POST /jars/${jar}/run`,
      `DELETE /jars/${jar}`,
    ]);
    expect(JSON.parse(String(seen[2]?.body))).toEqual({ entryClass: 'a.B', programArgsList: ['--x'], jobId });
    expect(seen.map(({ timeoutMs }) => timeoutMs)).toEqual([10_000, 600_000, 600_000, 10_000]);

    const listed = scripted(() => answer(200, sample(version, 'app-jobs-overview').response));
    const there = sample(version, 'app-jobs-overview').response.jobs[0]?.jid ?? '';
    await expect(at(listed).call('submit', id, { ...args, jobId: there })).resolves.toMatchObject({ submitted: false });
    expect(listed.sent).toEqual(['GET /jobs/overview']);
  });

  it('says why a job could not be submitted, and deletes its jar all the same', async () => {
    const one = sample(version, 'jars-run-bad-savepoint');
    const wire = scripted(({ path }) => {
      if (path === '/jobs/overview') return answer(200, { jobs: [] });
      if (path === '/jars/upload') return answer(200, sample(version, 'jars-upload').response);
      return path.endsWith('/run') ? { is: 'answer', status: one.status, text: one.text } : answer(500, {});
    });
    const artifacts = { allowedSchemes: [], disallowRestrictedHosts: true, headers: {} };
    const failed = at(wire).call('submit', id, { cluster, jobId, run: {}, artifacts });
    await expect(failed).rejects.toMatchObject({
      ...refused,
      message: expect.stringMatching(
        /Could not execute application: FileNotFoundException: Cannot find checkpoint or savepoint/,
      ),
    });
    expect(wire.sent.at(-1)).toMatch(/^DELETE \/jars\//);
  });

  it('runs a job and tells its id', async () => {
    const run = sample(version, 'jars-run');
    const wire = scripted(({ path, method }) => {
      if (path === '/jobs/overview') return answer(200, { jobs: [] });
      if (path === '/jars/upload') return answer(200, sample(version, 'jars-upload').response);
      return answer(200, method === 'DELETE' ? sample(version, 'jars-delete').response : run.response);
    });
    const artifacts = { allowedSchemes: [], disallowRestrictedHosts: true, headers: {} };
    const submit = (jobId: string) => at(wire).call('submit', id, { cluster, jobId, run: {}, artifacts });
    await expect(submit(run.response.jobid)).resolves.toEqual({ jobId: run.response.jobid, submitted: true });
    await expect(submit(jobId)).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('runs the job as'),
    });
  });
});

describe('the port', () => {
  it('does not ask twice what cannot be told from its repetition', async () => {
    const { call } = at(scripted(() => answer(202, { 'request-id': 'f'.repeat(32) })));
    await expect(call('stop', id, { cluster, jobId, drain: false, format: 'NATIVE' })).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('its version is too old'),
    });
  });

  it.each([
    [{ is: 'silence', message: 'm' }, 'unknown'],
    [{ is: 'flood', message: 'm' }, 'unknown'],
    [{ is: 'barred', message: 'm' }, 'refused'],
    [answer(500, { errors: ['x'] }), 'unknown'],
    [answer(503, { errors: ['x'] }), 'unknown'],
    [answer(202, { odd: true }), 'unknown'],
    [answer(400, { errors: ['x'] }), 'refused'],
    [answer(404, { errors: ['x'] }), 'refused'],
  ] as [Heard, PortError['kind']][])('takes %j for %s', async (heard, kind) => {
    const { call, acted } = at(scripted(() => heard));
    await expect(call('checkpoint', id, { cluster, jobId, type: 'FULL' })).rejects.toMatchObject({ kind });
    expect(acted).toEqual([[cluster, id]]);
  });

  it('says that a job has ended when Flink says so', async () => {
    const { call } = at(scripted(() => answer(409, { errors: ['x'] })));
    await expect(call('cancel', id, { cluster, jobId })).resolves.toEqual({ job: 'ended' });
  });

  it('sets the bounds of vertices', async () => {
    const bodies: unknown[] = [];
    const wire = scripted(({ body }) => {
      bodies.push(JSON.parse(String(body)));
      return answer(200, {});
    });
    await at(wire).call('rescale', id, { cluster, jobId, requirements: { v: { lower: 1, upper: 8 } } });
    expect(wire.sent).toEqual([`PUT /jobs/${jobId}/resource-requirements`]);
    expect(bodies).toEqual([{ v: { parallelism: { lowerBound: 1, upperBound: 8 } } }]);
  });

  it('waits until a savepoint is removed, but not for ever', async () => {
    let polls = 0;
    const wire = scripted(({ method }) =>
      method === 'POST'
        ? answer(200, { 'request-id': id })
        : answer(200, { status: { id: ++polls < 3 ? 'IN_PROGRESS' : 'COMPLETED' }, operation: polls < 3 ? null : {} }),
    );
    const { call, clock } = at(wire);
    const done = call('dispose', id, { cluster, path: 's3://s' });
    await clock.advance(2_000);
    await expect(done).resolves.toEqual({ disposed: true });

    const never = at(
      scripted(({ method }) =>
        answer(200, method === 'POST' ? { 'request-id': id } : { status: { id: 'IN_PROGRESS' }, operation: null }),
      ),
    );
    const late = never.call('dispose', id, { cluster, path: 's3://s' });
    const seen = expect(late).rejects.toMatchObject({ ...unknown, message: 's3://s is still being removed' });
    await never.clock.advance(61_000);
    await seen;

    const failing = at(
      scripted(({ method }) =>
        answer(
          200,
          method === 'POST'
            ? { 'request-id': id }
            : { status: { id: 'COMPLETED' }, operation: { 'failure-cause': { 'stack-trace': 'a.E: denied\n' } } },
        ),
      ),
    );
    const no = expect(failing.call('dispose', id, { cluster, path: 's3://s' })).rejects.toMatchObject(refused);
    await failing.clock.advance(1_000);
    await no;
  });
});
