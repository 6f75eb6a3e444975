import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import type { Attributes, User } from '../gate.ts';
import { aggregatedRules } from './aggregate-roles.ts';
import { bootstrapRoles } from './bootstrap.ts';
import { Rbac } from './rbac.ts';
import type { PolicyRule } from './rules.ts';
import { TestCluster } from './test-cluster.ts';

const apiVersion = 'rbac.authorization.k8s.io/v1';
const role = (name: string, rules: readonly PolicyRule[], namespace?: string): AnyObject => ({
  apiVersion,
  kind: namespace ? 'Role' : 'ClusterRole',
  metadata: { name, ...(namespace && { namespace }) },
  rules,
});
const binding = (name: string, roleName: string, subject: object, namespace?: string, kind = 'ClusterRole') => ({
  apiVersion,
  kind: namespace ? 'RoleBinding' : 'ClusterRoleBinding',
  metadata: { name, ...(namespace && { namespace }) },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: roleName },
  subjects: [subject],
});
const user = (name: string, ...groups: string[]): User => ({ name, groups });
const ann = user('ann', 'ops', 'system:authenticated');
const toAnn = { kind: 'User', name: 'ann' };

const pods = (verb: string, more: Partial<NonNullable<Attributes['resource']>> = {}, who = ann): Attributes => ({
  user: who,
  verb,
  resource: { group: '', version: 'v1', plural: 'pods', namespace: 'shop', ...more },
});

const rule = (fields: Partial<PolicyRule>): PolicyRule => ({
  verbs: ['get'],
  apiGroups: [''],
  resources: ['pods'],
  ...fields,
});
const allowed = (rules: readonly PolicyRule[], attributes: Attributes): boolean =>
  new Rbac(new TestCluster(role('r', rules), binding('b', 'r', toAnn))).authorize(attributes).allowed;

describe('rules', () => {
  it.each<[string, Partial<PolicyRule>, Attributes, boolean]>([
    ['the verb', {}, pods('get'), true],
    ['another verb', {}, pods('list'), false],
    ['all verbs', { verbs: ['*'] }, pods('list'), true],
    ['another group', {}, pods('get', { group: 'apps' }), false],
    ['all groups', { apiGroups: ['*'] }, pods('get', { group: 'apps' }), true],
    ['another resource', {}, pods('get', { plural: 'secrets' }), false],
    ['all resources', { resources: ['*'] }, pods('get', { plural: 'secrets' }), true],
    ['a subresource that is not named', {}, pods('get', { subresource: 'log' }), false],
    ['a subresource that is named', { resources: ['pods/log'] }, pods('get', { subresource: 'log' }), true],
    ['the resource when only its subresource is named', { resources: ['pods/log'] }, pods('get'), false],
    ['a subresource of any resource', { resources: ['*/scale'] }, pods('get', { subresource: 'scale' }), true],
    ['all resources with subresources', { resources: ['*'] }, pods('get', { subresource: 'log' }), true],
    ['a name that is listed', { resourceNames: ['web'] }, pods('get', { name: 'web' }), true],
    ['a name that is not', { resourceNames: ['web'] }, pods('get', { name: 'db' }), false],
    ['no name where names are listed', { resourceNames: ['web'] }, pods('get'), false],
  ])('%s', (_, fields, attributes, expected) => expect(allowed([rule(fields)], attributes)).toBe(expected));

  it.each<[string, string, boolean]>([
    ['/healthz', '/healthz', true],
    ['/healthz', '/healthz/x', false],
    ['/apis/*', '/apis/apps', true],
    ['/apis/*', '/apis', false],
    ['*', '/anything', true],
  ])('path %s against %s', (pattern, path, expected) => {
    expect(allowed([{ verbs: ['get'], nonResourceURLs: [pattern] }], { user: ann, verb: 'get', path })).toBe(expected);
  });
});

