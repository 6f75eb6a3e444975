import { describe, expect, it } from 'vitest';
import type { Action, Decision } from '../../control/decision.ts';
import { annotations } from '../keys.ts';
import { processGuid } from '../names.ts';
import type { CfProcessView } from '../observe/cf-process-view.ts';
import type { AppWorkload } from '../resources/app-workload.ts';
import type { CfProcess } from '../resources/cf-process.ts';
import { decideCfProcess } from './cf-process.ts';
import { app, appGuid, deployment, process, running, stored, view } from './process/process.fixture.ts';

const web = processGuid(appGuid, 'web');

function made(decision: Decision): AppWorkload {
  const creation = decision.actions.find((action) => action.do === 'create');
  if (creation?.do !== 'create') throw new Error(`nothing is created: ${decision.because}`);
  return stored(creation.object as AppWorkload);
}

function patched(workload: AppWorkload, decision: Decision): AppWorkload {
  const action = decision.actions.find((one) => one.do === 'patch');
  if (action?.do !== 'patch') throw new Error(`nothing is patched: ${decision.because}`);
  return stored(workload, action.patch);
}

function status(decision: Decision): NonNullable<CfProcess['status']> {
  const written = decision.actions.find((action) => action.do === 'status');
  if (written?.do !== 'status') throw new Error('no status is written');
  return written.status as NonNullable<CfProcess['status']>;
}

const effects = ({ actions }: Decision): readonly Action['do'][] =>
  actions.map((action) => action.do).filter((what) => what !== 'status');

/** The process with the status that a decision writes. */
function settled(given: CfProcessView): CfProcessView {
  const decision = decideCfProcess(given);
  const written = decision.actions.find((action) => action.do === 'status');
  return written?.do === 'status'
    ? { ...given, process: { ...given.process, status: written.status as CfProcess['status'] & object } }
    : given;
}

const first = running(made(decideCfProcess(view())));

describe('seed 002: the name of the workload follows last-stop-app-rev', () => {
  it('creates the workload of a started app with everything of its revision', () => {
    const workload = made(decideCfProcess(view({ app: app({ envNames: ['GREETING'] }) })));
    expect(workload.metadata.name).toBe(`${web}-b6589fc6ab`);
    expect(workload.metadata.annotations).toMatchObject({ [annotations.lastStopAppRev]: '0' });
    expect(workload.spec).toMatchObject({
      GUID: web,
      version: '0',
      image: 'registry.example/app:1',
      instances: 2,
      ports: [8080],
    });
    const greeting = { name: 'GREETING', valueFrom: { secretKeyRef: { name: `${appGuid}-env-0`, key: 'GREETING' } } };
    expect(workload.spec.env).toContainEqual(greeting);
  });

  it('replaces the workload when the app was stopped and started: the new beside the old, which is deleted', () => {
    const decision = decideCfProcess(view({ app: app({ rev: 1, lastStop: 1 }), workloads: [first] }));
    expect(effects(decision)).toEqual(['create', 'delete']);
    expect(made(decision).metadata.name).toBe(`${web}-356a192b79`);
    expect(made(decision).spec.version).toBe('1');
  });

  it('keeps the workload when only app-rev was bumped, and gives it the new revision', () => {
    const decision = decideCfProcess(view({ app: app({ rev: 1, lastStop: 0 }), workloads: [first] }));
    expect(effects(decision)).toEqual(['patch']);
    expect(patched(first, decision).metadata.name).toBe(first.metadata.name);
    expect(patched(first, decision).spec.version).toBe('1');
  });

  it.each([
    ['the app is stopped', view({ app: app({ rev: 1, lastStop: 1, state: 'STOPPED' }), workloads: [first] })],
    ['no instances are wanted', view({ process: process({ desiredInstances: 0 }), workloads: [first] })],
  ])('deletes the workload when %s', (_why, given) => {
    expect(effects(decideCfProcess(given))).toEqual(['delete']);
  });

  it('finds the workload by its annotation, whatever its name', () => {
    const published = { ...first, metadata: { ...first.metadata, name: `${web}-b658` } };
    expect(effects(decideCfProcess(view({ workloads: [published] })))).toEqual([]);
  });

  it('takes the revision of a workload from before there was the annotation for it', () => {
    const { [annotations.lastStopAppRev]: _, ...others } = first.metadata.annotations ?? {};
    const legacy = { ...first, metadata: { ...first.metadata, annotations: others } };
    expect(effects(decideCfProcess(view({ workloads: [legacy] })))).toEqual([]);
  });

  it('gives a workload that lost its labels its revision', () => {
    const { labels: _labels, ...metadata } = first.metadata;
    const bare = { ...first, metadata };
    expect(patched(bare, decideCfProcess(view({ workloads: [bare] }))).metadata.labels).toEqual({
      'korifi.cloudfoundry.org/app-rev': '0',
    });
  });

  it('waits for instances that end before it makes their workload again', () => {
    const ending = { ...first, metadata: { ...first.metadata, deletionTimestamp: '2024-06-28T11:00:00Z' } };
    const decision = decideCfProcess(view({ workloads: [ending] }));
    expect(effects(decision)).toEqual([]);
    expect(status(decision).conditions?.[0]).toMatchObject({ status: 'False', reason: 'StillRunning' });
  });
});

