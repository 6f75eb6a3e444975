import { describe, expect, it } from 'vitest';
import type { Decision, PatchAction } from '../../control/decision.ts';
import { snapshotOf } from '../kept-revisions.ts';
import { annotations, finalizers, labels } from '../keys.ts';
import type { AppWorkloadView } from '../observe/app-workload-view.ts';
import type { Pod, StatefulSet } from '../observe/kube-shapes.ts';
import type { AppWorkloadSpec, AppWorkloadStatus } from '../resources/app-workload.ts';
import { decideAppWorkload } from './app-workload.ts';
import { Cluster } from './runner/cluster.fixture.ts';

const kinds = ({ actions }: Decision): readonly string[] =>
  actions.map((action) => {
    if (action.do === 'create') return `create ${action.object.kind}`;
    return 'of' in action ? `${action.do} ${action.of.kind}` : action.do;
  });

const statusIn = ({ actions }: Decision): AppWorkloadStatus => {
  const [first] = actions;
  return first?.do === 'status' ? (first.status as AppWorkloadStatus) : expect.fail('no status is written');
};

const readyIn = (decision: Decision): string => {
  const ready = statusIn(decision).conditions?.find(({ type }) => type === 'Ready');
  return `${ready?.status} ${ready?.reason}: ${ready?.message}`;
};

const patchIn = ({ actions }: Decision): Readonly<Record<string, unknown>> => {
  const found = actions.find((action): action is PatchAction => action.do === 'patch');
  return Object.fromEntries((found?.patch ?? []).map((one) => [one.path, 'value' in one ? one.value : undefined]));
};

/** A workload that runs, on a Kubernetes of today unless said otherwise. */
function running(spec: Partial<AppWorkloadSpec> = {}, kubernetes: Cluster['kubernetes'] = 'frees stuck pods'): Cluster {
  const cluster = new Cluster(kubernetes, spec);
  cluster.rest();
  return cluster;
}

/** The same view with another StatefulSet. */
function withSet(view: AppWorkloadView, change: (set: StatefulSet) => StatefulSet): AppWorkloadView {
  return { ...view, statefulSets: view.statefulSets.map(change) };
}

