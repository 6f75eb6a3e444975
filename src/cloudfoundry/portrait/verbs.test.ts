import { applyPatch } from 'rfc6902';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import type { Steering, VerbName, Wish } from '../../portrait/verb.ts';
import { deploymentMark } from '../deployment-mark.ts';
import type { CfApp } from '../resources/cf-app.ts';
import { revisionsOf } from '../revision.ts';
import { app, around, deployment, web } from './app.fixture.ts';
import { appStanding } from './situation.ts';
import { appVerbs } from './verbs.ts';

const mark = { guid: 'd', appRev: 4, previous: { appRev: 3, droplet: 'droplet-a' } };
const active = deployment('d', {}, { value: 'ACTIVE', reason: 'DEPLOYING', appRev: '4' });
const waiting = deployment('d', { strategy: 'canary' }, { value: 'ACTIVE', reason: 'PAUSED', appRev: '4', step: 1 });

function ask(name: VerbName, object: AnyObject, record?: AnyObject, wish: Partial<Wish> = {}): Steering {
  const verb = appVerbs.find((one) => one.name === name);
  if (!verb) throw new Error(`there is no ${name}`);
  return verb.request(object, around(web, ...(record ? [record] : [])), { id: 'new', ...wish });
}

/** The app after all writes of an answer. */
function done(object: AnyObject, steering: Steering): CfApp {
  if (steering.is === 'refused') throw new Error(steering.why);
  const after = structuredClone(object);
  for (const write of steering.writes) {
    if (write.do !== 'patch' || write.type.kind !== 'CFApp') continue;
    expect(applyPatch(after, [...write.patch] as never)).toEqual(write.patch.map(() => null));
  }
  return after as unknown as CfApp;
}

describe('what can be done to an app', () => {
  it('restart makes a record, then a revision that belongs to it', () => {
    const steering = ask('restart', app());
    expect(steering).toMatchObject({
      writes: [{ do: 'create', object: { metadata: { name: 'new' } } }, { do: 'patch' }],
    });
    const after = done(app(), steering);
    expect(revisionsOf(after)).toMatchObject({ appRev: 4, lastStopAppRev: 3 });
    expect(deploymentMark(after)).toMatchObject({ guid: 'new', appRev: 4, previous: { appRev: 3 } });
    expect(appStanding({ ...after, metadata: { ...after.metadata, generation: 2 } }).situation.is).toBe('rolling');
  });

  it('restart --force stops and starts, and asks first', () => {
    const steering = ask('restart', app(), undefined, { force: true });
    expect(steering).toMatchObject({ stake: { what: 'availability' } });
    expect(done(app(), steering).spec.desiredState).toBe('STARTED');
    expect(revisionsOf(done(app(), steering))).toMatchObject({ appRev: 4, lastStopAppRev: 4 });
  });

  it('restart promises no replacement one by one where a StatefulSet of an early version cannot do it', () => {
    const matchLabels = { 'korifi.cloudfoundry.org/version': '3' };
    const set = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'shop', labels: { 'korifi.cloudfoundry.org/app-guid': 'guid' } },
      spec: { selector: { matchLabels } },
    } as AnyObject;
    expect(ask('restart', app(), set)).toMatchObject({ is: 'refused', why: expect.stringContaining('--force') });
    expect(ask('restart', app(), set, { force: true })).toMatchObject({ is: 'writes' });
  });

  it('abort gives the revision before back', () => {
    const rolling = app({ appRev: 4, lastStop: 3, mark, ready: false });
    const after = done(rolling, ask('abort', rolling, active));
    expect(revisionsOf(after)).toMatchObject({ appRev: 3, highest: 4 });
    expect(appStanding(after).situation.is).toBe('returning');
  });

  it('abort of an app that did not run asks first, for it stops it', () => {
    const first = app({ appRev: 4, lastStop: 3, mark: { guid: 'd', appRev: 4, stopped: {} }, ready: false });
    expect(ask('abort', first, active)).toMatchObject({ stake: { what: 'availability' } });
  });

  it('promote lets a canary go on, and only the step that was seen', () => {
    const held = app({ appRev: 4, lastStop: 3, mark, ready: false, waits: true });
    expect(ask('promote', held, waiting)).toMatchObject({
      writes: [{ type: { kind: 'CFDeployment' }, patch: [{ op: 'test' }, { op: 'test', value: 1 }, { value: 2 }] }],
    });
  });

  it('promote does not take an app that somebody paused for a canary', () => {
    const held = JSON.stringify(app({ appRev: 4, lastStop: 3, mark, ready: false, waits: true }));
    const paused = JSON.parse(held.replaceAll('CanaryWaiting', 'Paused'));
    expect(ask('promote', paused, active)).toMatchObject({ is: 'refused' });
  });

  it('suspend stops with a bump, resume starts again', () => {
    const stopped = done(app(), ask('suspend', app()));
    expect(stopped.spec.desiredState).toBe('STOPPED');
    const started = done(stopped as unknown as AnyObject, ask('resume', stopped as unknown as AnyObject));
    expect(started.spec.desiredState).toBe('STARTED');
    expect(revisionsOf(started)).toMatchObject({ appRev: 4, lastStopAppRev: 4 });
  });

  it('pause and resume are an annotation', () => {
    const paused = done(app(), ask('pause', app()));
    expect(appStanding(paused).paused).toBe(true);
    const resumed = done(paused as unknown as AnyObject, ask('resume', paused as unknown as AnyObject));
    expect(appStanding(resumed).paused).toBe(false);
  });

  it.each<[VerbName, AnyObject, RegExp]>([
    ['promote', app(), /No canary waits/],
    ['restart', app({ metadata: { annotations: { 'cutover.dev/paused': 'true' } } }), /paused, and no new revision/],
    ['abort', app(), /No deployment is under way/],
    ['abort', app({ mark: { ...mark, canceled: true }, ready: false }), /canceled already/],
    ['resume', app(), /neither stopped nor paused/],
    ['suspend', app({ spec: { desiredState: 'STOPPED' } }), /stopped already/],
    ['restart', app({ spec: { desiredState: 'STOPPED' } }), /resume starts it/],
    ['restart', app({ spec: { currentDropletRef: undefined } }), /push the app/],
    ['restart', app({ metadata: { deletionTimestamp: 'x' } }), /being deleted/],
  ])('%s is refused with a reason', (name, object, why) => {
    const steering = ask(name, object);
    expect(steering.is).toBe('refused');
    if (steering.is === 'refused') expect(steering.why).toMatch(why);
  });

  it('writes only to the version that was seen', () => {
    const steering = ask('suspend', app());
    expect(steering).toMatchObject({
      writes: [{ patch: [{ path: '/metadata/uid' }, { path: '/metadata/resourceVersion', value: '7' }, {}, {}] }],
    });
  });
});