describe('a revision is a snapshot', () => {
  it.each([
    ['another droplet', view({ droplet: { guid: 'droplet-2', image: 'registry.example/app:2' }, workloads: [first] })],
    ['more memory', view({ process: process({ memoryMB: 256 }), workloads: [first] })],
    ['a command', view({ process: process({ command: 'run' }), workloads: [first] })],
    ['another health check', view({ process: process({ healthCheck: { type: 'http' } }), workloads: [first] })],
    ['another version of Cutover', view({ workloads: [first], settings: { ...view().settings, runnerName: 'other' } })],
  ])('does not take %s into a revision that runs', (_what, given) => {
    expect(effects(decideCfProcess(given))).toEqual([]);
  });

  it('writes only the number of instances when it is scaled', () => {
    const decision = decideCfProcess(view({ process: process({ desiredInstances: 5 }), workloads: [first] }));
    const { spec } = patched(first, decision);
    expect(spec).toEqual({ ...first.spec, instances: 5 });
  });

  it('runs what staging found in the droplet that it runs, whichever is the current one by now', () => {
    const droplet = { guid: 'droplet-1', image: 'registry.example/app:1', commands: { web: 'first' } };
    const given = view({ process: process({ detectedCommand: 'second' }), droplet });
    expect(made(decideCfProcess(given)).spec.command).toEqual(['/bin/sh', '-c', 'first']);
    const own = view({ process: process({ detectedCommand: 'second', command: 'mine' }), droplet });
    expect(made(decideCfProcess(own)).spec.command).toEqual(['/bin/sh', '-c', 'mine']);
  });

  it('waits until the environment of the new revision was taken', () => {
    const decision = decideCfProcess(view({ app: app({ rev: 1, taken: 0 }), workloads: [first] }));
    expect(effects(decision)).toEqual([]);
    expect(status(decision).conditions?.[0]).toMatchObject({ reason: 'OutdatedCFAppStatus' });
  });

  it('says that a droplet is missing, and leaves running instances alone', () => {
    const { droplet: _droplet, ...without } = view({ app: app({ rev: 1 }), workloads: [first] });
    const decision = decideCfProcess(without);
    expect(effects(decision)).toEqual([]);
    expect(status(decision).conditions?.[0]).toMatchObject({ reason: 'CannotResolveCurrentDropletRef' });
  });
});

