import { expect, it } from 'vitest';
import { annotations, labels } from '../../src/cloudfoundry/keys.ts';
import { processGuid, revisionSecretName, workloadName } from '../../src/cloudfoundry/names.ts';
import { cfApp } from '../../src/cloudfoundry/resources/cf-app.ts';
import { cfRoute } from '../../src/cloudfoundry/resources/cf-route.ts';
import { revisionsOf } from '../../src/cloudfoundry/revision.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import { AppStage, object, space } from './app-stage.ts';

const web = processGuid('web', 'web');

async function started(): Promise<{ stage: AppStage; stop: () => Promise<void> }> {
  const running = await AppStage.running();
  await running.stage.push('web');
  await running.stage.until('the app runs', () => running.stage.ready('web') === 'True Ready');
  return running;
}

it('an app that somebody applies runs, is Ready, and then costs nothing', async () => {
  const { stage } = await started();
  await using _stage = stage;
  expect(stage.app('web')).toMatchObject({
    metadata: { labels: { [labels.deploymentStatus]: 'FINALIZED' }, annotations: { [annotations.appRev]: '0' } },
    status: {
      actualState: 'STARTED',
      observedDesiredState: 'STARTED',
      revision: { appRev: '0', envSecretName: revisionSecretName('web', '0'), envNames: [] },
    },
  });
  expect(stage.workloads().map(({ metadata }) => metadata.name)).toEqual([workloadName(web, '0')]);
  expect(stage.pods()).toHaveLength(1);
  await stage.clock.advance(60_000);
  expect(stage.writes).not.toEqual([]);
  stage.writes.length = 0;
  await stage.clock.advance(3_600_000);
  expect(stage.writes).toEqual([]);
});

it('an app comes up the same when the operator dies after any of its writes', async () => {
  const { stage, stop: stopFirst } = await AppStage.running();
  await using _stage = stage;
  let stop = stopFirst;
  for (let after = 1; after <= 12; after++) {
    const name = `web-${after}`;
    stage.writes.length = 0;
    await stage.push(name);
    await stage.clock.runUntil(() => stage.writes.length >= after, 60_000);
    await stop();
    stop = stage.start();
    await stage.until(`${name} runs`, () => stage.ready(name) === 'True Ready');
    const own = stage.workloads().filter(({ spec }) => spec.appGUID === name);
    expect(own.map(({ metadata }) => metadata.name)).toEqual([workloadName(processGuid(name, 'web'), '0')]);
    expect(revisionsOf(stage.app(name))).toEqual({ appRev: 0, lastStopAppRev: 0, highest: 0 });
    expect(stage.app(name).status?.revision?.appRev).toBe('0');
  }
});

it('a stop by kubectl without webhooks is bumped once, and the next start is another workload', async () => {
  const { stage } = await started();
  await using _stage = stage;
  await stage.edit('web', { spec: { desiredState: 'STOPPED' } });
  await stage.until('nothing is left', () => stage.ready('web') === 'True Ready' && stage.pods().length === 0);
  expect(revisionsOf(stage.app('web'))).toEqual({ appRev: 1, lastStopAppRev: 1, highest: 1 });
  expect(stage.app('web').status?.actualState).toBe('STOPPED');
  await stage.edit('web', { spec: { desiredState: 'STARTED' } });
  await stage.until('it runs again', () => stage.app('web').status?.actualState === 'STARTED');
  await stage.until('it is Ready', () => stage.ready('web') === 'True Ready');
  expect(stage.workloads().map(({ metadata }) => metadata.name)).toEqual([workloadName(web, '1')]);
  expect(revisionsOf(stage.app('web')).appRev).toBe(1);
});

