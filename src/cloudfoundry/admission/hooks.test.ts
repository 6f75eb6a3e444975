import { describe, expect, it } from 'vitest';
import type { Hook } from '../../control/webhooks/admission.ts';
import type { AdmissionRequest } from '../../control/webhooks/admission-review.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { cloudFoundryFamily } from '../family.ts';
import { annotations, finalizers, labels } from '../keys.ts';
import { bumpedAtDeployment, bumpedAtStop } from '../revision.ts';
import { defaultSettings } from '../settings.ts';
import { cloudFoundryHooks } from './hooks.ts';

const apiVersion = 'korifi.cloudfoundry.org/v1alpha1';

function object(kind: string, name: string, spec: object, metadata: KubeObject['metadata'] = {}): AnyObject {
  return { apiVersion, kind, metadata: { name, namespace: 'space', ...metadata }, spec };
}

const app = (name: string, spec: object = {}, metadata: KubeObject['metadata'] = {}): AnyObject =>
  object(
    'CFApp',
    name,
    { displayName: name, desiredState: 'STOPPED', lifecycle: { type: 'docker' }, ...spec },
    metadata,
  );

function hooks(known: readonly AnyObject[] = []): { mutate: Hook; validate: Hook } {
  const made = cloudFoundryHooks({
    family: cloudFoundryFamily,
    settings: defaultSettings,
    clock: { now: () => Date.parse('2026-01-02T03:04:05Z') },
    known: (kind) => known.filter((one) => one.kind === kind),
  });
  return { mutate: made['/cloudfoundry/mutate'] as Hook, validate: made['/cloudfoundry/validate'] as Hook };
}

function request(after: AnyObject, before?: AnyObject, rest: Omit<Partial<AdmissionRequest>, 'object'> = {}) {
  return {
    uid: '1',
    operation: before ? ('UPDATE' as const) : ('CREATE' as const),
    kind: { group: 'korifi.cloudfoundry.org', version: 'v1alpha1', kind: after.kind },
    user: 'somebody',
    dryRun: false,
    object: after,
    ...(before && { oldObject: before }),
    ...rest,
  };
}

async function mutated(
  after: AnyObject,
  before?: AnyObject,
  rest?: Omit<Partial<AdmissionRequest>, 'object'>,
): Promise<AnyObject> {
  const { mutate } = hooks();
  if (!('mutate' in mutate)) throw new Error('it does not mutate');
  const answer = await mutate.mutate(request(after, before, rest));
  if (!answer.allowed) throw new Error(answer.message);
  return answer.object;
}

/** Why it is refused; empty when it is not. */
async function refused(after: AnyObject, before?: AnyObject, known: readonly AnyObject[] = []): Promise<string> {
  const { validate } = hooks(known);
  if (!('validate' in validate)) throw new Error('it does not validate');
  const verdict = await validate.validate(request(after, before));
  return verdict.allowed ? '' : verdict.message;
}