describe('a deployment', () => {
  const mark = { guid: 'deployment-1', appRev: 1, previous: { appRev: 0, droplet: 'droplet-1' } };
  const deploying = view({
    app: app({ rev: 1, mark }),
    deployment: deployment({ maxInFlight: 2 }),
    workloads: [first],
  });
  const second = patched(first, decideCfProcess(deploying));

  it('is replaced as many at once as it says, and the revision before is kept', () => {
    expect(second.spec.rollout).toEqual({ maxInFlight: 2 });
    expect(JSON.parse(second.metadata.annotations?.[annotations.keptRevisions] ?? '{}')).toMatchObject({
      0: { version: '0' },
    });
  });

  it('returns to the kept revision byte for byte when it is canceled, whatever was edited since', () => {
    const back = app({ rev: 0, taken: 1, mark: { ...mark, canceled: true }, droplet: 'droplet-1' });
    const edited = process({ memoryMB: 4096 });
    const decision = decideCfProcess({ ...deploying, process: edited, app: back, workloads: [second] });
    const returned = patched(second, decision);
    const { rollout: _rollout, ...spec } = returned.spec;
    expect(spec).toEqual(first.spec);
    expect(returned.metadata.annotations).not.toHaveProperty(annotations.keptRevisions);
  });

  it('forgets the revision before once it has ended', () => {
    const ended = deployment({ maxInFlight: 2 }, { value: 'FINALIZED', reason: 'DEPLOYED', appRev: '1' });
    const decision = decideCfProcess({ ...deploying, deployment: ended, workloads: [running(second)] });
    expect(patched(second, decision).metadata.annotations).not.toHaveProperty(annotations.keptRevisions);
    expect(patched(second, decision).spec).toEqual(second.spec);
    expect(status(decision).conditions?.[0]?.status).toBe('True');
  });

  it('lets other processes keep their revision until web is through', () => {
    const worker = process({ processType: 'worker', desiredInstances: 1 });
    const idle = running(made(decideCfProcess(view({ process: worker }))));
    const given = { ...deploying, process: worker, workloads: [idle] };
    expect(patched(idle, decideCfProcess(given)).spec.version).toBe('0');
    const through = {
      ...given,
      deployment: deployment({}, { value: 'ACTIVE', reason: 'DEPLOYING', appRev: '1', webDone: true }),
    };
    expect(patched(idle, decideCfProcess(through)).spec.version).toBe('1');
  });

  it.each([
    [undefined, 1, 10, 1],
    [[{ instanceWeight: 20 }, { instanceWeight: 50 }], 1, 10, 2],
    [[{ instanceWeight: 20 }, { instanceWeight: 50 }], 2, 10, 5],
    [[{ instanceWeight: 1 }], 1, 3, 1],
    [[{ instanceWeight: 20 }], 2, 10, undefined],
  ])('holds canaries at steps %j, step %i of %i instances: %s', (steps, step, desiredInstances, canaries) => {
    const canary = deployment({ strategy: 'canary', step, ...(steps && { steps }) });
    const before = { ...first, spec: { ...first.spec, instances: desiredInstances } };
    const given = { ...deploying, process: process({ desiredInstances }), deployment: canary, workloads: [before] };
    expect(patched(before, decideCfProcess(given)).spec.rollout?.canaries).toBe(canaries);
  });

  it('deploys the droplet of the deployment once it is superseded, and still keeps where a cancel leads', () => {
    const next = { guid: 'deployment-2', appRev: 2, previous: mark.previous, supersedes: ['deployment-1'] };
    const record = { ...deployment(), metadata: { ...deployment().metadata, name: 'deployment-2' } };
    const decision = decideCfProcess({
      ...deploying,
      app: app({ rev: 2, mark: next }),
      deployment: record,
      workloads: [second],
    });
    const third = patched(second, decision);
    expect(third.spec.version).toBe('2');
    expect(Object.keys(JSON.parse(third.metadata.annotations?.[annotations.keptRevisions] ?? '{}'))).toEqual(['0']);
  });
});