describe('a new workload', () => {
  it('gets a finalizer before anything that must not outlive it', () => {
    const view = new Cluster('frees stuck pods').view();
    const { finalizers: _none, ...metadata } = view.workload.metadata;
    const decision = decideAppWorkload({ ...view, workload: { ...view.workload, metadata } });
    expect(patchIn(decision)).toEqual({ '/metadata/finalizers': [finalizers.workload] });
  });

  it('gets its StatefulSet, and a disruption budget only for several instances', () => {
    const one = new Cluster('frees stuck pods', { instances: 1 });
    expect(kinds(one.operate())).toEqual(['status AppWorkload', 'create StatefulSet']);
    one.rest();
    expect(one.budget).toBeUndefined();
    const three = running({ instances: 3 });
    expect(three.budget?.metadata).toMatchObject({ name: three.set?.metadata.name });
    three.edit({ instances: 1 });
    three.rest();
    expect(three.budget).toBeUndefined();
  });

  it('makes its StatefulSet as its own, so that a request which arrives after it has gone leaves nothing, and then lets go of it', () => {
    const cluster = new Cluster('frees stuck pods');
    cluster.operate();
    const { apiVersion, kind, metadata } = cluster.workload;
    const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid };
    expect(cluster.set?.metadata.ownerReferences).toEqual([owner]);
    // Kubernetes has not yet taken note of it.
    expect(kinds(cluster.operate())).not.toContain('patch StatefulSet');
    cluster.sync();
    expect(kinds(cluster.operate())).toContain('patch StatefulSet');
    expect(cluster.set?.metadata).not.toHaveProperty('ownerReferences');
    expect(cluster.set?.metadata.generation).toBe(1);
  });

  it('leaves the owners of a StatefulSet alone that others gave it', () => {
    const cluster = running();
    const { apiVersion, kind, metadata } = cluster.workload;
    const owner = { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '' };
    const given = (...ownerReferences: readonly object[]) =>
      withSet(cluster.view(), (set) => ({ ...set, metadata: { ...set.metadata, ownerReferences } }) as StatefulSet);
    const [theirs, others] = [
      { ...owner, controller: true },
      { ...owner, uid: 'other' },
    ];
    expect(decideAppWorkload(given(theirs, others)).actions).toEqual([]);
    expect(patchIn(decideAppWorkload(given(owner, others)))).toEqual({ '/metadata/ownerReferences': [others] });
  });

  it('is Ready when every instance runs its revision, and has one entry per instance until then', () => {
    const cluster = new Cluster('frees stuck pods', { instances: 2, version: '4' });
    cluster.operate();
    cluster.sync();
    cluster.tick(1);
    const decision = cluster.operate();
    expect(readyIn(decision)).toBe('False InstancesNotReady: 1 of 2 instances run revision 4');
    expect(statusIn(decision)).toMatchObject({
      actualInstances: 1,
      instancesStatus: { '0': { state: 'STARTING' }, '1': { state: 'RUNNING', timestamp: '2030-01-01T00:00:00Z' } },
    });
    expect(statusIn(decision)).not.toHaveProperty('observedAppRev');
    cluster.tick(0);
    expect(readyIn(cluster.operate())).toBe('True Ready: Ready');
    expect(cluster.workload.status).toMatchObject({ observedAppRev: '4', actualInstances: 2 });
  });

  it('says why its StatefulSet is refused', () => {
    const view = new Cluster('frees stuck pods').view();
    const message = 'exceeded quota: small';
    const outcomes = { 'create StatefulSet': { result: 'refused' as const, at: 0, since: 0, of: '', message } };
    const decision = decideAppWorkload({ ...view, outcomes });
    expect(readyIn(decision)).toBe(`False Refused: ${message}`);
    expect(statusIn(decision).error).toBe(message);
  });

  it('is Ready without instances when none are wanted', () => {
    const cluster = running({ instances: 0 });
    expect(cluster.set?.spec?.replicas).toBe(0);
    expect(cluster.workload.status).toMatchObject({ actualInstances: 0, instancesStatus: {}, observedAppRev: '0' });
  });

  it('survives a number that nobody can run', () => {
    const { actions } = new Cluster('frees stuck pods', { instances: 2 ** 31 - 1 }).operate();
    expect(Object.keys(statusIn({ actions, because: '' }).instancesStatus ?? {})).toHaveLength(5000);
  });

  it('is left alone when it is for another runner', () => {
    const cluster = new Cluster('frees stuck pods', { runnerName: 'other' });
    expect(cluster.operate().actions).toEqual([]);
  });
});

describe('a workload whose revision stays', () => {
  it('writes only the number of instances, whatever else differs', () => {
    const cluster = running({ instances: 2 });
    cluster.runner = { ...cluster.runner, preStopSeconds: 20, imagePullPolicy: 'Always' };
    cluster.edit({ image: 'registry.example/app:other', env: [{ name: 'A', value: '1' }] });
    expect(kinds(cluster.operate())).toEqual(['status AppWorkload']);
    cluster.edit({ instances: 3 });
    expect(patchIn(cluster.operate())).toEqual({ '/spec/replicas': 3 });
  });

  it('takes over a StatefulSet that another runner made, name and template as they are', () => {
    const cluster = running({ instances: 2 });
    const foreign = withSet(cluster.view(), (set) => ({
      ...set,
      metadata: { ...set.metadata, name: 'published-name', annotations: { [annotations.version]: '0' } },
      spec: {
        ...set.spec,
        template: { ...set.spec?.template, spec: { containers: [{ name: 'application', imagePullPolicy: 'Always' }] } },
      },
    }));
    const pods = foreign.pods.map((pod, index) => ({
      ...pod,
      metadata: { ...pod.metadata, name: `published-name-${index}` },
    }));
    const budgets = foreign.budgets.map((budget) => ({
      ...budget,
      metadata: { ...budget.metadata, name: 'published-name' },
    }));
    expect(decideAppWorkload({ ...foreign, pods, budgets }).actions).toEqual([]);
  });

  it('is not Ready while an instance is missing', () => {
    const cluster = running({ instances: 2 });
    cluster.pods.delete(1);
    const decision = cluster.operate();
    expect(readyIn(decision)).toBe('False InstancesNotReady: 1 of 2 instances run revision 0');
    expect(statusIn(decision).instancesStatus?.['1']).toEqual({ state: 'DOWN' });
    expect(statusIn(decision).observedAppRev).toBe('0');
  });
});

