import { describe, expect, it } from 'vitest';
import type { Conditions } from '../../../control/conditions.ts';
import type { Action, Decision } from '../../../control/decision.ts';
import { actionDigest, outcomeId } from '../../../control/outcome.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { annotations, finalizers, labels } from '../../keys.ts';
import type { PlaceView } from '../../observe/place-view.ts';
import type { CfOrg } from '../../resources/cf-org.ts';
import type { CfSpace } from '../../resources/cf-space.ts';
import { SmallCluster } from '../carried-out.fixture.ts';
import { decideCfOrg } from '../cf-org.ts';
import { decideCfSpace } from '../cf-space.ts';
import { org, registrySecret, roleBinding, serviceAccount, space, viewOf } from './place-view.fixture.ts';

const decideFor = (place: CfOrg | CfSpace) => (view: PlaceView<CfOrg> | PlaceView<CfSpace>) =>
  place.kind === 'CFOrg' ? decideCfOrg(view as PlaceView<CfOrg>) : decideCfSpace(view as PlaceView<CfSpace>);

/** Decides and does, until nothing is left to do. Throws if that takes too long. */
function settle(cluster: SmallCluster, place: CfOrg | CfSpace): Decision {
  for (let round = 0; round < 10; round += 1) {
    const decision = decideFor(place)(viewOf(cluster, place));
    if (decision.actions.length === 0) return decision;
    for (const action of decision.actions) cluster.do(action);
    if (!cluster.get(place.kind, place.metadata.name ?? '')) return decision;
  }
  throw new Error('it does not come to rest');
}

const readyOf = (cluster: SmallCluster, { kind, metadata }: KubeObject) => {
  const found = cluster.get<KubeObject & { status?: { conditions?: Conditions } }>(kind, metadata.name ?? '');
  return found?.status?.conditions?.find(({ type }) => type === 'Ready');
};

const orgCluster = (...more: readonly KubeObject[]): SmallCluster =>
  new SmallCluster([org, roleBinding('admins', 'cf'), registrySecret('cf'), ...more]);

const spaceCluster = (...more: readonly KubeObject[]): SmallCluster =>
  new SmallCluster([
    space,
    roleBinding('admins', 'org-1'),
    registrySecret('org-1'),
    serviceAccount('korifi-app'),
    ...more,
  ]);

const settled = (make: (...more: readonly KubeObject[]) => SmallCluster, place: CfOrg | CfSpace): SmallCluster => {
  const cluster = make();
  settle(cluster, place);
  return cluster;
};

const deleting = <T extends KubeObject>(object: T, finalizer: string): T => ({
  ...object,
  metadata: { ...object.metadata, finalizers: [finalizer], deletionTimestamp: '2026-01-02T05:00:00Z' },
});

const described = (actions: readonly Action[]): readonly string[] =>
  actions.map((action) => {
    if (action.do === 'create' || action.do === 'apply') return `${action.do} ${action.object.kind}`;
    return action.do === 'event' || action.do === 'call'
      ? action.do
      : `${action.do} ${action.of.kind} ${action.of.name}`;
  });

