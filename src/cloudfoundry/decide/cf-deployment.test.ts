import { describe, expect, it } from 'vitest';
import type { Decision } from '../../control/decision.ts';
import { actionDigest, outcomeId } from '../../control/outcome.ts';
import { sealer } from '../../control/sealed.ts';
import type { DeploymentMark } from '../deployment-mark.ts';
import type { CfDeploymentView, Environments } from '../observe/cf-deployment-view.ts';
import type { AppWorkload } from '../resources/app-workload.ts';
import type { CfApp } from '../resources/cf-app.ts';
import type { CfDeployment } from '../resources/cf-deployment.ts';
import { decideCfDeployment } from './cf-deployment.ts';
import { decideCfProcess } from './cf-process.ts';
import { deploymentStatus } from './deployment-status.ts';
import { app, deployment, noon, process, view as processView, running } from './process/process.fixture.ts';

const mark: DeploymentMark = { guid: 'deployment-1', appRev: 1, previous: { appRev: 0, droplet: 'droplet-0' } };

const ready = (appRev: string): NonNullable<CfApp['status']> => ({
  observedAppRev: appRev,
  conditions: [
    {
      type: 'Ready',
      status: 'True',
      reason: 'Ready',
      message: 'Ready',
      observedGeneration: 1,
      lastTransitionTime: '2024-06-28T11:00:00Z',
    },
  ],
});

function workload(version: string, status: AppWorkload['status'] = {}): AppWorkload {
  const [, creation] = decideCfProcess(processView()).actions;
  if (creation?.do !== 'create') throw new Error('nothing is created');
  const object = creation.object as AppWorkload;
  const metadata = { ...object.metadata, generation: 1 };
  return running({ ...object, metadata, spec: { ...object.spec, version } }, status);
}

function view(given: Partial<CfDeploymentView> = {}): CfDeploymentView {
  return {
    now: noon,
    outcomes: {},
    deployment: deployment(),
    app: app({ rev: 1, mark }),
    web: { process: process(), workload: workload('1') },
    newerEnded: 0,
    settings: { version: 'v0.1.0' },
    ...given,
  };
}

function status(decision: Decision): NonNullable<CfDeployment['status']> {
  const written = decision.actions.find((action) => action.do === 'status');
  if (written?.do !== 'status') throw new Error(`no status is written: ${decision.because}`);
  return written.status as NonNullable<CfDeployment['status']>;
}

const told = (decision: Decision): readonly unknown[] => {
  const { value, reason } = status(decision);
  return [value, reason];
};

const webReady = { process: process({}, ready('1')), workload: workload('1') };

