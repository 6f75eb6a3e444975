import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import type { Attempt, User } from '../gate.ts';
import type { ServedResource } from '../resource.ts';
import { StatusError } from '../status-error.ts';
import { refuseEscalation } from './escalation.ts';
import { Rbac } from './rbac.ts';
import { TestCluster } from './test-cluster.ts';

const group = 'rbac.authorization.k8s.io';
const apiVersion = `${group}/v1`;
const carl: User = { name: 'carl', groups: ['system:authenticated'] };
const clusterRole = (name: string, rules: unknown[], more: object = {}): AnyObject => ({
  apiVersion,
  kind: 'ClusterRole',
  metadata: { name },
  rules,
  ...more,
});
const role = (name: string, rules: unknown[]): AnyObject => ({
  apiVersion,
  kind: 'Role',
  metadata: { name, namespace: 'shop' },
  rules,
});
const bindingTo = (kind: string, name: string, namespace?: string): AnyObject => ({
  apiVersion,
  kind: namespace ? 'RoleBinding' : 'ClusterRoleBinding',
  metadata: { name: 'b', ...(namespace && { namespace }) },
  roleRef: { apiGroup: group, kind, name },
  subjects: [{ kind: 'User', name: 'eve' }],
});

const own = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
const clusterAdmin = clusterRole('cluster-admin', [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
]);
const carlsBinding = {
  ...bindingTo('ClusterRole', 'own'),
  metadata: { name: 'carl' },
  subjects: [{ kind: 'User', name: 'carl' }],
};
const clusterOf = (...more: AnyObject[]) =>
  new TestCluster(clusterRole('own', own), carlsBinding, clusterAdmin, ...more);

function refusal(object: AnyObject, options: { cluster?: TestCluster; user?: User; before?: AnyObject } = {}) {
  const attempt: Attempt = {
    operation: options.before ? 'UPDATE' : 'CREATE',
    resource: { group, plural: `${object.kind.toLowerCase()}s` } as ServedResource,
    ...(object.metadata.namespace && { namespace: object.metadata.namespace }),
    name: object.metadata.name ?? '',
    user: options.user ?? carl,
    dryRun: false,
    object,
    oldObject: options.before,
    options: { apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions', metadata: {} },
  };
  try {
    refuseEscalation(new Rbac(options.cluster ?? clusterOf()), attempt);
    return undefined;
  } catch (error) {
    if (error instanceof StatusError) return error.status;
    throw error;
  }
}

describe('refuseEscalation', () => {
  it('lets someone grant what they have', () => {
    expect(refusal(role('a', own))).toBeUndefined();
    expect(refusal(bindingTo('ClusterRole', 'own', 'shop'))).toBeUndefined();
  });

  it('names what is missing, verb by verb, in the real server’s words', () => {
    const wanted = [
      { apiGroups: ['', 'apps'], resources: ['pods', 'deployments'], resourceNames: ['x'], verbs: ['get', 'list'] },
    ];
    expect(refusal(role('b', wanted))).toMatchObject({
      code: 403,
      message: [
        'roles.rbac.authorization.k8s.io "b" is forbidden: user "carl" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:',
        '{APIGroups:[""], Resources:["deployments"], ResourceNames:["x"], Verbs:["get" "list"]}',
        '{APIGroups:[""], Resources:["pods"], ResourceNames:["x"], Verbs:["list"]}',
        '{APIGroups:["apps"], Resources:["deployments"], ResourceNames:["x"], Verbs:["get" "list"]}',
        '{APIGroups:["apps"], Resources:["pods"], ResourceNames:["x"], Verbs:["get" "list"]}',
      ].join('\n'),
    });
    expect(refusal(clusterRole('c', [{ nonResourceURLs: ['/x'], verbs: ['get'] }]))?.message).toContain(
      '{NonResourceURLs:["/x"], Verbs:["get"]}',
    );
  });

  it('does not count a right on some names as a right on all', () => {
    const named = [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['mine'], verbs: ['get'] }];
    const cluster = new TestCluster(clusterRole('own', named), carlsBinding);
    expect(refusal(role('a', named), { cluster })).toBeUndefined();
    expect(refusal(role('a', [{ ...named[0], resourceNames: [] }]), { cluster })?.code).toBe(403);
  });

  it('refuses to bind a role that has more, and to aggregate without having everything', () => {
    expect(refusal(bindingTo('ClusterRole', 'cluster-admin'))?.message).toContain(
      '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}',
    );
    expect(refusal(clusterRole('d', [], { aggregationRule: { clusterRoleSelectors: [] } }))?.message).toBe(
      'clusterroles.rbac.authorization.k8s.io "d" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    );
  });

  it('answers 404 for a binding to a role that does not exist', () => {
    expect(refusal(bindingTo('Role', 'nope', 'shop'))).toMatchObject({
      code: 404,
      message: 'rolebindings.rbac.authorization.k8s.io "nope" not found',
    });
  });

  it('makes way for those who may escalate, or bind that very role', () => {
    const may = (verb: string, resource: string, resourceNames: string[] = []) =>
      new TestCluster(
        clusterRole('own', [{ apiGroups: [group], resources: [resource], resourceNames, verbs: [verb] }]),
        carlsBinding,
        clusterAdmin,
      );
    expect(refusal(clusterRole('x', own), { cluster: may('escalate', 'clusterroles') })).toBeUndefined();
    const admin = bindingTo('ClusterRole', 'cluster-admin');
    expect(refusal(admin, { cluster: may('bind', 'clusterroles', ['cluster-admin']) })).toBeUndefined();
    expect(refusal(admin, { cluster: may('bind', 'clusterroles', ['view']) })?.code).toBe(403);
    expect(refusal(admin, { user: { name: 'root', groups: ['system:masters'] } })).toBeUndefined();
  });

  it('lets metadata of a mightier role be changed', () => {
    const labelled = { ...clusterAdmin, metadata: { name: 'cluster-admin', labels: { a: 'b' } } };
    expect(refusal(labelled, { before: clusterAdmin })).toBeUndefined();
    expect(
      refusal({ ...clusterAdmin, rules: [...own, ...(clusterAdmin.rules as [])] }, { before: clusterAdmin })?.code,
    ).toBe(403);
  });
});