describe('an organization', () => {
  it('comes to rest ready, with its namespace and copies of all that is passed on', () => {
    const cluster = settled(orgCluster, org);
    expect(readyOf(cluster, org)).toMatchObject({ status: 'True', reason: 'Ready', message: 'Ready' });
    expect(cluster.get('CFOrg', 'org-1')).toMatchObject({
      metadata: {
        finalizers: [finalizers.org],
        labels: { [labels.guid]: 'org-1', [labels.ready]: 'True', [labels.createdAt]: '2026-01-02T03-04-05' },
        annotations: { [annotations.creationVersion]: 'v0.1.0' },
      },
      status: { guid: 'org-1', observedGeneration: 1 },
    });
    expect(cluster.all('RoleBinding', 'org-1')).toHaveLength(1);
    expect(cluster.all('Secret', 'org-1')).toHaveLength(1);
    expect(cluster.all('ServiceAccount', 'org-1')).toHaveLength(0);
  });

  it('comes to rest in the same way when the process dies after any of its actions', () => {
    for (let survived = 0; survived < 8; survived += 1) {
      const cluster = orgCluster();
      let left = survived;
      while (left > 0) {
        const { actions } = decideCfOrg(viewOf(cluster, org));
        if (actions.length === 0) break;
        const done = actions.slice(0, left);
        for (const action of done) cluster.do(action);
        left -= done.length;
      }
      settle(cluster, org);
      expect(readyOf(cluster, org)?.status, `after ${survived} actions`).toBe('True');
    }
  });

  it('is not called ready before everything is there', () => {
    const cluster = orgCluster();
    for (const action of decideCfOrg(viewOf(cluster, org)).actions) cluster.do(action);
    const { actions } = decideCfOrg(viewOf(cluster, org));
    expect(described(actions)).toEqual(['create Namespace', 'apply Secret', 'apply RoleBinding']);
    for (const action of actions.slice(0, 2)) cluster.do(action);
    expect(described(decideCfOrg(viewOf(cluster, org)).actions)).toEqual(['apply RoleBinding']);
    expect(readyOf(cluster, org)).toBeUndefined();
  });

  it('follows its display name into its namespace, and leaves what others have put there', () => {
    const cluster = settled(orgCluster, org);
    const namespace = cluster.get<KubeObject>('Namespace', 'org-1') as KubeObject;
    const mine = { ...namespace.metadata.labels, team: 'a' };
    cluster.put({ ...namespace, metadata: { ...namespace.metadata, labels: mine } });
    const before = cluster.get<CfOrg>('CFOrg', 'org-1') as CfOrg;
    cluster.put({ ...before, ...{ spec: { displayName: 'other' } } });
    settle(cluster, org);
    expect(cluster.get('Namespace', 'org-1')).toMatchObject({
      metadata: { labels: { team: 'a' }, annotations: { [annotations.orgName]: 'other' } },
    });
  });

  it.each<[string, KubeObject['metadata']['labels']]>([
    ['another organization', { [labels.orgGuid]: 'org-2' }],
    ['a space', { [labels.orgGuid]: 'org-1', [labels.spaceGuid]: 'org-1' }],
  ])('does not take the namespace of %s', (_whose, theirs = {}) => {
    const cluster = orgCluster({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'org-1', labels: theirs } });
    settle(cluster, org);
    expect(readyOf(cluster, org)).toMatchObject({ status: 'False', reason: 'NamespaceCreation' });
    expect(cluster.get('Namespace', 'org-1')?.metadata.labels).toEqual(theirs);
    expect(cluster.all('RoleBinding', 'org-1')).toEqual([]);
    // Nor does it take it along when it goes.
    cluster.put(deleting(cluster.get<CfOrg>('CFOrg', 'org-1') as CfOrg, finalizers.org));
    expect(described(decideCfOrg(viewOf(cluster, org)).actions)).toEqual(['patch CFOrg org-1']);
  });

  it('says that its namespace was refused, asks again after a while, and does nothing else meanwhile', () => {
    const cluster = orgCluster();
    for (const action of decideCfOrg(viewOf(cluster, org)).actions) cluster.do(action);
    const now = Date.parse('2026-01-02T04:00:00Z');
    const [create] = decideCfOrg(viewOf(cluster, org)).actions as [Action];
    const message = 'Namespace org-1 exists already and is not the one we would create';
    const outcome = { result: 'refused', at: now, since: now, of: actionDigest(create), message } as const;
    const outcomes = { [outcomeId(create)]: outcome };
    cluster.do(decideCfOrg(viewOf(cluster, org, outcomes, now + 1)).actions[0] as Action);
    expect(cluster.get('CFOrg', 'org-1')?.metadata.labels?.[labels.ready]).toBe('False');
    const decision = decideCfOrg(viewOf(cluster, org, outcomes, now + 1));
    expect(described(decision.actions)).toEqual(['status CFOrg org-1']);
    for (const action of decision.actions) cluster.do(action);
    expect(readyOf(cluster, org)).toMatchObject({ status: 'False', reason: 'NamespaceCreation' });
    expect(readyOf(cluster, org)?.message).toContain(message);
    expect(decision.wakeAt).toBe(now + 30_000);
    expect(decideCfOrg(viewOf(cluster, org, outcomes, now + 29_999)).actions).toEqual([]);
    expect(described(decideCfOrg(viewOf(cluster, org, outcomes, now + 30_000)).actions)).toContain('create Namespace');
  });

  it('goes after its spaces and its namespace', () => {
    const cluster = settled(orgCluster, org);
    cluster.put(space);
    cluster.put(deleting(cluster.get<CfOrg>('CFOrg', 'org-1') as CfOrg, finalizers.org));
    const first = decideCfOrg(viewOf(cluster, org));
    expect(described(first.actions)).toEqual(['status CFOrg org-1', 'delete CFSpace space-1']);
    for (const action of first.actions) cluster.do(action);
    expect(described(decideCfOrg(viewOf(cluster, org)).actions)).toEqual(['delete Namespace org-1']);
    cluster.do(decideCfOrg(viewOf(cluster, org)).actions[0] as Action);
    expect(described(decideCfOrg(viewOf(cluster, org)).actions)).toEqual(['patch CFOrg org-1']);
  });

  it('waits for a namespace that is being deleted under it', () => {
    const cluster = settled(orgCluster, org);
    const namespace = cluster.get<KubeObject>('Namespace', 'org-1') as KubeObject;
    const deletionTimestamp = '2026-01-02T05:00:00Z';
    cluster.put({ ...namespace, metadata: { ...namespace.metadata, deletionTimestamp } });
    settle(cluster, org);
    expect(readyOf(cluster, org)).toMatchObject({ status: 'False', reason: 'NamespaceCreation' });
  });
});