describe('a new revision', () => {
  const strategy = (maxUnavailable: number, partition = 0) => ({
    type: 'RollingUpdate',
    rollingUpdate: { partition, maxUnavailable },
  });

  it.each([
    [1, 1, 1],
    [1, 5, 1],
    [3, 1, 1],
    [3, 2, 2],
    [3, 9, 3],
  ])('with %i instances and %i in flight is one write that surges by %i', (instances, maxInFlight, surge) => {
    const cluster = running({ instances });
    cluster.edit({ version: '5', rollout: { maxInFlight } });
    const patch = patchIn(cluster.operate());
    expect(Object.keys(patch).sort()).toEqual([
      '/metadata/annotations',
      '/metadata/labels',
      '/spec/replicas',
      '/spec/template',
      ...(surge === 1 ? [] : ['/spec/updateStrategy']),
    ]);
    expect(patch['/spec/replicas']).toBe(instances + surge);
    expect(patch['/metadata/labels']).toMatchObject({ [labels.version]: '5' });
    expect(patch['/metadata/annotations']).toMatchObject({
      [annotations.version]: '5',
      [annotations.processGuid]: 'web-5',
      [annotations.surge]: String(surge),
    });
    expect(cluster.set?.spec?.updateStrategy).toEqual(strategy(surge));
    expect(cluster.workload.status).toMatchObject({ observedAppRev: '0', rollout: { maxInFlight: surge } });
    cluster.rest();
    expect(cluster.set?.spec).toMatchObject({ replicas: instances, updateStrategy: strategy(1) });
    expect(cluster.set?.metadata.annotations).not.toHaveProperty(annotations.surge);
    expect(cluster.workload.status).toMatchObject({ observedAppRev: '5' });
    expect(cluster.workload.status).not.toHaveProperty('rollout');
  });

  it('says that the old one still serves where it was not replaced yet', () => {
    const cluster = running({ instances: 2 });
    cluster.edit({ version: '5' });
    expect(readyIn(cluster.operate())).toBe('False RollingOut: 0 of 2 instances run revision 5');
    const details = 'revision 0 still serves here';
    expect(cluster.workload.status?.instancesStatus).toEqual({
      '0': { state: 'STARTING', details },
      '1': { state: 'STARTING', details },
    });
    expect(cluster.workload.status?.actualInstances).toBe(2);
  });

  it('says so when the server can replace only one at a time', () => {
    const cluster = running({ instances: 3 }, 'one by one');
    cluster.edit({ version: '1', rollout: { maxInFlight: 3 } });
    cluster.operate();
    expect(cluster.set?.spec?.replicas).toBe(4);
    expect(cluster.workload.status?.rollout).toEqual({
      maxInFlight: 1,
      note: expect.stringContaining('max_in_flight is 1 instead of 3'),
    });
  });

  it('that is broken takes nothing away, and the next one replaces what is stuck of it at once', () => {
    const cluster = running({ instances: 2 }, 'waits for stuck pods');
    cluster.broken.add('1');
    cluster.edit({ version: '1' });
    cluster.rest();
    expect([...cluster.pods.values()].map(({ version, ready }) => [version, ready])).toEqual([
      ['0', true],
      ['0', true],
      ['1', false],
    ]);
    cluster.edit({ version: '2' });
    cluster.operate();
    cluster.sync();
    const decision = cluster.operate();
    expect(kinds(decision)).toEqual(['delete Pod']);
    expect(cluster.pods.get(2)?.ending).toBe(true);
    cluster.rest();
    expect([...cluster.pods.values()].map(({ version }) => version)).toEqual(['2', '2']);
  });

  it('does not delete a pod that became ready after it was looked at', () => {
    const cluster = running({ instances: 1 }, 'waits for stuck pods');
    cluster.broken.add('1');
    cluster.edit({ version: '1' });
    cluster.rest();
    cluster.edit({ version: '2' });
    cluster.operate();
    cluster.sync();
    const view = cluster.view();
    cluster.broken.clear();
    cluster.tick(1);
    cluster.operate(99, view);
    expect(cluster.pods.get(1)).toMatchObject({ version: '1', ready: true, ending: false });
  });

  it('lets go of the extra pod only when Kubernetes itself counts no others, though the caches may say so', () => {
    const cluster = running({ instances: 1 });
    cluster.edit({ version: '1' });
    cluster.operate();
    cluster.sync();
    cluster.tick(1);
    const { pods: seen } = cluster.view();
    cluster.sync();
    expect(cluster.pods.get(0)?.ending).toBe(true);
    // The deployment is canceled, and the cache of pods has not heard yet that the last old one ends.
    cluster.edit({ version: '0' });
    for (let look = 0; look < 3; look++) {
      cluster.operate(99, { ...cluster.view(), pods: seen });
      cluster.sync();
      expect(cluster.ready).toBe(1);
    }
  });

  it.each([
    ['all', {}],
    ['a canary', { canaries: 1 }],
  ])('puts one more on top where Kubernetes would take the highest away while another is missing: %s', (_, rollout) => {
    const cluster = running({ instances: 2 }, 'one by one');
    cluster.edit({ version: '1' });
    cluster.operate();
    cluster.sync();
    cluster.tick(2);
    cluster.sync();
    expect(cluster.pods.get(1)?.ending).toBe(true);
    cluster.edit({ version: '2', rollout });
    cluster.operate();
    expect(cluster.set?.spec?.replicas).toBe(4);
    cluster.rest(() => expect(cluster.ready).toBeGreaterThanOrEqual(2));
    cluster.edit({ rollout: {} });
    cluster.rest(() => expect(cluster.ready).toBeGreaterThanOrEqual(2));
    expect(cluster.set?.spec?.replicas).toBe(2);
  });

  it('keeps what serves at the top when it is scaled down meanwhile', () => {
    const cluster = running({ instances: 4 });
    cluster.edit({ version: '1', rollout: { maxInFlight: 2 } });
    cluster.operate();
    for (const ordinals of [[], [4, 5], [2, 3], [2, 3], [0, 1]]) {
      cluster.sync();
      for (const ordinal of ordinals) cluster.tick(ordinal);
    }
    cluster.edit({ instances: 1 });
    cluster.rest(() => expect(cluster.ready).toBeGreaterThanOrEqual(1));
    expect(cluster.set?.spec?.replicas).toBe(1);
  });
});

