import { describe, expect, it } from 'vitest';
import { deploymentMark } from '../../src/cloudfoundry/deployment-mark.ts';
import { annotations, labels } from '../../src/cloudfoundry/keys.ts';
import { type CfApp, cfApp } from '../../src/cloudfoundry/resources/cf-app.ts';
import { cfDeployment } from '../../src/cloudfoundry/resources/cf-deployment.ts';
import { revisionsOf } from '../../src/cloudfoundry/revision.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { type Answer, AppApiStage, type Person } from './app-api-stage.ts';

const appOf = (guid: string) => ({ relationships: { app: { data: { guid } } } });

function deploy(stage: AppApiStage, more: object = {}, as: Person = 'dev'): Promise<Answer> {
  return stage.request('POST', '/v3/deployments', { body: { ...appOf('web-guid'), ...more }, as });
}

function refusal({ status, body }: Answer): readonly [number, string] {
  return [status, body.errors[0].detail];
}

async function started(stage: AppApiStage): Promise<CfApp> {
  return await stage.app('web', { desiredState: 'STARTED' }, { annotations: { [annotations.appRev]: '3' } });
}

/** Does something once, between the two writes that make a deployment. Answers how to wait for it. */
function whileMade(stage: AppApiStage, act: () => Promise<unknown>): () => Promise<unknown> {
  let done: Promise<unknown> | undefined;
  stage.lost = ({ method, path }) => {
    if (method === 'POST' && path.includes('/cfdeployments')) done ??= act();
    return false;
  };
  return () => done ?? expect.fail('nothing was made');
}