describe('what is written', () => {
  it('is given what the platform gives every object', async () => {
    const made = await mutated(app('a', {}, { labels: { mine: '1' }, finalizers: ['other'] }));
    expect(made.metadata).toMatchObject({
      labels: { mine: '1', [labels.guid]: 'a', [labels.spaceGuid]: 'space', [labels.createdAt]: '2026-01-02T03-04-05' },
      annotations: {
        [annotations.appRev]: '0',
        [annotations.lastStopAppRev]: '0',
        [annotations.creationVersion]: 'v0.18.0+cutover.0.1.0',
      },
      finalizers: ['other', finalizers.app],
    });
    expect(await mutated(made, made)).toEqual(made);
  });

  it('loses a finalizer when somebody takes it off, and gets it back by no later edit', async () => {
    const made = await mutated(app('a', {}, {}));
    const { finalizers: _off, ...rest } = made.metadata;
    const bare: AnyObject = { ...made, metadata: rest };
    expect((await mutated(bare, made)).metadata.finalizers).toBeUndefined();
    const edited = await mutated({ ...bare, spec: { ...(bare.spec as object), desiredState: 'STARTED' } }, bare);
    expect(edited.metadata.finalizers).toBeUndefined();
    expect(edited.metadata.labels).toEqual(made.metadata.labels);
  });

  it.each([
    ['CFOrg', { displayName: 'o' }, labels.orgName],
    ['CFSpace', { displayName: 's' }, labels.spaceName],
    ['CFDomain', { name: 'apps.example' }, labels.domainName],
    ['CFRoute', { domainRef: { name: 'd' }, host: 'h' }, labels.routeHost],
    ['CFPackage', { type: 'docker', appRef: { name: 'a' } }, labels.appGuid],
    [
      'CFBuild',
      { appRef: { name: 'a' }, packageRef: { name: 'p' }, lifecycle: { type: 'docker' } },
      labels.packageGuid,
    ],
    ['CFTask', { appRef: { name: 'a' }, command: 'c' }, labels.appGuid],
    [
      'CFDeployment',
      { appRef: { name: 'a' }, strategy: 'rolling', dropletRef: { name: 'd' }, maxInFlight: 1, step: 1 },
      labels.appGuid,
    ],
  ])('%s is found by its labels', async (kind, spec, label) => {
    const { metadata } = await mutated(object(kind, 'x', spec));
    expect(metadata.labels).toHaveProperty([label]);
    expect(metadata.labels).toHaveProperty([labels.guid], 'x');
    expect(metadata.annotations).toEqual(
      expect.objectContaining({ [annotations.creationVersion]: 'v0.18.0+cutover.0.1.0' }),
    );
  });

  it('has the usual values where nobody says otherwise', async () => {
    const web = await mutated(object('CFProcess', 'p', { appRef: { name: 'a' }, processType: 'web', memoryMB: 0 }));
    expect(web.spec).toEqual({
      appRef: { name: 'a' },
      processType: 'web',
      desiredInstances: 1,
      memoryMB: 1024,
      diskQuotaMB: 1024,
      healthCheck: { type: 'port', data: { invocationTimeoutSeconds: 0, timeoutSeconds: 60 } },
    });
    const said = { type: 'http', data: { httpEndpoint: '/up', timeoutSeconds: 5 } };
    const spec = { appRef: { name: 'a' }, processType: 'worker', desiredInstances: 0, memoryMB: 64, healthCheck: said };
    expect((await mutated(object('CFProcess', 'p', spec))).spec).toEqual({
      ...spec,
      diskQuotaMB: 1024,
      healthCheck: { type: 'http', data: { httpEndpoint: '/up', invocationTimeoutSeconds: 0, timeoutSeconds: 5 } },
    });
  });

  it('does not forget by whom it was made, nor its revisions, when a file replaces it', async () => {
    const before = await mutated(app('a', {}, { annotations: { ...bumpedAtDeployment(app('a')) } }));
    const after = await mutated(app('a'), before);
    expect(after.metadata.annotations).toEqual(before.metadata.annotations);
    const version = { [annotations.creationVersion]: 'v0.9.0' };
    const adopted = app('a', {}, { annotations: version });
    expect((await mutated(app('a'), adopted)).metadata.annotations).toMatchObject(version);
  });

  it.each([
    ['a status', app('a'), { subResource: 'status' }],
    ['an object that is being deleted', app('a', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), {}],
    ['an object of another group', app('a'), { kind: { group: 'other', version: 'v1', kind: 'CFApp' } }],
    ['the work of another runner', object('RunnerInfo', 'r', { runnerName: 'r' }), {}],
    ['what has not the shape of its kind', object('CFApp', 'a', { displayName: 7 }), {}],
    ['what has no spec', { apiVersion, kind: 'CFRoute', metadata: { name: 'r' } }, {}],
  ])('is left as it is: %s', async (_what, given, rest) => {
    expect(await mutated(given, undefined, rest)).toEqual(given);
  });
});

