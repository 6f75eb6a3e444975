import { describe, expect, it } from 'vitest';
import type { Decision } from '../../control/decision.ts';
import { actionDigest, outcomeId } from '../../control/outcome.ts';
import { labels } from '../keys.ts';
import type { CfBuildView } from '../observe/cf-build-view.ts';
import type { BuildWorkload } from '../resources/build-workload.ts';
import type { CfBuildStatus } from '../resources/cf-build.ts';
import { build, buildView, createdAt, dockerPackage, now, workload } from './build/build.fixture.ts';
import { decideCfBuild } from './cf-build.ts';

const statusIn = ({ actions }: Decision): CfBuildStatus => {
  const [first] = actions;
  if (first?.do !== 'status') throw new Error(`no status is written: ${JSON.stringify(actions)}`);
  return first.status as CfBuildStatus;
};
const condition = (status: CfBuildStatus, type: string) => status.conditions?.find((one) => one.type === type);

/** The same view once everything that was decided is stored. */
function afterwards(view: CfBuildView): CfBuildView {
  const status = statusIn(decideCfBuild(view));
  return { ...view, resource: build(view.resource.spec, status) };
}

const read = (ports: readonly number[], user = '65532') => ({ read: true, config: { ports, user } }) as const;

describe('staging an image', () => {
  it('makes a droplet of it, with the ports it exposes, as published', () => {
    const status = statusIn(decideCfBuild(buildView({ image: read([8080]) })));
    expect(status).toMatchObject({
      state: 'STAGED',
      droplet: { registry: { image: 'registry.example/app:1' }, stack: '', ports: [8080] },
      conditions: [
        { type: 'Staging', status: 'False', reason: 'BuildNotRunning', message: '' },
        { type: 'Succeeded', status: 'True', reason: 'BuildSucceeded', message: '' },
        { type: 'Ready', status: 'True', reason: 'Ready', message: 'Ready' },
      ],
    });
  });

  it('costs nothing once that is written', () => {
    expect(decideCfBuild(afterwards(buildView({ image: read([8080]) }))).actions).toEqual([]);
  });

  it('keeps the Secrets that pull it', () => {
    const registry = { image: 'registry.example/app:1', imagePullSecrets: [{ name: 'mine' }] };
    const view = buildView({ image: read([]), source: dockerPackage({ source: { registry } }) });
    expect(statusIn(decideCfBuild(view)).droplet).toEqual({ registry, stack: '' });
  });

  it('takes an image that cannot be looked at for what the request says, and tells', () => {
    const status = statusIn(decideCfBuild(buildView({ image: { read: false, why: 'registry.example is away' } })));
    expect(status).toMatchObject({ state: 'STAGED', droplet: { registry: { image: 'registry.example/app:1' } } });
    expect(status.droplet).not.toHaveProperty('ports');
    expect(condition(status, 'Succeeded')?.message).toMatch(/registry.example is away.*8080/);
  });

  it('asks a registry again for a while that did not answer, and makes the droplet of what it says then', () => {
    const away = { read: false, why: 'registry.example is away', passing: true } as const;
    const first = buildView({ image: away });
    const decision = decideCfBuild(first);
    expect(statusIn(decision).state).toBe('STAGING');
    expect(condition(statusIn(decision), 'Ready')?.message).toMatch(/registry.example is away/);
    expect(decision.wakeAt).toBe(first.now + 1_000);
    const waiting = afterwards(first);
    expect(decideCfBuild({ ...waiting, now: first.now + 1_000 }).actions).toEqual([]);
    const answered = { ...waiting, now: first.now + 1_000, image: read([8080]) };
    expect(statusIn(decideCfBuild(answered)).droplet).toMatchObject({ ports: [8080] });
    for (const later of [first.now + 3_000, first.now - 3_600_000]) {
      expect(statusIn(decideCfBuild({ ...waiting, now: later }))).toMatchObject({ state: 'STAGED' });
    }
  });

  it('asks a registry again for as long also when the build waited for something else before', () => {
    const { source: _source, ...without } = buildView();
    const before = afterwards(without);
    const away = { read: false, why: 'registry.example is away', passing: true } as const;
    const first = { ...buildView({ image: away }), resource: before.resource, now: now + 60_000 };
    const waiting = afterwards(first);
    const decision = decideCfBuild({ ...waiting, now: first.now + 1_000 });
    expect(decision).toMatchObject({ actions: [], wakeAt: first.now + 2_000 });
    expect(statusIn(decideCfBuild({ ...waiting, now: first.now + 3_000 }))).toMatchObject({ state: 'STAGED' });
  });

  it.each(['', '0', '00', '0:0', 'root', 'nobody', 'www:www'])('refuses an image of the user %j', (user) => {
    const status = statusIn(decideCfBuild(buildView({ image: read([8080], user) })));
    expect(status).toMatchObject({ state: 'FAILED' });
    expect(condition(status, 'Succeeded')).toMatchObject({ status: 'False', reason: 'BuildFailed' });
    expect(condition(status, 'Succeeded')?.message).toMatch(/root.*USER 1000/);
    expect(status).not.toHaveProperty('droplet');
  });

  it.each(['1', '65532', '1000:1000', '010'])('takes one of the user %j', (user) => {
    expect(statusIn(decideCfBuild(buildView({ image: read([], user) }))).state).toBe('STAGED');
  });

  it('fails for a package of files', () => {
    const status = statusIn(decideCfBuild(buildView({ image: read([]), source: dockerPackage({ type: 'bits' }) })));
    expect(status.state).toBe('FAILED');
  });

  it.each(['app', 'source'] as const)('waits for its %s, and fails nothing', (missing) => {
    const { [missing]: _missing, ...view } = buildView({ image: read([]) });
    const status = statusIn(decideCfBuild(view));
    expect(status.state).toBe('STAGING');
    expect(condition(status, 'Ready')).toMatchObject({ status: 'False' });
  });

  it('stays as it ended, whatever becomes of package and image', () => {
    const staged = afterwards(buildView({ image: read([8080]) }));
    const { source: _source, ...alone } = staged;
    expect(decideCfBuild({ ...alone, image: { read: false, why: 'gone' } }).actions).toEqual([]);
    const failed = afterwards(buildView({ image: read([], 'root') }));
    expect(decideCfBuild({ ...failed, image: read([8080]) }).actions).toEqual([]);
  });

  it('shows in its labels how it ended', () => {
    const { resource } = afterwards(buildView({ image: read([8080]) }));
    const { [labels.buildState]: _state, [labels.dropletGuid]: _droplet, ...before } = resource.metadata.labels ?? {};
    const stale = { ...resource, metadata: { ...resource.metadata, labels: before } };
    expect(decideCfBuild(buildView({ resource: stale })).actions).toMatchObject([
      {
        do: 'patch',
        patch: [{ value: { [labels.buildState]: 'STAGED', [labels.dropletGuid]: 'build' } }],
      },
    ]);
  });
});