describe('how a deployment stands', () => {
  it('is DEPLOYING while the app is not Ready, also if it says so of the revision before', () => {
    expect(told(decideCfDeployment(view()))).toEqual(['ACTIVE', 'DEPLOYING']);
    const stale = app({ rev: 1, mark, status: ready('0') });
    expect(told(decideCfDeployment(view({ app: stale, web: webReady })))).toEqual(['ACTIVE', 'DEPLOYING']);
  });

  it('is DEPLOYED when the app is Ready and all of it runs the revision', () => {
    const decision = decideCfDeployment(view({ app: app({ rev: 1, mark, status: ready('1') }), web: webReady }));
    expect(told(decision)).toEqual(['FINALIZED', 'DEPLOYED']);
    expect(decision.actions.at(-1)).toMatchObject({ do: 'event', reason: 'Deployed' });
  });

  it('tells the others to follow when web runs the revision', () => {
    expect(status(decideCfDeployment(view({ web: webReady }))).webDone).toBe(true);
    expect(status(decideCfDeployment(view())).webDone).toBeUndefined();
    const none = { process: process({ desiredInstances: 0 }) };
    expect(status(decideCfDeployment(view({ web: none }))).webDone).toBe(true);
  });

  it('is not through with a web process that no cache shows: nothing is known of its instances', () => {
    const { web: _web, ...without } = view({ app: app({ rev: 1, mark, status: ready('1') }) });
    expect(status(decideCfDeployment(without)).webDone).toBeUndefined();
    expect(told(decideCfDeployment(without))).toEqual(['ACTIVE', 'DEPLOYING']);
  });

  it('says why it does not get on', () => {
    const web = { process: process(), workload: workload('1', { error: 'ErrImagePull: no such image' }) };
    expect(status(decideCfDeployment(view({ web }))).error).toBe('ErrImagePull: no such image');
  });

  it('stays what it was while a cache that went back shows the app from before it began', () => {
    const begun = deployment({}, { value: 'ACTIVE', reason: 'PAUSED', appRev: '2' });
    const before = app({ rev: 1, mark: { ...mark, guid: 'deployment-0', appRev: 1 } });
    expect(deploymentStatus(begun, before, noon)).toMatchObject({ value: 'ACTIVE', reason: 'PAUSED' });
    const after = app({ rev: 3, mark: { ...mark, guid: 'deployment-3', appRev: 3 } });
    expect(deploymentStatus(begun, after, noon)).toMatchObject({ value: 'FINALIZED', reason: 'SUPERSEDED' });
  });

  it('stays what it was in the end', () => {
    const ended = deployment({}, { value: 'FINALIZED', reason: 'DEPLOYED', appRev: '1' });
    const later = app({ rev: 2, mark: { ...mark, guid: 'deployment-2', appRev: 2 } });
    expect(decideCfDeployment(view({ deployment: ended, app: later })).actions).toEqual([]);
    expect(deploymentStatus(ended, later, noon)).toMatchObject({ value: 'FINALIZED', reason: 'DEPLOYED' });
  });

  it.each([
    [
      'named by the one that took its place',
      { guid: 'deployment-2', appRev: 2, supersedes: ['deployment-1'] },
      undefined,
    ],
    ['seen to have begun', { guid: 'deployment-2', appRev: 2 }, { appRev: '1' }],
  ])('is SUPERSEDED when it is %s', (_how, other, before) => {
    const given = view({ app: app({ rev: 2, mark: other }), deployment: deployment({}, before) });
    expect(told(decideCfDeployment(given))).toEqual(['FINALIZED', 'SUPERSEDED']);
  });

  it('is SUPERSEDED when somebody bumps the revision by hand', () => {
    expect(told(decideCfDeployment(view({ app: app({ rev: 2, mark }) })))).toEqual(['FINALIZED', 'SUPERSEDED']);
  });

  it('may be about to begin for a minute, and then never began', () => {
    const unmarked = app({ rev: 0 });
    const young = decideCfDeployment(view({ app: unmarked }));
    expect(told(young)).toEqual(['ACTIVE', 'DEPLOYING']);
    expect(young.wakeAt).toBe(noon + 50_000);
    const late = decideCfDeployment(view({ app: unmarked, now: noon + 50_000 }));
    expect(told(late)).toEqual(['FINALIZED', 'CANCELED']);
    expect(status(late).error).toContain('never begun');
  });

  it.each([
    ['is stopped', app({ rev: 2, lastStop: 2, state: 'STOPPED', mark })],
    ['was stopped and started again', app({ rev: 2, lastStop: 2, mark })],
  ])('ends without going back when the app %s', (_how, stopped) => {
    expect(told(decideCfDeployment(view({ app: stopped })))).toEqual(['FINALIZED', 'CANCELED']);
  });

  it('says so when its app is not there', () => {
    const { app: _, ...lonely } = view();
    const { conditions } = status(decideCfDeployment(lonely));
    expect(conditions?.[0]).toMatchObject({ type: 'Ready', status: 'False', reason: 'AppNotFound' });
    expect(conditions?.[0]?.message).toContain('which spec.appRef.name names');
  });

  it('writes nothing when nothing changed', () => {
    const given = view();
    const again = { ...given, deployment: deployment({}, status(decideCfDeployment(given))), now: noon + 1000 };
    expect(decideCfDeployment(again).actions).toEqual([]);
  });

  it('is deleted when ten newer ones have ended', () => {
    const ended = deployment({}, { value: 'FINALIZED', reason: 'DEPLOYED' });
    expect(decideCfDeployment(view({ deployment: ended, newerEnded: 9 })).actions).toEqual([]);
    expect(decideCfDeployment(view({ deployment: ended, newerEnded: 10 })).actions).toMatchObject([{ do: 'delete' }]);
  });

  it('is kept for ten minutes, however many end after it', () => {
    const finalizedAt = new Date(noon).toISOString();
    const ended = deployment({}, { value: 'FINALIZED', reason: 'SUPERSEDED', finalizedAt });
    const decidedAfter = (ms: number, newerEnded: number) =>
      decideCfDeployment(view({ now: noon + ms, deployment: ended, newerEnded }));
    expect(decidedAfter(0, 100)).toMatchObject({ actions: [], wakeAt: noon + 600_000 });
    expect(decidedAfter(599_999, 100)).toMatchObject({ actions: [], wakeAt: noon + 600_000 });
    expect(decidedAfter(600_000, 100).actions).toMatchObject([{ do: 'delete' }]);
    expect(decidedAfter(0, 9)).not.toHaveProperty('wakeAt');
  });
});