describe('a stop', () => {
  const revisions = (of: AnyObject): string =>
    [annotations.appRev, annotations.lastStopAppRev].map((key) => of.metadata.annotations?.[key]).join(' ');
  const started = (appRev: string, lastStop: string, further: Readonly<Record<string, string>> = {}): AnyObject =>
    app(
      'a',
      { desiredState: 'STARTED' },
      { annotations: { [annotations.appRev]: appRev, [annotations.lastStopAppRev]: lastStop, ...further } },
    );
  const state = (of: AnyObject, desiredState: string, further: Readonly<Record<string, string>> = {}): AnyObject => ({
    ...of,
    metadata: { ...of.metadata, annotations: { ...of.metadata.annotations, ...further } },
    spec: { ...(of.spec as object), desiredState },
  });

  it('bumps both revisions in the same write', async () => {
    expect(revisions(await mutated(state(started('4', '2'), 'STOPPED'), started('4', '2')))).toBe('5 5');
  });

  it('is bumped once when the API has bumped it', async () => {
    const before = started('4', '2');
    expect(revisions(await mutated(state(before, 'STOPPED', bumpedAtStop(before)), before))).toBe('5 5');
  });

  it('never gives a revision again that was canceled', async () => {
    const before = started('4', '2', { [annotations.highestAppRev]: '9' });
    expect(revisions(await mutated(state(before, 'STOPPED'), before))).toBe('10 10');
  });

  it.each([
    ['resets the revisions', { [annotations.appRev]: '0', [annotations.lastStopAppRev]: '0' }, '5 5'],
    ['damages them', { [annotations.appRev]: 'x', [annotations.lastStopAppRev]: 'x' }, '5 5'],
    ['asks for a deployment as well', { [annotations.appRev]: '7' }, '8 8'],
  ])('is bumped also by a write that %s', async (_what, written, expected) => {
    const before = started('4', '2');
    expect(revisions(await mutated(state(before, 'STOPPED', written), before))).toBe(expected);
  });

  it('of an app whose spec is damaged is still bumped', async () => {
    const before = started('4', '2');
    const after = { ...state(before, 'STOPPED'), spec: { desiredState: 'STOPPED' } };
    expect(revisions(await mutated(after, before))).toBe('5 5');
  });

  it.each([
    ['a start', 'STOPPED', 'STARTED'],
    ['another edit of a running app', 'STARTED', 'STARTED'],
    ['another edit of a stopped app', 'STOPPED', 'STOPPED'],
  ])('is not %s', async (_what, from, to) => {
    const before = state(started('4', '2'), from);
    expect(revisions(await mutated(state(before, to), before))).toBe('4 2');
  });
});