it('a stop is bumped once when the operator dies at any of its writes', async () => {
  for (let after = 1; after <= 4; after++) {
    const { stage, stop } = await started();
    await using _stage = stage;
    stage.writes.length = 0;
    await stage.edit('web', { spec: { desiredState: 'STOPPED' } });
    await stage.clock.runUntil(() => stage.writes.length >= after, 60_000);
    await stop();
    stage.start();
    await stage.until('nothing is left', () => stage.ready('web') === 'True Ready' && stage.pods().length === 0);
    expect(revisionsOf(stage.app('web')), `after ${after} writes`).toEqual({
      appRev: 1,
      lastStopAppRev: 1,
      highest: 1,
    });
  }
});

it('a new environment, a route and a new droplet restart nothing; the next revision has them all', async () => {
  const { stage } = await started();
  await using _stage = stage;
  const pods = stage.pods().map(({ metadata }) => metadata.uid);
  const data = { COLOUR: Buffer.from('green').toString('base64') };
  await stage.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'env', namespace: space }, ...{ data } });
  await stage.droplet('next', 'web', 'app:2');
  const destinations = [{ guid: 'to-web', appRef: { name: 'web' }, processType: 'web' }];
  const domainRef = { name: 'default-domain', namespace: 'cf' };
  await stage.apply(object('CFRoute', space, 'route', { host: 'web', domainRef, destinations }));
  await stage.edit('web', { spec: { envSecretName: 'env', currentDropletRef: { name: 'next' } } });
  await stage.clock.advance(60_000);
  expect(stage.pods().map(({ metadata }) => metadata.uid)).toEqual(pods);
  const secret = stage.find(kinds.secrets, space, 'web-vcap-application') as AnyObject & {
    data: Record<string, string>;
  };
  const application = JSON.parse(Buffer.from(secret.data.VCAP_APPLICATION ?? '', 'base64').toString());
  expect(application).toMatchObject({ uris: ['web.apps.example'], space_name: 'dev', organization_name: 'demo' });

  // A legal rolling restart by hand.
  await stage.edit('web', { metadata: { annotations: { [annotations.appRev]: '1' } } });
  await stage.until('the new revision runs', () => {
    return stage.ready('web') === 'True Ready' && stage.app('web').status?.observedAppRev === '1';
  });
  const [workload] = stage.workloads();
  expect(workload?.spec).toMatchObject({ image: 'app:2', version: '1' });
  expect(workload?.spec.env).toContainEqual({
    name: 'COLOUR',
    valueFrom: { secretKeyRef: { name: revisionSecretName('web', '1'), key: 'COLOUR' } },
  });
  await stage.until('the old environment goes', () => {
    return stage.find(kinds.secrets, space, revisionSecretName('web', '0')) === undefined;
  });
});

it('an app without instances is Ready', async () => {
  const { stage } = await started();
  await using _stage = stage;
  await stage.scale('web', 0);
  await stage.until('nothing runs', () => stage.pods().length === 0 && stage.ready('web') === 'True Ready');
  expect(stage.app('web').spec.desiredState).toBe('STARTED');
});

it('a deleted app leaves no instance, no Secret and no destination', async () => {
  const { stage } = await started();
  await using _stage = stage;
  const destinations = [{ guid: 'to-web', appRef: { name: 'web' }, processType: 'web' }];
  const domainRef = { name: 'default-domain', namespace: 'cf' };
  await stage.apply(object('CFRoute', space, 'route', { host: 'web', domainRef, destinations }));
  await stage.person.resource(cfApp.type).delete({ namespace: space, name: 'web' });
  await stage.until('everything is gone', () => {
    const secrets = stage.embedded.world.list<KubeObject>(kinds.secrets, { namespace: space });
    const left = secrets.filter(({ metadata }) => metadata.labels?.[labels.appGuid] === 'web');
    return (
      stage.find(cfApp.type, space, 'web') === undefined &&
      stage.pods().length === 0 &&
      stage.workloads().length === 0 &&
      left.length === 0
    );
  });
  const route = stage.find(cfRoute.type, space, 'route') as AnyObject & { spec: { destinations?: unknown[] } };
  expect(route.spec.destinations ?? []).toEqual([]);
});