describe('a deployment', () => {
  it('bumps the revision, leaves the last stop, and is ACTIVE from the first answer on', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    // What the CLI sends with --max-in-flight.
    const options = {
      max_in_flight: 2,
      web_instances: null,
      memory_in_mb: null,
      disk_in_mb: null,
      log_rate_limit_in_bytes_per_second: null,
    };
    const { status, body } = await deploy(stage, { strategy: 'rolling', options });

    expect(status).toBe(201);
    expect(body).toMatchObject({
      strategy: 'rolling',
      status: { value: 'ACTIVE', reason: 'DEPLOYING', details: { last_successful_healthcheck: null } },
      options: { max_in_flight: 2 },
      droplet: { guid: 'web-droplet' },
      previous_droplet: { guid: 'web-droplet' },
      new_processes: [{ guid: stage.web(app).metadata.name, type: 'web' }],
      relationships: { app: { data: { guid: 'web-guid' } } },
      links: { cancel: { href: `https://api.example/v3/deployments/${body.guid}/actions/cancel`, method: 'POST' } },
    });
    expect(revisionsOf(stage.get(app))).toEqual({ appRev: 4, lastStopAppRev: 3, highest: 4 });
    expect(deploymentMark(stage.get(app))).toEqual({
      guid: body.guid,
      appRev: 4,
      previous: { appRev: 3, droplet: 'web-droplet' },
    });
    expect((await stage.request('GET', `/v3/deployments/${body.guid}`)).body).toEqual(body);
  });

  it('costs two writes', async () => {
    await using stage = await AppApiStage.open();
    await started(stage);
    stage.asked.length = 0;
    await deploy(stage);
    const writes = stage.asked.filter((one) => !one.includes(' GET '));
    expect(writes.map((one) => one.split('/').at(-1)?.replace(/\?.*/, ''))).toEqual(['cfdeployments', 'web-guid']);
    // The app, its droplet, the runner, and what it runs on; the last twice when there is no StatefulSet.
    expect(stage.asked.length).toBeLessThanOrEqual(7);
  });

  it('takes another droplet of the app, and returns to the one before when it is canceled', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    await stage.build(app, 'second');
    const { body } = await deploy(stage, { droplet: { guid: 'second' } });
    expect(stage.get(app).spec.currentDropletRef).toEqual({ name: 'second' });

    const canceled = await stage.request('POST', `/v3/deployments/${body.guid}/actions/cancel`);
    expect([canceled.status, canceled.body]).toEqual([200, undefined]);
    expect(stage.get(app).spec).toMatchObject({ desiredState: 'STARTED', currentDropletRef: { name: 'web-droplet' } });
    expect(revisionsOf(stage.get(app))).toEqual({ appRev: 3, lastStopAppRev: 3, highest: 4 });
    const { body: now } = await stage.request('GET', `/v3/deployments/${body.guid}`);
    expect(now.status).toMatchObject({ value: 'ACTIVE', reason: 'CANCELING' });
    // A second cancel finds it done.
    const { resourceVersion } = stage.get(app).metadata;
    expect((await stage.request('POST', `/v3/deployments/${body.guid}/actions/cancel`)).status).toBe(200);
    expect(stage.get(app).metadata.resourceVersion).toBe(resourceVersion);
    // The revision that was canceled is never given again.
    await deploy(stage);
    expect(revisionsOf(stage.get(app)).appRev).toBe(5);
  });

  it('supersedes the one under way, and would return to where that one would have', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    await stage.build(app, 'second');
    const first = await deploy(stage, { droplet: { guid: 'second' } });
    const second = await deploy(stage);
    expect(deploymentMark(stage.get(app))).toEqual({
      guid: second.body.guid,
      appRev: 5,
      previous: { appRev: 3, droplet: 'web-droplet' },
      supersedes: [first.body.guid],
    });
    expect(second.body).toMatchObject({ droplet: { guid: 'second' }, previous_droplet: { guid: 'web-droplet' } });
    const { body } = await stage.request('GET', `/v3/deployments/${first.body.guid}`);
    expect(body.status).toMatchObject({ value: 'FINALIZED', reason: 'SUPERSEDED' });
    expect(refusal(await stage.request('POST', `/v3/deployments/${first.body.guid}/actions/cancel`))).toEqual([
      422,
      'Cannot cancel a deployment with status: FINALIZED and reason: SUPERSEDED',
    ]);
  });

  it('is one of many at once: revisions are counted, and exactly one stays ACTIVE', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    const answers = await Promise.all(Array.from({ length: 10 }, () => deploy(stage)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(revisionsOf(stage.get(app)).appRev).toBe(13);
    const active = await stage.request('GET', '/v3/deployments?app_guids=web-guid&status_values=ACTIVE');
    expect(active.body.resources.map(({ guid }) => guid)).toEqual([deploymentMark(stage.get(app))?.guid]);
    expect(deploymentMark(stage.get(app))?.previous).toEqual({ appRev: 3, droplet: 'web-droplet' });
  });

  it('starts a stopped app, and a cancel stops it again', async () => {
    await using stage = await AppApiStage.open();
    const app = await stage.app('web');
    const { body } = await deploy(stage);
    expect(stage.get(app).spec.desiredState).toBe('STARTED');
    expect((await stage.request('POST', `/v3/deployments/${body.guid}/actions/cancel`)).status).toBe(200);
    expect(stage.get(app).spec.desiredState).toBe('STOPPED');
    expect(revisionsOf(stage.get(app))).toEqual({ appRev: 2, lastStopAppRev: 2, highest: 2 });
  });

  it('returns to the one before as soon as the app runs that on all instances', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    await stage.build(app, 'second');
    await deploy(stage, { droplet: { guid: 'second' } });
    const { generation } = stage.get(app).metadata;
    const since = { lastTransitionTime: '2026-11-01T10:00:00Z', reason: 'Ready', message: '' };
    const runs = (observedAppRev: string) => ({
      observedAppRev,
      conditions: [{ type: 'Ready', status: 'True', observedGeneration: generation, ...since }],
    });
    // Ready of another revision says nothing.
    await stage.setStatus(cfApp.type, app, runs('3'));
    const early = await stage.request('POST', '/v3/apps/web-guid/processes/web/actions/scale', {
      body: { instances: 2 },
    });
    expect(refusal(early)).toEqual([422, 'Cannot scale this process while a deployment is in flight.']);
    await stage.setStatus(cfApp.type, app, runs('4'));
    stage.asked.length = 0;
    await deploy(stage);
    expect(deploymentMark(stage.get(app))?.previous).toEqual({ appRev: 4, droplet: 'second' });
    expect(stage.asked.filter((one) => one.includes('cfdeployments/'))).toEqual([]);
  });

  it('of a stopped app gives it the droplet back that it had, when it is canceled', async () => {
    await using stage = await AppApiStage.open();
    const app = await stage.app('web');
    await stage.build(app, 'second');
    const { body } = await deploy(stage, { droplet: { guid: 'second' } });
    expect(body).toMatchObject({ droplet: { guid: 'second' }, previous_droplet: { guid: 'web-droplet' } });
    await stage.request('POST', `/v3/deployments/${body.guid}/actions/cancel`);
    expect(stage.get(app).spec).toMatchObject({ desiredState: 'STOPPED', currentDropletRef: { name: 'web-droplet' } });
  });

  it('leaves an app that had no droplet without one, when it is canceled', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    const patch = { type: 'merge', body: { spec: { currentDropletRef: null } } } as const;
    await stage.person.resource(cfApp.type).patch({ name: 'web-guid', namespace: 'space-1' }, patch);
    const { body } = await deploy(stage, { droplet: { guid: 'web-droplet' } });
    expect(body).toMatchObject({ previous_droplet: { guid: null } });
    expect((await stage.request('POST', `/v3/deployments/${body.guid}/actions/cancel`)).status).toBe(200);
    expect(stage.get(app).spec.currentDropletRef).toBeUndefined();
  });

  it('deploys the droplet that was set while it was being made, when it names none', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    await stage.build(app, 'second');
    const name = { namespace: 'space-1', name: 'web-guid' };
    const body = { spec: { currentDropletRef: { name: 'second' } } };
    const set = whileMade(stage, () => stage.person.resource(cfApp.type).patch(name, { type: 'merge', body }));
    const answer = await deploy(stage);
    await set();
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ droplet: { guid: 'second' } });
    expect(stage.get(app).spec.currentDropletRef).toEqual({ name: 'second' });
    const { spec, metadata } = stage.deployment(answer.body.guid);
    expect([spec.dropletRef.name, metadata.labels?.[labels.dropletGuid]]).toEqual(['second', 'second']);
  });

  it('returns to the one before, if that has ended while it was being made', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    await stage.build(app, 'second');
    await stage.build(app, 'third');
    const first = stage.deployment((await deploy(stage, { droplet: { guid: 'second' } })).body.guid);
    const status = { value: 'FINALIZED', reason: 'DEPLOYED', appRev: '4' };
    const end = whileMade(stage, () => stage.setStatus(cfDeployment.type, first, status));
    const { body } = await deploy(stage, { droplet: { guid: 'third' } });
    await end();
    expect(body).toMatchObject({ droplet: { guid: 'third' }, previous_droplet: { guid: 'second' } });
    expect(deploymentMark(stage.get(app))?.previous).toEqual({ appRev: 4, droplet: 'second' });
  });

  it('ends when the app is stopped', async () => {
    await using stage = await AppApiStage.open();
    await started(stage);
    const { body } = await deploy(stage);
    await stage.request('POST', '/v3/apps/web-guid/actions/stop');
    const { body: now } = await stage.request('GET', `/v3/deployments/${body.guid}`);
    expect(now.status).toMatchObject({ value: 'FINALIZED', reason: 'CANCELED' });
    expect(refusal(await stage.request('POST', `/v3/deployments/${body.guid}/actions/cancel`))[0]).toBe(422);
  });

  it('is there when it has begun, also if nobody could be told', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    stage.lost = ({ method, path }) => method === 'PATCH' && path.includes('/cfapps/');
    expect((await deploy(stage)).status).toBe(503);
    stage.lost = () => false;
    const guid = deploymentMark(stage.get(app))?.guid ?? '';
    const { body } = await stage.request('GET', `/v3/deployments/${guid}`);
    expect(body.status).toMatchObject({ value: 'ACTIVE', reason: 'DEPLOYING' });
    expect((await stage.request('POST', `/v3/deployments/${guid}/actions/cancel`)).status).toBe(200);
  });

  it('gives the web process what it asks for, before its revision is made', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    stage.asked.length = 0;
    await deploy(stage, { options: { web_instances: 5, memory_in_mb: 256, disk_in_mb: 512 } });
    expect(stage.web(app).spec).toMatchObject({ desiredInstances: 5, memoryMB: 256, diskQuotaMB: 512 });
    const patched = stage.asked.filter((one) => one.includes('PATCH')).map((one) => /cf\w+/.exec(one)?.[0]);
    expect(patched).toEqual(['cfprocesses', 'cfapps']);
  });
});