describe('a name', () => {
  const root = { namespace: 'cf' };
  it.each<[string, AnyObject, AnyObject, string]>([
    [
      'of an app',
      app('a', { displayName: 'Web' }),
      app('b', { displayName: 'web' }),
      "App with the name 'Web' already exists.",
    ],
    [
      'of an organization that would colour a terminal',
      object('CFOrg', 'a', { displayName: 'demo\u001b[2J' }, root),
      object('CFOrg', 'b', { displayName: 'demo\u001b[2J' }, root),
      "Organization 'demo\\u{1b}[2J' already exists.",
    ],
    [
      'of an organization',
      object('CFOrg', 'a', { displayName: 'demo' }, root),
      object('CFOrg', 'b', { displayName: 'DEMO' }, root),
      "Organization 'demo' already exists.",
    ],
    [
      'of a space',
      object('CFSpace', 'a', { displayName: 'dev' }),
      object('CFSpace', 'b', { displayName: 'dev' }),
      "Space 'dev' already exists. Name must be unique per organization.",
    ],
    [
      'of a domain below another',
      object('CFDomain', 'a', { name: 'x.apps.example' }, root),
      object('CFDomain', 'b', { name: 'apps.example' }, root),
      'Overlapping domain exists',
    ],
    [
      'of a route, in whichever space',
      object('CFRoute', 'a', { host: 'r1', path: '/x', domainRef: { name: 'd' } }),
      object('CFRoute', 'b', { host: 'R1', path: '/x', domainRef: { name: 'd' } }, { namespace: 'other' }),
      "Route already exists with host 'r1' and path '/x' for domain 'apps.example'.",
    ],
    [
      'of a route without a path',
      object('CFRoute', 'a', { host: 'r1', domainRef: { name: 'd' } }),
      object('CFRoute', 'b', { host: 'r1', domainRef: { name: 'd' } }),
      "Route already exists with host 'r1' for domain 'apps.example'.",
    ],
  ])('%s is taken, whatever its case', async (_what, wanted, present, words) => {
    const domain = object('CFDomain', 'd', { name: 'apps.example' }, root);
    const known = wanted.kind === 'CFDomain' ? [present] : [present, domain];
    expect(await refused(wanted, undefined, known)).toBe(words);
    expect(await refused(wanted, undefined, [])).toBe('');
    const ending = { ...present, metadata: { ...present.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(await refused(wanted, undefined, [ending, domain].slice(0, known.length))).toBe('');
    // An edit that leaves it as it was is not the one to refuse.
    expect(await refused(wanted, wanted, [...known, wanted])).toBe('');
  });

  it.each<[string, AnyObject, AnyObject]>([
    ['an app of another space', app('a'), app('a', {}, { namespace: 'other' })],
    ['the app itself', app('a'), app('a')],
    [
      'a domain that only ends alike',
      object('CFDomain', 'a', { name: 'myapps.example' }),
      object('CFDomain', 'b', { name: 'apps.example' }),
    ],
    [
      'a route with another path',
      object('CFRoute', 'a', { host: 'r', path: '/x', domainRef: { name: 'd' } }),
      object('CFRoute', 'b', { host: 'r', domainRef: { name: 'd' } }),
    ],
    [
      'a route of another domain',
      object('CFRoute', 'a', { host: 'r', domainRef: { name: 'd' } }),
      object('CFRoute', 'b', { host: 'r', domainRef: { name: 'e' } }),
    ],
  ])('is not taken by %s', async (_what, wanted, present) => {
    expect(await refused(wanted, undefined, [present])).toBe('');
  });

  it('is refused when an app is given that of another one', async () => {
    const before = app('a');
    const after = app('a', { displayName: 'b' });
    expect(await refused(after, before, [before, app('b')])).toBe("App with the name 'b' already exists.");
  });
});

describe('what is refused', () => {
  it.each<[string, AnyObject, RegExp]>([
    [
      'a negative number of instances',
      object('CFProcess', 'p', { appRef: {}, processType: 'web', desiredInstances: -1 }),
      /^spec\.desiredInstances: .*-1/,
    ],
    [
      'a negative amount of memory',
      object('CFProcess', 'p', { appRef: {}, processType: 'web', memoryMB: -1 }),
      /^spec\.memoryMB: .*-1/,
    ],
    [
      'a negative amount of disk',
      object('CFProcess', 'p', { appRef: {}, processType: 'web', diskQuotaMB: -5 }),
      /^spec\.diskQuotaMB: .*-5/,
    ],
    ['a state that there is not', app('a', { desiredState: 'PAUSED' }), /^spec\.desiredState: /],
    ['a name with blanks', app('a', { displayName: 'a b' }), /^spec\.displayName: /],
    ['no spec at all', { apiVersion, kind: 'CFApp', metadata: { name: 'a' } }, /spec/],
  ])('%s', async (_what, given, message) => {
    expect(await refused(given)).toMatch(message);
    // It was so before: not this edit's fault.
    expect(await refused(given, given)).toBe('');
  });

  it.each<[string, AnyObject, AnyObject, string]>([
    ['the lifecycle of an app', app('a'), app('a', { lifecycle: { type: 'buildpack' } }), 'spec.lifecycle.type'],
    [
      'the host of a route',
      object('CFRoute', 'r', { host: 'a', domainRef: { name: 'd' } }),
      object('CFRoute', 'r', { host: 'b', domainRef: { name: 'd' } }),
      'spec.host',
    ],
    [
      'the name of a domain',
      object('CFDomain', 'd', { name: 'a.b' }),
      object('CFDomain', 'd', { name: 'c.d' }),
      'spec.name',
    ],
  ])('%s never changes', async (_what, before, after, field) => {
    expect(await refused(after, before)).toMatch(new RegExp(`^${field}: it is .* never changes\\. Make a new`));
  });

  it('is not a protocol that was always meant', async () => {
    const route = object('CFRoute', 'r', { host: 'a', domainRef: { name: 'd' } });
    expect(await refused({ ...route, spec: { ...(route.spec as object), protocol: 'http' } }, route)).toBe('');
  });
});