describe('canary', () => {
  const canary = (step: number, before?: CfDeployment['status']): CfDeployment =>
    deployment({ strategy: 'canary', steps: [{ instanceWeight: 50 }, { instanceWeight: 100 }], step }, before);
  const web = (canaries: number) => ({
    process: process({ desiredInstances: 4 }),
    workload: workload('1', { canaries }),
  });

  it('pauses when the canaries of its step are ready, and not before', () => {
    expect(told(decideCfDeployment(view({ deployment: canary(1), web: web(1) })))).toEqual(['ACTIVE', 'DEPLOYING']);
    const paused = status(decideCfDeployment(view({ deployment: canary(1), web: web(2) })));
    expect(paused).toMatchObject({ reason: 'PAUSED', step: 1 });
  });

  it('does not take the canaries of the deployment that it supersedes for its own', () => {
    const before = { ...web(2).workload, metadata: { ...web(2).workload.metadata, generation: 2 } };
    const given = view({ deployment: canary(1), web: { ...web(2), workload: before } });
    expect(told(decideCfDeployment(given))).toEqual(['ACTIVE', 'DEPLOYING']);
  });

  it.each([
    ['nothing ran before', { process: process({ desiredInstances: 4 }, ready('1')), workload: workload('1') }],
    ['no instances are wanted', { process: process({ desiredInstances: 0 }) }],
  ])('ends when %s: there is nothing to hold canaries beside', (_why, whole) => {
    const given = view({ deployment: canary(1), app: app({ rev: 1, mark, status: ready('1') }), web: whole });
    expect(told(decideCfDeployment(given))).toEqual(['FINALIZED', 'DEPLOYED']);
  });

  it('stays paused when a canary falters', () => {
    const before = canary(1, { value: 'ACTIVE', reason: 'PAUSED', step: 1, appRev: '1' });
    expect(status(decideCfDeployment(view({ deployment: before, web: web(1) }))).reason).toBe('PAUSED');
  });

  it('leaves the pause at once when it is continued, for the answer as for the record', () => {
    const continued = canary(2, { value: 'ACTIVE', reason: 'PAUSED', step: 1, appRev: '1' });
    expect(deploymentStatus(continued, app({ rev: 1, mark }), noon).reason).toBe('DEPLOYING');
    expect(status(decideCfDeployment(view({ deployment: continued, web: web(2) })))).toMatchObject({
      reason: 'DEPLOYING',
      step: 2,
    });
    expect(status(decideCfDeployment(view({ deployment: continued, web: web(4) }))).reason).toBe('PAUSED');
  });

  it('becomes a rolling one after the last step', () => {
    const given = view({ deployment: canary(3), app: app({ rev: 1, mark, status: ready('1') }), web: webReady });
    expect(told(decideCfDeployment(given))).toEqual(['FINALIZED', 'DEPLOYED']);
  });
});