describe('a canary deployment', () => {
  async function paused(stage: AppApiStage): Promise<string> {
    await started(stage);
    const steps = [{ instance_weight: 20 }, { instance_weight: 60 }];
    const { body } = await deploy(stage, { strategy: 'canary', options: { canary: { steps } } });
    const status = { value: 'ACTIVE', reason: 'PAUSED', step: 1, appRev: '4' };
    await stage.setStatus(cfDeployment.type, stage.deployment(body.guid), status);
    return body.guid;
  }

  it('leaves PAUSED before `continue` answers', async () => {
    await using stage = await AppApiStage.open();
    const guid = await paused(stage);
    const { body } = await stage.request('GET', `/v3/deployments/${guid}`);
    expect(body).toMatchObject({
      strategy: 'canary',
      status: { reason: 'PAUSED', canary: { steps: { current: 1, total: 2 } } },
      options: { canary: { steps: [{ instance_weight: 20 }, { instance_weight: 60 }] } },
      links: { continue: { method: 'POST' } },
    });
    expect((await stage.request('POST', `/v3/deployments/${guid}/actions/continue`)).status).toBe(200);
    const { body: now } = await stage.request('GET', `/v3/deployments/${guid}`);
    expect(now.status).toMatchObject({ value: 'ACTIVE', reason: 'DEPLOYING' });
    expect(now.links).not.toHaveProperty('continue');
    expect(stage.deployment(guid).spec.step).toBe(2);
  });

  it('is continued once by many who ask at once', async () => {
    await using stage = await AppApiStage.open();
    const guid = await paused(stage);
    const asks = Array.from({ length: 5 }, () => stage.request('POST', `/v3/deployments/${guid}/actions/continue`));
    const statuses = (await Promise.all(asks)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(stage.deployment(guid).spec.step).toBe(2);
  });

  it('is not continued while it is not paused', async () => {
    await using stage = await AppApiStage.open();
    await started(stage);
    const { body } = await deploy(stage, { strategy: 'canary' });
    expect(body.status).toMatchObject({ canary: { steps: { current: 1, total: 1 } } });
    expect(refusal(await stage.request('POST', `/v3/deployments/${body.guid}/actions/continue`))).toEqual([
      422,
      'Cannot continue a deployment with status: ACTIVE and reason: DEPLOYING',
    ]);
  });
});

describe('a deployment that cannot be', () => {
  const wrong: readonly (readonly [object, string])[] = [
    [{ relationships: undefined }, 'relationships is required'],
    [appOf('nobody'), 'Unable to use app. Ensure that the app exists and you have access to it.'],
    [
      { droplet: { guid: 'nothing' } },
      'Unable to assign current droplet. Ensure the droplet exists and belongs to this app.',
    ],
    [
      { droplet: { guid: 'failed' } },
      'Unable to assign current droplet. Ensure the droplet exists and belongs to this app.',
    ],
    [
      { droplet: { guid: 'of-another' } },
      'Unable to assign current droplet. Ensure the droplet exists and belongs to this app.',
    ],
    [{ strategy: 'blue-green' }, "Strategy 'blue-green' is not a supported deployment strategy"],
    [{ bogus: 1 }, 'invalid request body: json: unknown field "bogus"'],
    [{ revision: { guid: 'one' } }, 'Cannot create deployment from a revision for an app without revisions enabled'],
    [{ options: { max_in_flight: 0 } }, 'Max in flight must be an integer greater than 0'],
    [
      { metadata: { labels: { 'korifi.cloudfoundry.org/app-guid': 'x' } } },
      'metadata.labels.korifi.cloudfoundry.org/app-guid label/annotation key cannot use the cloudfoundry.org domain',
    ],
  ];

  it('changes nothing', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    await stage.build(app, 'failed', 'FAILED');
    await stage.build({ ...app, metadata: { ...app.metadata, name: 'another' } }, 'of-another');
    const { resourceVersion } = stage.get(app).metadata;
    for (const [more, detail] of wrong) expect(refusal(await deploy(stage, more))).toEqual([422, detail]);
    expect(stage.get(app).metadata.resourceVersion).toBe(resourceVersion);
    expect(stage.embedded.world.list(cfDeployment.type)).toEqual([]);
  });

  it('needs a droplet', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    const patch = { type: 'merge', body: { spec: { currentDropletRef: null } } } as const;
    await stage.person.resource(cfApp.type).patch({ name: 'web-guid', namespace: 'space-1' }, patch);
    expect(refusal(await deploy(stage))).toEqual([
      422,
      'Invalid droplet. Please specify a droplet in the request or set a current droplet for the app.',
    ]);
    expect(revisionsOf(stage.get(app)).appRev).toBe(3);
  });

  it('needs a runner that rolls', async () => {
    await using stage = await AppApiStage.open();
    await started(stage);
    await stage.rolls(false);
    const { status, body } = await deploy(stage);
    expect([status, body.errors[0]]).toEqual([
      400,
      {
        code: 42000,
        title: 'CF-RollingDeployNotSupported',
        detail: "The configured runner 'statefulset-runner' does not support rolling deploys",
      },
    ]);
  });

  it('asks for a moment where the runner has not said yet what it can do', async () => {
    await using stage = await AppApiStage.open();
    await started(stage);
    await stage.rolls(null);
    const { status, body } = await deploy(stage);
    expect([status, body.errors[0].title]).toEqual([503, 'CF-ServiceUnavailable']);
    await stage.rolls(true);
    expect((await deploy(stage)).status).toBe(201);
  });

  it('says what to do where a StatefulSet selects its pods by revision', async () => {
    await using stage = await AppApiStage.open();
    await started(stage);
    const own = { [labels.guid]: 'p', [labels.version]: '3', [labels.appGuid]: 'web-guid' };
    await stage.person.resource(kinds.statefulSets).create({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'legacy', namespace: 'space-1', labels: own },
      spec: {
        serviceName: '',
        replicas: 0,
        selector: { matchLabels: { [labels.guid]: 'p', [labels.version]: '3' } },
        template: { metadata: { labels: own }, spec: { containers: [{ name: 'application', image: 'i' }] } },
      },
    });
    const [status, detail] = refusal(await deploy(stage));
    expect(status).toBe(422);
    expect(detail).toContain('cf restart');
    expect(detail).toContain('StatefulSet legacy');
    // A stop makes it anew: then it can be deployed.
    await stage.request('POST', '/v3/apps/web-guid/actions/stop');
    expect((await deploy(stage)).status).toBe(201);
  });

  it('is refused to who may only look, and unknown to everybody else', async () => {
    await using stage = await AppApiStage.open();
    await started(stage);
    expect(refusal(await deploy(stage, {}, 'manager'))[0]).toBe(403);
    expect(refusal(await deploy(stage, {}, 'stranger'))[0]).toBe(422);
    expect(stage.embedded.world.list(cfDeployment.type)).toEqual([]);
    const { body } = await deploy(stage);
    const ask = (method: string, what: string) =>
      stage.request(method, `/v3/deployments/${body.guid}${what}`, { as: 'stranger' });
    expect(refusal(await ask('GET', ''))).toEqual([404, 'Deployment not found']);
    expect(refusal(await ask('POST', '/actions/cancel'))).toEqual([404, 'Deployment not found']);
    const cancel = await stage.request('POST', `/v3/deployments/${body.guid}/actions/cancel`, { as: 'manager' });
    expect(cancel.status).toBe(403);
    expect((await stage.request('GET', '/v3/deployments', { as: 'stranger' })).body.resources).toEqual([]);
  });
});