describe('canaries', () => {
  it('stand beside the old instances until there are to be more, or all', () => {
    const cluster = running({ instances: 3 });
    const versions = (): readonly string[] => [...cluster.pods.values()].map(({ version }) => version);
    const fewest = (): void => expect(cluster.ready).toBeGreaterThanOrEqual(3);
    cluster.edit({ version: '1', rollout: { canaries: 1 } });
    cluster.rest(fewest);
    expect(versions()).toEqual(['0', '0', '0', '1']);
    expect(cluster.set?.spec).toMatchObject({
      replicas: 4,
      updateStrategy: { rollingUpdate: { partition: 3, maxUnavailable: 1 } },
    });
    expect(cluster.workload.status).toMatchObject({ canaries: 1, observedAppRev: '0' });
    expect(cluster.workload.status?.conditions?.[0]).toMatchObject({
      status: 'False',
      reason: 'Canary',
      message: '1 of 1 canaries run revision 1, beside the revision before it',
    });
    cluster.edit({ rollout: { canaries: 2 } });
    cluster.rest(fewest);
    expect(versions().toSorted()).toEqual(['0', '0', '1', '1']);
    cluster.edit({ rollout: { maxInFlight: 1 } });
    cluster.rest(fewest);
    expect(versions()).toEqual(['1', '1', '1']);
    expect(cluster.workload.status).not.toHaveProperty('canaries');
  });

  it.each(['frees stuck pods', 'waits for stuck pods', 'one by one'] as const)(
    'stand beside the old revision again when somebody deletes the StatefulSet, on a Kubernetes that works like this: %s',
    (kubernetes) => {
      const cluster = running({ instances: 2 }, kubernetes);
      const { workload } = cluster;
      const kept = { [annotations.keptRevisions]: JSON.stringify({ 0: snapshotOf(workload) }) };
      const metadata = { ...workload.metadata, annotations: { ...workload.metadata.annotations, ...kept } };
      cluster.workload = { ...workload, metadata };
      cluster.edit({ version: '1', image: 'registry.example/app:1', rollout: { canaries: 1 } });
      cluster.rest();
      const before = cluster.set?.metadata.name;
      cluster.lose();
      // Kubernetes is slower than we are.
      cluster.operate();
      cluster.operate();
      cluster.rest();
      expect([...cluster.pods.values()].map(({ version }) => version)).toEqual(['0', '0', '1']);
      expect(cluster.set?.metadata.name).toBe(before);
      expect(cluster.workload.status).toMatchObject({ canaries: 1, observedAppRev: '0' });
      // Whoever lets all instances be replaced gets them all at once.
      cluster.edit({ rollout: { maxInFlight: 1 } });
      cluster.lose();
      cluster.operate();
      cluster.sync();
      expect([...cluster.pods.values()].map(({ version }) => version)).toEqual(['1', '1']);
    },
  );

  it('are none when none are asked for', () => {
    const cluster = running({ instances: 2 });
    cluster.edit({ version: '1', rollout: { canaries: 0 } });
    cluster.rest();
    expect([...cluster.pods.values()].map(({ version }) => version)).toEqual(['0', '0']);
    expect(cluster.workload.status).toMatchObject({ canaries: 0 });
  });
});

