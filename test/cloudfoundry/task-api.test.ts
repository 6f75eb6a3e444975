import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PushStage } from './push-stage.ts';

describe('tasks in the API', () => {
  let stage: PushStage;
  let app: string;
  beforeAll(async () => {
    stage = await PushStage.open();
    app = await stage.push('web', 'busybox:1');
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
  });

  const run = (body: object) => stage.send('POST', `/v3/apps/${app}/tasks`, body);

  it('have a name, a size and a number of their own from the first answer on', async () => {
    const first = await run({ command: 'echo hello', name: 'greet', memory_in_mb: 64, disk_in_mb: 32 });
    expect(first).toMatchObject({
      status: 201,
      body: { name: 'greet', sequence_id: 1, memory_in_mb: 64, disk_in_mb: 32, command: 'echo hello' },
    });
    const second = await run({ command: 'sleep 600' });
    expect(second.body).toMatchObject({ sequence_id: 2, name: second.body.guid, memory_in_mb: 1024 });
    await stage.stage.clock.advance(10_000);
    expect(await stage.get(`/v3/tasks/${first.body.guid}`)).toMatchObject({ state: 'SUCCEEDED' });
    expect((await stage.get(`/v3/apps/${app}/tasks?sequence_ids=2`)).resources.map(({ guid }) => guid)).toEqual([
      second.body.guid,
    ]);
    expect((await stage.get('/v3/tasks?states=SUCCEEDED&names=greet')).resources).toHaveLength(1);
    expect(await stage.logs(app)).toContain('APP/TASK/greet/0 OUT hello');
  });

  it('are canceled at once, by the path that cf uses, too', async () => {
    const { guid } = (await run({ command: 'sleep 600', name: 'long' })).body;
    await stage.stage.clock.advance(5_000);
    expect(await stage.send('PUT', `/v3/tasks/${guid}/cancel`)).toMatchObject({
      status: 202,
      body: { state: 'CANCELING' },
    });
    await stage.stage.clock.advance(60_000);
    expect(await stage.get(`/v3/tasks/${guid}`)).toMatchObject({
      state: 'FAILED',
      result: { failure_reason: 'task was cancelled' },
    });
    const again = await stage.send('POST', `/v3/tasks/${guid}/actions/cancel`);
    expect(again.status).toBe(422);
    expect(again.body.errors[0]?.detail).toBe('Task state is FAILED and therefore cannot be canceled');
  });

  it('take command and size of a process', async () => {
    await stage.apply('applications: [{name: web, processes: [{type: job, command: echo from job, memory: 96M}]}]');
    const { guid } = await stage.get(`/v3/apps/${app}/processes/job`);
    const task = await run({ template: { process: { guid } }, name: 'templated' });
    expect(task.body).toMatchObject({ command: 'echo from job', memory_in_mb: 96 });
    expect((await run({ template: { process: { guid: 'none' } } })).status).toBe(404);
  });

  it.each([
    [{}, 422, 'command cannot be blank'],
    [{ command: 'x', memory_in_mb: 0 }, 422, /memory_in_mb/],
    [{ command: 'x', nonsense: 1 }, 422, 'invalid request body: json: unknown field "nonsense"'],
    [{ command: 'x', droplet_guid: 'none' }, 404, 'Droplet not found'],
  ])('refuse %j', async (body, status, detail) => {
    const answer = await run(body);
    expect(answer.status).toBe(status);
    expect(answer.body.errors[0]?.detail).toMatch(detail);
  });

  it('need a droplet', async () => {
    await stage.apply('applications: [{name: empty}]');
    const answer = await stage.send('POST', `/v3/apps/${await stage.app('empty')}/tasks`, { command: 'x' });
    expect(answer.body.errors[0]?.detail).toBe('Task must have a droplet. Assign current droplet to app.');
  });

  it('are nothing to whoever has no role in the space', async () => {
    const { guid } = (await run({ command: 'sleep 600' })).body;
    for (const [method, path] of [
      ['GET', `/v3/tasks/${guid}`],
      ['POST', `/v3/tasks/${guid}/actions/cancel`],
      ['GET', `/v3/apps/${app}/tasks`],
      ['GET', `/api/v1/read/${app}`],
    ] as const) {
      expect(await stage.send(method, path, undefined, 'nobody')).toMatchObject({ status: 404 });
    }
    expect((await stage.get('/v3/tasks', 'nobody')).resources).toEqual([]);
  });
});
