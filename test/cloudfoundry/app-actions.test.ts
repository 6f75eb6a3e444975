import { describe, expect, it } from 'vitest';
import { annotations } from '../../src/cloudfoundry/keys.ts';
import { cfApp } from '../../src/cloudfoundry/resources/cf-app.ts';
import { revisionsOf } from '../../src/cloudfoundry/revision.ts';
import { AppApiStage } from './app-api-stage.ts';

describe('start, stop and restart', () => {
  it('stop an app with one bump, however many stop it at once', async () => {
    await using stage = await AppApiStage.open();
    const app = await stage.app('web', { desiredState: 'STARTED' }, { annotations: { [annotations.appRev]: '4' } });
    stage.asked.length = 0;

    const stops = Array.from({ length: 20 }, () => stage.request('POST', '/v3/apps/web-guid/actions/stop'));
    const answers = await Promise.all(stops);

    expect(answers.map(({ status, body }) => `${status} ${body.state}`)).toEqual(Array(20).fill('200 STOPPED'));
    expect(revisionsOf(stage.get(app))).toEqual({ appRev: 5, lastStopAppRev: 5, highest: 5 });
  });

  it('restart writes twice, and makes one revision of it', async () => {
    await using stage = await AppApiStage.open();
    const app = await stage.app('web', { desiredState: 'STARTED' });
    stage.asked.length = 0;

    const { status, body } = await stage.request('POST', '/v3/apps/web-guid/actions/restart');

    expect([status, body.state]).toEqual([200, 'STARTED']);
    expect(stage.get(app).spec.desiredState).toBe('STARTED');
    expect(revisionsOf(stage.get(app))).toEqual({ appRev: 1, lastStopAppRev: 1, highest: 1 });
    expect(stage.asked.map((one) => one.split(' ')[1])).toEqual(['GET', 'PATCH', 'PATCH']);
  });

  it('restart of many at once leaves the app started', async () => {
    await using stage = await AppApiStage.open();
    const app = await stage.app('web', { desiredState: 'STARTED' });
    const restarts = Array.from({ length: 10 }, () => stage.request('POST', '/v3/apps/web-guid/actions/restart'));
    expect((await Promise.all(restarts)).every(({ status }) => status === 200)).toBe(true);
    const { appRev, lastStopAppRev } = revisionsOf(stage.get(app));
    expect(stage.get(app).spec.desiredState).toBe('STARTED');
    expect(appRev).toBe(lastStopAppRev);
    expect(appRev).toBeGreaterThan(0);
    expect(appRev).toBeLessThanOrEqual(10);
  });

  it('keep the revision when a stopped app is started or stopped again', async () => {
    await using stage = await AppApiStage.open();
    const app = await stage.app('web');
    await stage.request('POST', '/v3/apps/web-guid/actions/stop');
    const { body } = await stage.request('POST', '/v3/apps/web-guid/actions/start');
    expect(body.state).toBe('STARTED');
    expect(revisionsOf(stage.get(app)).appRev).toBe(0);
  });

  it('refuse to start what has no droplet, and stop nothing for a restart that cannot be', async () => {
    await using stage = await AppApiStage.open();
    const app = await stage.app('web', { desiredState: 'STARTED' });
    const patch = { type: 'merge', body: { spec: { currentDropletRef: null } } } as const;
    await stage.person.resource(cfApp.type).patch({ name: 'web-guid', namespace: 'space-1' }, patch);
    const before = stage.get(app).metadata.resourceVersion;
    for (const action of ['start', 'restart']) {
      const { status, body } = await stage.request('POST', `/v3/apps/web-guid/actions/${action}`);
      expect([status, body.errors[0]]).toEqual([
        422,
        { code: 10008, title: 'CF-UnprocessableEntity', detail: 'Assign a droplet before starting this app.' },
      ]);
    }
    expect(stage.get(app).metadata.resourceVersion).toBe(before);
  });

  it('know nothing of an app that is being deleted', async () => {
    await using stage = await AppApiStage.open();
    await stage.app('web', { desiredState: 'STARTED' }, { finalizers: ['cfApp.korifi.cloudfoundry.org'] });
    const deleted = await stage.request('DELETE', '/v3/apps/web-guid');
    expect([deleted.status, deleted.location]).toEqual([202, 'https://api.example/v3/jobs/app.delete~web-guid']);
    for (const action of ['start', 'stop', 'restart']) {
      const { status, body } = await stage.request('POST', `/v3/apps/web-guid/actions/${action}`);
      expect([status, body.errors[0].detail]).toEqual([404, 'App not found']);
    }
  });

  it('leave the environment, tasks and packages of an app that is being deleted alone', async () => {
    await using stage = await AppApiStage.open();
    await stage.app('web', {}, { finalizers: ['cfApp.korifi.cloudfoundry.org'] });
    await stage.request('DELETE', '/v3/apps/web-guid');
    const of = async (method: string, path: string, body: object) => {
      const answer = await stage.request(method, path, { body });
      return [answer.status, answer.body.errors[0].detail];
    };
    const set = await of('PATCH', '/v3/apps/web-guid/environment_variables', { var: { A: '1' } });
    expect(set).toEqual([404, 'App not found']);
    expect(await of('POST', '/v3/apps/web-guid/tasks', { command: 'true' })).toEqual([404, 'App not found']);
    const relationships = { app: { data: { guid: 'web-guid' } } };
    const made = await of('POST', '/v3/packages', { type: 'docker', relationships, data: { image: 'i' } });
    expect(made).toEqual([422, 'App is invalid. Ensure it exists and you have access to it.']);
  });

  it('are for those who may write: 403 for who may only look, 404 for everybody else', async () => {
    await using stage = await AppApiStage.open();
    await stage.app('web');
    const of = async (as: 'manager' | 'stranger') => {
      const { status, body } = await stage.request('POST', '/v3/apps/web-guid/actions/start', { as });
      return [status, body.errors[0].detail];
    };
    expect(await of('manager')).toEqual([403, 'You are not authorized to perform the requested action']);
    expect(await of('stranger')).toEqual([404, 'App not found']);
  });

  it('and every other change are refused to who may only look, also where there is nothing to do', async () => {
    await using stage = await AppApiStage.open();
    await stage.app('stopped');
    await stage.app('started', { desiredState: 'STARTED' });
    const bare = await stage.app('bare');
    const patch = { type: 'merge', body: { spec: { currentDropletRef: null } } } as const;
    await stage.person.resource(cfApp.type).patch({ name: bare.metadata.name ?? '', namespace: 'space-1' }, patch);
    const asks: readonly (readonly [string, string, object?])[] = [
      ['POST', '/v3/apps/stopped-guid/actions/stop'],
      ['POST', '/v3/apps/started-guid/actions/start'],
      ['POST', '/v3/apps/bare-guid/actions/start'],
      ['POST', '/v3/apps/bare-guid/actions/restart'],
      ['PATCH', '/v3/apps/started-guid', {}],
      ['PATCH', '/v3/apps/started-guid/relationships/current_droplet', { data: { guid: 'started-droplet' } }],
      ['PATCH', '/v3/apps/started-guid/processes/web', {}],
      ['POST', '/v3/apps/started-guid/processes/web/actions/scale', {}],
    ];
    for (const [method, path, body] of asks) {
      const { status } = await stage.request(method, path, { as: 'manager', body });
      expect([method, path, status]).toEqual([method, path, 403]);
      const { status: own } = await stage.request(method, path, { body });
      expect([method, path, own]).toEqual([method, path, path.includes('bare') ? 422 : 200]);
    }
  });
});