describe('Rbac', () => {
  it('lets members of system:masters do everything, roles or none', () => {
    const rbac = new Rbac(new TestCluster());
    expect(rbac.authorize(pods('delete', {}, user('root', 'system:masters')))).toEqual({ allowed: true, reason: '' });
    expect(rbac.authorize(pods('get'))).toEqual({ allowed: false, reason: '' });
  });

  it('says by which binding, in the real server’s words', () => {
    const cluster = new TestCluster(role('view', [rule({})]), binding('rb', 'view', toAnn, 'shop'));
    expect(new Rbac(cluster).authorize(pods('get')).reason).toBe(
      'RBAC: allowed by RoleBinding "rb/shop" of ClusterRole "view" to User "ann"',
    );
    const grouped = new TestCluster(role('d', [rule({})]), binding('d', 'd', { kind: 'Group', name: 'ops' }));
    expect(new Rbac(grouped).authorize(pods('get')).reason).toBe(
      'RBAC: allowed by ClusterRoleBinding "d" of ClusterRole "d" to Group "ops"',
    );
  });

  it('grants a role binding’s rules in its namespace only', () => {
    const cluster = new TestCluster(role('view', [rule({})]), binding('rb', 'view', toAnn, 'shop'));
    const rbac = new Rbac(cluster);
    expect(rbac.authorize(pods('get')).allowed).toBe(true);
    expect(rbac.authorize(pods('get', { namespace: 'bank' })).allowed).toBe(false);
    const { namespace: _, ...everywhere } = pods('get').resource as NonNullable<Attributes['resource']>;
    expect(rbac.authorize({ user: ann, verb: 'get', resource: everywhere }).allowed).toBe(false);
  });

  it('takes a Role from the binding’s namespace', () => {
    const cluster = new TestCluster(
      role('reader', [rule({})], 'shop'),
      binding('a', 'reader', toAnn, 'shop', 'Role'),
      binding('b', 'reader', toAnn, 'bank', 'Role'),
    );
    const rbac = new Rbac(cluster);
    expect(rbac.authorize(pods('get')).allowed).toBe(true);
    expect(rbac.authorize(pods('get', { namespace: 'bank' }))).toEqual({
      allowed: false,
      reason: 'rbac: RBAC: role.rbac.authorization.k8s.io "reader" not found',
    });
  });

  it('knows a ServiceAccount by the user name it asks with', () => {
    const robot = { kind: 'ServiceAccount', name: 'robot', namespace: 'ci' };
    const cluster = new TestCluster(role('r', [rule({})]), binding('b', 'r', robot, 'shop'));
    const rbac = new Rbac(cluster);
    const account = user('system:serviceaccount:ci:robot');
    expect(rbac.authorize(pods('get', {}, account)).reason).toContain('to ServiceAccount "robot/ci"');
    expect(rbac.authorize(pods('get', {}, user('system:serviceaccount:shop:robot'))).allowed).toBe(false);
  });

  it('follows the cluster change by change', () => {
    const cluster = new TestCluster();
    const rbac = new Rbac(cluster);
    const bound = binding('b', 'r', toAnn);
    cluster.put(bound);
    expect(rbac.authorize(pods('get')).allowed).toBe(false);
    cluster.put(role('r', [rule({})]));
    expect(rbac.authorize(pods('get')).allowed).toBe(true);
    cluster.put({ ...bound, subjects: [{ kind: 'User', name: 'bob' }] });
    expect(rbac.authorize(pods('get')).allowed).toBe(false);
    expect(rbac.authorize(pods('get', {}, user('bob'))).allowed).toBe(true);
    cluster.remove({ ...bound, subjects: [{ kind: 'User', name: 'bob' }] });
    expect(rbac.authorize(pods('get', {}, user('bob'))).allowed).toBe(false);
  });
});

describe('the roles that every cluster is born with', () => {
  const rbac = new Rbac(new TestCluster(...bootstrapRoles()));
  const asGroup = (group: string, verb: string, path: string): boolean =>
    rbac.authorize({ user: user('x', group), verb, path }).allowed;

  it('let everybody who is known discover, and strangers see little', () => {
    expect(asGroup('system:authenticated', 'get', '/apis/apps/v1')).toBe(true);
    expect(asGroup('system:unauthenticated', 'get', '/version')).toBe(true);
    expect(asGroup('system:unauthenticated', 'get', '/apis')).toBe(false);
  });

  it('let everybody who is known ask what they may do', () => {
    const resource = { group: 'authorization.k8s.io', version: 'v1', plural: 'selfsubjectaccessreviews' };
    expect(rbac.authorize({ user: user('x', 'system:authenticated'), verb: 'create', resource }).allowed).toBe(true);
  });

  it('hold in admin, edit and view what these aggregate', () => {
    const roles = bootstrapRoles().filter((each) => each.kind === 'ClusterRole');
    for (const name of ['admin', 'edit', 'view']) {
      const aggregating = roles.find((each) => each.metadata.name === name) as AnyObject;
      expect(aggregatedRules(aggregating, roles), name).toEqual(aggregating.rules);
    }
  });
});