const files = dockerPackage({ type: 'bits', source: { registry: { image: 'registry.example/source:1' } } });
const env = { secretName: 'env', names: ['GREETING'] };
const buildpack = (parts: Partial<CfBuildView> = {}): CfBuildView =>
  buildView({
    resource: build({ lifecycle: { type: 'buildpack', data: { buildpacks: ['nodejs'], stack: 'jammy' } } }),
    source: files,
    ...parts,
  });
const says = (status: 'True' | 'False' | 'Unknown', message = '', droplet?: object): BuildWorkload =>
  workload({
    conditions: [{ type: 'Succeeded', status, reason: 'Told', message, lastTransitionTime: createdAt }],
    ...(droplet && { droplet }),
  });

describe('staging with buildpacks', () => {
  it('hands the build to the builder, with the environment of the app', () => {
    const { actions } = decideCfBuild(buildpack({ env, builderReady: true }));
    expect(actions).toMatchObject([
      { do: 'status', status: { state: 'STAGING' } },
      {
        do: 'create',
        object: {
          kind: 'BuildWorkload',
          metadata: { name: 'build', namespace: 'space', ownerReferences: [{ uid: 'uid-build' }] },
          spec: {
            buildRef: { name: 'build' },
            source: { registry: { image: 'registry.example/source:1' } },
            buildpacks: ['nodejs'],
            builderName: 'kpack-image-builder',
            env: [
              { name: 'GREETING', valueFrom: { secretKeyRef: { name: 'env', key: 'GREETING' } } },
              { name: 'VCAP_APPLICATION' },
              { name: 'VCAP_SERVICES' },
            ],
          },
        },
      },
    ]);
  });

  it('says clearly that no builder is installed, and waits', () => {
    const status = statusIn(decideCfBuild(buildpack({ workload: workload() })));
    expect(status.state).toBe('STAGING');
    expect(condition(status, 'Staging')).toMatchObject({ status: 'Unknown', reason: 'BuilderNotInstalled' });
    expect(condition(status, 'Staging')?.message).toMatch(/kpack-image-builder.*BuilderInfo.*docker image/);
  });

  it('gives a builder that takes no notice a quarter of an hour, and costs nothing meanwhile', () => {
    const view = buildpack({ workload: workload(), builderReady: true });
    const until = Date.parse(createdAt) + 15 * 60_000;
    const waiting = afterwards(view);
    expect(decideCfBuild({ ...waiting, now: until - 1 })).toMatchObject({ actions: [], wakeAt: until });
    const status = statusIn(decideCfBuild({ ...waiting, now: until }));
    expect(status.state).toBe('FAILED');
    expect(condition(status, 'Succeeded')?.message).toMatch(/has not taken it.*15 minutes/);
  });

  it('waits as long as it takes once a builder has it', () => {
    const view = buildpack({ workload: says('Unknown', 'compiling'), now: now + 24 * 3_600_000 });
    expect(condition(statusIn(decideCfBuild(view)), 'Staging')).toMatchObject({
      status: 'True',
      reason: 'BuildRunning',
      message: 'compiling',
    });
  });

  it('takes over the droplet', () => {
    const droplet = {
      registry: { image: 'registry.example/droplet@sha256:1' },
      stack: 'jammy',
      processTypes: [{ type: 'web', command: 'node .' }],
      ports: [8080],
    };
    const view = buildpack({ workload: says('True', '', droplet) });
    expect(statusIn(decideCfBuild(view))).toMatchObject({ state: 'STAGED', droplet });
    expect(decideCfBuild(afterwards(view)).actions).toEqual([]);
  });

  it('fails with the builder’s own words', () => {
    const status = statusIn(decideCfBuild(buildpack({ workload: says('False', 'no buildpack detected') })));
    expect(condition(status, 'Succeeded')).toMatchObject({ status: 'False', message: 'no buildpack detected' });
  });

  it('fails when the builder says it is done and names no image', () => {
    expect(statusIn(decideCfBuild(buildpack({ workload: says('True') }))).state).toBe('FAILED');
  });

  it('says what is refused, and tries again', () => {
    const view = afterwards(buildpack({ env, builderReady: true }));
    const [create] = decideCfBuild(view).actions;
    if (!create) throw new Error('nothing is handed over');
    const outcome = {
      result: 'refused',
      at: now,
      since: now,
      of: actionDigest(create),
      message: 'over quota',
    } as const;
    const decision = decideCfBuild({ ...view, outcomes: { [outcomeId(create)]: outcome } });
    for (const type of ['Staging', 'Ready']) {
      expect(condition(statusIn(decision), type)).toMatchObject({
        reason: 'WorkloadRefused',
        message: expect.stringMatching(/tried again: over quota/),
      });
    }
    expect(statusIn(decision).state).toBe('STAGING');
    expect(decision.actions[1]).toEqual(create);
  });

  it('fails when the cluster goes on refusing what it hands over', () => {
    const view = buildpack({ env, builderReady: true });
    const create = decideCfBuild(view).actions.find((action) => action.do === 'create');
    if (!create) throw new Error('nothing is handed over');
    const outcome = {
      result: 'refused',
      at: now,
      since: now - 30_000,
      of: actionDigest(create),
      message: 'over quota',
    } as const;
    const status = statusIn(decideCfBuild({ ...view, outcomes: { [outcomeId(create)]: outcome } }));
    expect(condition(status, 'Succeeded')?.message).toMatch(/over quota/);
  });
});

describe('the builds of an app', () => {
  const ofApp = (needed: readonly string[] = []) =>
    ['build', 'b', 'c', 'd', 'e', 'f'].map((name, index) => ({
      name,
      createdAt: `2026-06-01T00:0${index}:00Z`,
      needed: needed.includes(name),
    }));

  it('go when five newer ones are there, and stay when they are needed', () => {
    const staged = afterwards(buildView({ image: read([8080]) }));
    expect(decideCfBuild({ ...staged, builds: ofApp() }).actions).toMatchObject([
      { do: 'delete', of: { uid: 'uid-build', resourceVersion: '7' } },
    ]);
    expect(decideCfBuild({ ...staged, builds: ofApp(['build']) }).actions).toEqual([]);
    expect(decideCfBuild({ ...staged, builds: ofApp(['d']) }).actions).toEqual([]);
  });
});