describe('a space', () => {
  it('comes to rest ready, with the accounts of the root namespace', () => {
    const cluster = settled(spaceCluster, space);
    expect(readyOf(cluster, space)?.status).toBe('True');
    expect(cluster.get('CFSpace', 'space-1')?.metadata.labels).toMatchObject({ [labels.orgGuid]: 'org-1' });
    const [account] = cluster.all<KubeObject>('ServiceAccount', 'space-1');
    expect(account?.metadata.labels).toEqual({ [labels.propagatedFrom]: 'cf' });
  });

  it('keeps an account whose source is gone when that was asked for, and takes back what was not', () => {
    const cluster = settled(spaceCluster, space);
    const [source] = cluster.all<KubeObject>('ServiceAccount', 'cf') as [KubeObject];
    const [rights] = cluster.all<KubeObject>('RoleBinding', 'org-1') as [KubeObject];
    for (const gone of [source, rights]) cluster.do({ do: 'delete', of: { ...refOf(gone) } });
    settle(cluster, space);
    expect(cluster.all('ServiceAccount', 'space-1')).toHaveLength(1);
    expect(cluster.all('RoleBinding', 'space-1')).toHaveLength(0);
    expect(readyOf(cluster, space)?.status).toBe('True');
  });

  it('leaves what was given in the space itself', () => {
    const cluster = spaceCluster(roleBinding('devs', 'space-1', { metadata: { annotations: {} } }));
    settle(cluster, space);
    expect(cluster.all<KubeObject>('RoleBinding', 'space-1').map(({ metadata }) => metadata.name)).toEqual([
      'devs',
      'admins',
    ]);
  });

  it('has its label before it says that it is ready', () => {
    const cluster = spaceCluster();
    for (let round = 0; readyOf(cluster, space) === undefined && round < 10; round += 1) {
      for (const action of decideCfSpace(viewOf(cluster, space)).actions) cluster.do(action);
      const label = cluster.get('CFSpace', 'space-1')?.metadata.labels?.[labels.ready];
      if (readyOf(cluster, space)) expect(label).toBe('True');
    }
    expect(readyOf(cluster, space)?.status).toBe('True');
  });

  it('makes a copy anew whose role has changed, which no server changes', () => {
    const cluster = settled(spaceCluster, space);
    const rights = cluster.all<KubeObject>('RoleBinding', 'org-1')[0] as KubeObject;
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'other' };
    cluster.put({ ...rights, ...{ roleRef } });
    const { actions } = decideCfSpace(viewOf(cluster, space));
    expect(described(actions)).toEqual(['delete RoleBinding admins']);
    settle(cluster, space);
    expect(cluster.all('RoleBinding', 'space-1')).toMatchObject([{ roleRef }]);
  });

  it('copies a changed registry secret, and a copy that somebody changed', () => {
    const cluster = settled(spaceCluster, space);
    cluster.put({ ...registrySecret('org-1', 'bmV3'), metadata: registrySecret('org-1').metadata });
    expect(described(decideCfSpace(viewOf(cluster, space)).actions)).toEqual(['apply Secret']);
    settle(cluster, space);
    const copy = cluster.all<KubeObject>('Secret', 'space-1')[0] as KubeObject;
    cluster.put({ ...copy, ...{ data: registrySecret('', 'b2Rk').data } });
    expect(described(decideCfSpace(viewOf(cluster, space)).actions)).toEqual(['apply Secret']);
  });

  it('does not write over a binding that somebody made under the name of one that is passed on', () => {
    const subjects = [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' }];
    const own = roleBinding('admins', 'space-1', { subjects, metadata: { annotations: {} } });
    const cluster = spaceCluster(own);
    settle(cluster, space);
    expect(readyOf(cluster, space)).toMatchObject({ status: 'False', reason: 'RoleBindingPropagation' });
    expect(cluster.all('RoleBinding', 'space-1')).toMatchObject([{ subjects }]);
  });

  it('goes after its apps and routes', () => {
    const cluster = settled(spaceCluster, space);
    for (const kind of ['CFApp', 'CFRoute']) {
      cluster.put({ apiVersion: space.apiVersion, kind, metadata: { name: kind, namespace: 'space-1' } });
    }
    cluster.put(deleting(cluster.get<CfSpace>('CFSpace', 'space-1') as CfSpace, finalizers.space));
    const { actions } = decideCfSpace(viewOf(cluster, space));
    expect(described(actions)).toEqual(['status CFSpace space-1', 'delete CFApp CFApp', 'delete CFRoute CFRoute']);
    expect(actions.slice(1).every((action) => action.do === 'delete' && !action.of.resourceVersion)).toBe(true);
    for (const action of actions) cluster.do(action);
    expect(described(decideCfSpace(viewOf(cluster, space)).actions)).toEqual(['delete Namespace space-1']);
  });

  it('looks again by itself while it waits for what no cache has shown', () => {
    const cluster = settled(spaceCluster, space);
    cluster.put(deleting(cluster.get<CfSpace>('CFSpace', 'space-1') as CfSpace, finalizers.space));
    const view = viewOf(cluster, space);
    const metadata = { name: 'web', namespace: 'space-1', uid: 'app-uid', resourceVersion: '7' };
    const app = { apiVersion: space.apiVersion, kind: 'CFApp', metadata };
    for (const contents of [[], [app]]) {
      expect(decideCfSpace({ ...view, contents }).wakeAt).toBeUndefined();
      expect(decideCfSpace({ ...view, contents, unheard: true }).wakeAt).toBe(view.now + 10_000);
    }
  });

  it('outside of an organization is not ready, and makes nothing', () => {
    const cluster = spaceCluster();
    const view = { ...viewOf(cluster, space), misplaced: 'There is no organization org-1.' };
    cluster.do(decideCfSpace(view).actions[0] as Action);
    const { actions } = decideCfSpace({ ...viewOf(cluster, space), misplaced: view.misplaced });
    expect(described(actions)).toEqual(['status CFSpace space-1']);
    expect(actions[0]).toMatchObject({ status: { conditions: [{ reason: 'OrganizationNotFound' }] } });
  });
});

function refOf({ apiVersion, kind, metadata }: KubeObject) {
  return { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '' };
}