describe('the list of deployments', () => {
  it('selects by app, value and reason', async () => {
    await using stage = await AppApiStage.open();
    await started(stage);
    await stage.app('other', { desiredState: 'STARTED' });
    const first = await deploy(stage);
    await stage.setStatus(cfDeployment.type, stage.deployment(first.body.guid), {
      value: 'FINALIZED',
      reason: 'DEPLOYED',
    });
    await stage.clock.advance(2000);
    const second = await deploy(stage);
    const other = await stage.request('POST', '/v3/deployments', { body: appOf('other-guid') });
    const guids = async (query: string) =>
      (await stage.request('GET', `/v3/deployments?${query}`)).body.resources.map(({ guid }) => guid);
    expect(await guids('order_by=-created_at&app_guids=web-guid')).toEqual([second.body.guid, first.body.guid]);
    expect(await guids('app_guids=web-guid&order_by=-created_at&page=1&per_page=1&status_values=ACTIVE')).toEqual([
      second.body.guid,
    ]);
    expect(await guids('status_reasons=DEPLOYED')).toEqual([first.body.guid]);
    expect(await guids('states=DEPLOYED')).toEqual([first.body.guid]);
    expect(await guids('app_guids=other-guid')).toEqual([other.body.guid]);
    expect(refusal(await stage.request('GET', '/v3/deployments?status_values=BOGUS'))).toEqual([
      422,
      'status_values0 value must be one of: ACTIVE, FINALIZED',
    ]);
    expect(refusal(await stage.request('GET', '/v3/deployments?foo=bar'))[0]).toBe(400);
  });
});