describe('readiness and instances', () => {
  it('is ready when all instances run the wanted revision', () => {
    const { conditions, instancesStatus, observedAppRev, actualInstances } = status(
      decideCfProcess(view({ workloads: [first] })),
    );
    expect(conditions?.[0]).toMatchObject({ type: 'Ready', status: 'True' });
    expect({ observedAppRev, actualInstances }).toEqual({ observedAppRev: '0', actualInstances: 2 });
    expect(instancesStatus).toMatchObject({ 0: { state: 'RUNNING' }, 1: { state: 'RUNNING' } });
  });

  it('never shows an instance of an old revision as running', () => {
    const { instancesStatus } = status(decideCfProcess(view({ app: app({ rev: 1 }), workloads: [first] })));
    expect(Object.values(instancesStatus ?? {}).map(({ state }) => state)).toEqual(['STARTING', 'STARTING']);
    expect(instancesStatus?.['0']?.details).toContain('revision 0 still runs here');
  });

  it('does not take the word of a runner that has not seen the new revision', () => {
    const given = settled(view({ app: app({ rev: 1 }), workloads: [first] }));
    const second = patched(first, decideCfProcess(given));
    const { instancesStatus, conditions } = settled({ ...given, workloads: [second] }).process.status ?? {};
    expect(instancesStatus?.['1']?.state).toBe('STARTING');
    expect(conditions?.[0]?.status).toBe('False');
  });

  it('has exactly as many entries as instances are wanted', () => {
    const more = status(decideCfProcess(view({ process: process({ desiredInstances: 4 }), workloads: [first] })));
    expect(Object.keys(more.instancesStatus ?? {})).toEqual(['0', '1', '2', '3']);
    const fewer = status(decideCfProcess(view({ process: process({ desiredInstances: 1 }), workloads: [first] })));
    expect(Object.keys(fewer.instancesStatus ?? {})).toEqual(['0']);
  });

  it('shows the canary beyond the wanted instances, and nothing beyond once all have the revision', () => {
    const canary = running({ ...first, spec: { ...first.spec, rollout: { maxInFlight: 1, canaries: 1 } } });
    const seen = {
      ...canary.status,
      instancesStatus: { ...canary.status?.instancesStatus, 2: { state: 'RUNNING' } },
    } as const;
    const held = deployment({ strategy: 'canary' });
    const mark = { guid: 'deployment-1', appRev: 0 };
    const given = view({ app: app({ mark }), deployment: held, workloads: [{ ...canary, status: seen }] });
    expect(Object.keys(status(decideCfProcess(given)).instancesStatus ?? {})).toEqual(['0', '1', '2']);
    const whole = view({ workloads: [{ ...first, status: seen }] });
    expect(Object.keys(status(decideCfProcess(whole)).instancesStatus ?? {})).toEqual(['0', '1']);
  });

  it('shows no more instances than fit into an object', () => {
    const many = view({ process: process({ desiredInstances: 2_147_483_647 }), workloads: [first] });
    expect(Object.keys(status(decideCfProcess(many)).instancesStatus ?? {})).toHaveLength(5000);
  });

  it.each([
    ['a stopped app', view({ app: app({ rev: 1, lastStop: 1, state: 'STOPPED' }) })],
    ['no instances', view({ process: process({ desiredInstances: 0 }) })],
  ])('is ready with nothing left of %s', (_what, given) => {
    expect(status(decideCfProcess(given)).conditions?.[0]).toMatchObject({ status: 'True' });
  });

  it('is not ready while instances of before are ending', () => {
    const given = view({ app: app({ rev: 1, lastStop: 1, state: 'STOPPED' }), workloads: [first] });
    expect(status(decideCfProcess(given)).conditions?.[0]).toMatchObject({
      status: 'False',
      reason: 'AppWorkloadsNotReady',
    });
  });

  it('says that its app is not there, and looks again when a cache shows one all the same', () => {
    const { app: _app, ...without } = view();
    const decision = decideCfProcess(without);
    expect(status(decision).conditions?.[0]).toMatchObject({ status: 'False', reason: 'AppNotFound' });
    expect(decision.wakeAt).toBeUndefined();
    expect(decideCfProcess({ ...without, unheard: true }).wakeAt).toBe(without.now + 10_000);
  });

  it('passes on why the runner is not ready', () => {
    const why = {
      type: 'Ready',
      status: 'False',
      reason: 'InstancesNotReady',
      message: 'the image cannot be pulled',
    } as const;
    const conditions = [{ ...why, lastTransitionTime: '2024-06-28T11:00:00Z' }];
    const broken = running(first, { conditions });
    expect(status(decideCfProcess(view({ workloads: [broken] }))).conditions?.[0]?.message).toBe(
      'the image cannot be pulled',
    );
  });

  it('writes nothing when nothing changed', () => {
    for (const given of [
      view(),
      view({ workloads: [first] }),
      view({ app: app({ state: 'STOPPED', rev: 1, lastStop: 1 }) }),
    ]) {
      const again = decideCfProcess(settled(given));
      expect(again.actions.filter((action) => action.do === 'status')).toEqual([]);
    }
    expect(decideCfProcess(settled(view({ workloads: [first] }))).actions).toEqual([]);
  });

  it('furnishes a process that was applied by hand', () => {
    const bare = { ...process(), metadata: { ...process().metadata, labels: {}, ownerReferences: [] } };
    expect(effects(decideCfProcess(view({ process: bare })))).toEqual(['patch']);
  });
});
