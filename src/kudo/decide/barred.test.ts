import { describe, expect, it } from 'vitest';
import { cleanupFinalizer } from '../keys.ts';
import type { Execution, Instance } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { decideInstance } from './instance.ts';
import type { InstanceView } from './view.ts';

const why =
  'operatorversions.kudo.dev "v" is forbidden: User "system:serviceaccount:cutover:cutover" cannot get resource "operatorversions" in API group "kudo.dev" in the namespace "lib"';
const now = Date.parse('2026-11-01T10:00:00Z');
const execution: Execution = { uid: 'e', plan: 'deploy', cause: 'install', forced: false, startedAt: '' };
const accepted = { operatorVersion: { name: 'v', namespace: 'lib' }, parameters: {} };
const other = {
  metadata: { name: 'w', namespace: 'here' },
  spec: { plans: { deploy: { phases: [] } } },
} as unknown as OperatorVersion;

interface Scene extends Pick<Instance, 'status'> {
  readonly deleted?: boolean;
  readonly finalizers?: string[];
  readonly spec?: Instance['spec'];
  readonly versions?: InstanceView['versions'];
}

function view({ status = {}, deleted, finalizers, spec, versions }: Scene): InstanceView {
  const metadata = { name: 'one', namespace: 'here', uid: 'i-1', resourceVersion: '7', generation: 3 };
  return {
    instance: {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: {
        ...metadata,
        ...(deleted && { deletionTimestamp: '2026-11-01T09:00:00Z' }),
        ...(finalizers && { finalizers }),
      },
      spec: { operatorVersion: { name: 'v', namespace: 'lib' }, ...spec },
      status,
    },
    versions: versions ?? { unreadable: { wanted: why, accepted: why } },
    work: [],
    world: {},
    belongings: { applied: {}, workloads: [] },
    outcomes: {},
    now,
  };
}

describe('an Instance whose OperatorVersion cannot be read', () => {
  it.each<[string, Scene]>([
    ['is new', {}],
    ['was left behind by KUDO', { status: { planStatus: { deploy: { name: 'deploy', status: 'IN_PROGRESS' } } } }],
    ['is at rest', { status: { accepted } }],
    ['has a plan that runs', { status: { accepted, execution } }],
    ['is asked for a plan', { status: { accepted }, spec: { planExecution: { planName: 'backup', uid: 'x' } } }],
    ['is deleted', { status: { accepted }, deleted: true, finalizers: [cleanupFinalizer] }],
  ])('waits, and says what for, if it %s', (_, scene) => {
    const seen = view(scene);
    const { actions, wakeAt, because } = decideInstance(seen);
    expect(actions.map((action) => action.do)).toEqual(['status', 'event']);
    expect(actions[1]).toMatchObject({ reason: 'VersionNotReadable', note: because, warning: true });
    expect(because).toContain(
      'OperatorVersion lib/v cannot be read: nothing is done until it can. It goes on within a minute. To allow it: kubectl create clusterrole cutover-operatorversions.kudo.dev --verb=get,list,watch --resource=operatorversions.kudo.dev && kubectl create rolebinding cutover-operatorversions.kudo.dev -n lib ',
    );
    expect(because.includes(`remove the finalizer ${cleanupFinalizer}`)).toBe(scene.deleted ?? false);
    expect(wakeAt).toBe(now + 30_000);

    // Once said, it costs nothing more.
    const [written] = actions;
    const status =
      written?.do === 'status' ? (written.status as Instance['status']) : expect.fail('nothing is written');
    const { conditions, observedGeneration, ...rest } = status ?? {};
    expect(conditions).toContainEqual(
      expect.objectContaining({
        type: 'AccessMissing',
        status: 'True',
        reason: 'VersionNotReadable',
        message: because,
      }),
    );
    expect(rest).toEqual(scene.status ?? {});
    expect(decideInstance({ ...seen, instance: { ...seen.instance, status: { ...status } } }).actions).toEqual([]);
  });

  it('says how its resources are meanwhile', () => {
    const [written] = decideInstance(view({ status: { accepted } })).actions;
    expect(written).toMatchObject({
      status: { conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready' })]) },
    });
  });

  it('says it in the words of a server that speaks otherwise', () => {
    const { because } = decideInstance(view({ versions: { unreadable: { wanted: 'no' } } }));
    expect(because).toContain(
      'Let the operator get, list and watch operatorversions of kudo.dev in namespace lib (no)',
    );
  });

  it('goes if nothing of ours keeps it', () => {
    expect(decideInstance(view({ status: { accepted }, deleted: true })).actions).toEqual([]);
  });

  it('can be stopped', () => {
    const spec = { planExecution: { planName: '', uid: '' } };
    const [written] = decideInstance(
      view({ status: { accepted, execution: { ...execution, shown: true } }, spec }),
    ).actions;
    expect(written).toMatchObject({ status: { history: [{ outcome: 'CANCELED' }] } });
  });

  it('can go to another version, and says no more that it waits', () => {
    const versions = { wanted: other, unreadable: { accepted: why } };
    const waits = { type: 'AccessMissing', status: 'True', reason: 'x', message: 'x', lastTransitionTime: '' } as const;
    const spec = { operatorVersion: { name: 'w' } };
    const [written] = decideInstance(view({ status: { accepted, conditions: [waits] }, spec, versions })).actions;
    expect(written).toMatchObject({ status: { execution: { cause: 'upgrade' } } });
    expect(JSON.stringify(written)).not.toContain('AccessMissing');
  });

  it('goes on with the one that was accepted if only the one that is wanted cannot be read', () => {
    const versions = { accepted: other, unreadable: { wanted: why } };
    const before = { operatorVersion: { name: 'w' }, parameters: {} };
    const { actions } = decideInstance(view({ status: { accepted: before }, versions }));
    expect(actions).toContainEqual(expect.objectContaining({ do: 'event', reason: 'OperatorVersionNotReadable' }));
    expect(actions[0]).toMatchObject({
      status: {
        accepted: before,
        conditions: expect.arrayContaining([expect.objectContaining({ type: 'Accepted', status: 'False' })]),
      },
    });
  });
});