describe('cancel', () => {
  const seal = sealer(new Uint8Array(32));
  const sealed = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, seal(value)]));
  const of = {
    apiVersion: 'v1',
    kind: 'Secret',
    namespace: 'space',
    name: 'env',
    uid: 'env-uid',
    resourceVersion: '7',
  };
  const environments = (present: Record<string, string>): Environments => ({
    present: { of, values: sealed(present) },
    canceled: sealed({ A: 'new' }),
    previous: sealed({ A: 'old' }),
  });
  const canceled = { ...mark, canceled: true };
  const back = app({ rev: 0, mark: canceled, status: ready('0') });

  it('is CANCELING until all instances run the previous revision again', () => {
    expect(told(decideCfDeployment(view({ app: app({ rev: 0, mark: canceled }) })))).toEqual(['ACTIVE', 'CANCELING']);
    expect(told(decideCfDeployment(view({ app: back })))).toEqual(['FINALIZED', 'CANCELED']);
  });

  it('is CANCELING for whoever asks right after the request', () => {
    const running = deployment({}, { value: 'ACTIVE', reason: 'DEPLOYING', appRev: '1' });
    expect(deploymentStatus(running, app({ rev: 0, mark: canceled }), noon).reason).toBe('CANCELING');
  });

  it('goes back also when it was called DEPLOYED in the same moment', () => {
    const done = deployment({}, { value: 'FINALIZED', reason: 'DEPLOYED', appRev: '1' });
    const going = app({ rev: 0, mark: canceled });
    expect(deploymentStatus(done, going, noon).reason).toBe('CANCELING');
    expect(told(decideCfDeployment(view({ deployment: done, app: going })))).toEqual(['ACTIVE', 'CANCELING']);
    const ended = deployment({}, { value: 'FINALIZED', reason: 'CANCELED', appRev: '1' });
    expect(decideCfDeployment(view({ deployment: ended, app: back })).actions).toEqual([]);
  });

  it('restores the environment before it ends, when nobody has edited it', () => {
    const decision = decideCfDeployment(view({ app: back, environments: environments({ A: 'new' }) }));
    expect(decision.actions).toEqual([
      { do: 'patch', of, patch: [{ op: 'add', path: '/data', value: sealed({ A: 'old' }) }] },
    ]);
    expect(decision.wakeAt).toBe(noon + 200);
    const after = status(decideCfDeployment(view({ app: back, environments: environments({ A: 'old' }) })));
    expect(after).toMatchObject({ reason: 'CANCELED', envRestored: true });
  });

  it('ends also when the environment cannot be written, and says so', () => {
    const given = view({ app: back, environments: environments({ A: 'new' }) });
    const [action] = decideCfDeployment(given).actions;
    if (!action) throw new Error('nothing is restored');
    const refused = {
      result: 'refused',
      at: noon,
      since: noon - 30_000,
      of: actionDigest(action),
      message: 'it is immutable',
    } as const;
    const after = status(decideCfDeployment({ ...given, outcomes: { [outcomeId(action)]: refused } }));
    expect(after).toMatchObject({ value: 'FINALIZED', reason: 'CANCELED', envRestored: false });
    expect(after.error).toContain('it is immutable');
  });

  it('says why the environment does not return yet, and tries again', () => {
    const given = view({ app: back, environments: environments({ A: 'new' }) });
    const [action] = decideCfDeployment(given).actions;
    if (!action) throw new Error('nothing is restored');
    const refused = { result: 'refused', at: noon, since: noon, of: actionDigest(action), message: 'not now' } as const;
    const decision = decideCfDeployment({ ...given, outcomes: { [outcomeId(action)]: refused } });
    expect(status(decision).conditions).toContainEqual(
      expect.objectContaining({
        type: 'Ready',
        status: 'False',
        message: expect.stringMatching(/tried again: not now/),
      }),
    );
    expect(status(decision).value).not.toBe('FINALIZED');
    expect(decision.actions[1]).toEqual(action);
    expect(decision.wakeAt).toBe(noon + 200);
  });

  it('keeps an environment that was edited since', () => {
    const after = status(decideCfDeployment(view({ app: back, environments: environments({ A: 'edited' }) })));
    expect(after).toMatchObject({ reason: 'CANCELED', envRestored: false });
  });
});