describe('a StatefulSet that selects its pods by revision', () => {
  const legacy = (set: StatefulSet): StatefulSet => ({
    ...set,
    spec: { ...set.spec, selector: { matchLabels: { [labels.guid]: 'web', [labels.version]: '0' } } },
  });

  it('is scaled, and otherwise left as it is, with a word about what to do', () => {
    const cluster = running({ instances: 2 });
    cluster.edit({ version: '1', instances: 3 });
    const decision = decideAppWorkload(withSet(cluster.view(), legacy));
    expect(patchIn(decision)).toEqual({ '/spec/replicas': 3 });
    expect(readyIn(decision)).toMatch(/^False LegacySelector: .*"cf restart".*without --strategy/);
  });
});

describe('a workload that is deleted', () => {
  const deleted = (view: AppWorkloadView): AppWorkloadView => ({
    ...view,
    workload: {
      ...view.workload,
      metadata: { ...view.workload.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' },
    },
  });

  it('goes after its StatefulSets', () => {
    const cluster = running({ instances: 2 });
    const decision = decideAppWorkload(deleted(cluster.view()));
    expect(kinds(decision)).toEqual(['status AppWorkload', 'delete StatefulSet']);
    expect(readyIn(decision)).toMatch(/^False StillRunning: /);
    expect(statusIn(decision)).toMatchObject({ actualInstances: 2, instancesStatus: {} });
    const gone = decideAppWorkload({ ...deleted(cluster.view()), statefulSets: [], pods: [] as Pod[] });
    expect(patchIn(gone)).toEqual({ '/metadata/finalizers/0': undefined });
  });

  it('is looked at again by itself while it waits for a StatefulSet that no cache has shown', () => {
    const view = deleted(running({ instances: 2 }).view());
    expect(decideAppWorkload(view).wakeAt).toBeUndefined();
    expect(decideAppWorkload({ ...view, unheard: true }).wakeAt).toBe(view.now + 10_000);
  });

  it('is not held back by us when another runner looks after it', () => {
    const cluster = new Cluster('frees stuck pods', { runnerName: 'other' });
    expect(decideAppWorkload(deleted(cluster.view())).actions).toEqual([]);
  });
});
