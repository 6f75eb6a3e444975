import { expect, it } from 'vitest';
import { registrySecret } from '../../src/cloudfoundry/install/root-namespace.ts';
import { roleNames } from '../../src/cloudfoundry/install/user-roles.ts';
import { annotations, finalizers, labels } from '../../src/cloudfoundry/keys.ts';
import { cfApp } from '../../src/cloudfoundry/resources/cf-app.ts';
import { cfOrg } from '../../src/cloudfoundry/resources/cf-org.ts';
import { cfSpace } from '../../src/cloudfoundry/resources/cf-space.ts';
import { defaultSettings } from '../../src/cloudfoundry/settings.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { account, PlaceStage } from './place-stage.ts';

const apiVersion = 'korifi.cloudfoundry.org/v1alpha1';

function org(name: string, namespace = 'cf'): KubeObject {
  return { apiVersion, kind: 'CFOrg', metadata: { name, namespace }, ...{ spec: { displayName: `The ${name}` } } };
}

function space(name: string, namespace: string): KubeObject {
  return { apiVersion, kind: 'CFSpace', metadata: { name, namespace }, ...{ spec: { displayName: `The ${name}` } } };
}

/** Gives a role to an account of the root namespace. */
function role(name: string, namespace: string, clusterRole: string, who: string, passedOn = true): KubeObject {
  const group = 'rbac.authorization.k8s.io';
  const binding = {
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: clusterRole },
    subjects: [{ kind: 'ServiceAccount', name: who, namespace: 'cf' }],
  };
  const metadata = { name, namespace, annotations: { [annotations.propagateRole]: String(passedOn) } };
  return { apiVersion: `${group}/v1`, kind: 'RoleBinding', metadata, ...binding };
}

const isReady = (stage: PlaceStage, type: typeof cfOrg.type, namespace: string, name: string): boolean =>
  stage.ready(type, namespace, name)?.status === 'True' &&
  stage.find(type, namespace, name)?.metadata.labels?.[labels.ready] === 'True';

async function orgAndSpace(stage: PlaceStage): Promise<void> {
  await stage.apply(org('org-1'));
  await stage.until('the organization is ready', () => isReady(stage, cfOrg.type, 'cf', 'org-1'));
  await stage.apply(space('space-1', 'org-1'));
  await stage.until('the space is ready', () => isReady(stage, cfSpace.type, 'org-1', 'space-1'));
}

it('makes the namespaces of an organization and a space, and passes rights, accounts and registry secrets on', async () => {
  await using stage = await PlaceStage.open();
  await stage.apply(role('admins', 'cf', roleNames.admin, 'cf-admin'));
  await stage.apply(registrySecret(defaultSettings, 'image-registry-credentials', '{"auths":{}}'));
  stage.start();
  await orgAndSpace(stage);

  expect(stage.find(kinds.namespaces, undefined, 'org-1')?.metadata.labels).toMatchObject({
    [labels.orgGuid]: 'org-1',
    'pod-security.kubernetes.io/enforce': 'restricted',
  });
  expect(stage.find(cfOrg.type, 'cf', 'org-1')?.metadata.finalizers).toEqual([finalizers.org]);
  for (const [namespace, from] of [
    ['org-1', 'cf'],
    ['space-1', 'org-1'],
  ] as const) {
    const copy = stage.find(kinds.roleBindings, namespace, 'admins');
    expect(copy).toMatchObject({ roleRef: { name: roleNames.admin }, subjects: [{ name: 'cf-admin' }] });
    expect(copy?.metadata.labels).toEqual({ [labels.propagatedFrom]: from });
    expect(stage.find(kinds.secrets, namespace, 'image-registry-credentials')).toMatchObject({
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': Buffer.from('{"auths":{}}').toString('base64') },
    });
  }
  for (const name of ['korifi-app', 'korifi-task']) {
    expect(stage.find(kinds.serviceAccounts, 'space-1', name)?.metadata.labels).toEqual({
      [labels.propagatedFrom]: 'cf',
    });
    expect(stage.find(kinds.serviceAccounts, 'org-1', name)).toBeUndefined();
  }

  const before = stage.writes.length;
  await stage.clock.advance(3_600_000);
  expect(stage.writes.slice(before), 'an idle place costs nothing').toEqual([]);
});

it('lets whoever was given a role in the root namespace work in a space at the moment it is ready', async () => {
  await using stage = await PlaceStage.open();
  await stage.apply(role('admins', 'cf', roleNames.admin, 'cf-admin'));
  stage.start();
  const admin = stage.as(account('cf', 'cf-admin'));
  await admin.resource<KubeObject>(cfOrg.type).create(org('org-1'));
  await stage.until('the organization is ready', () => stage.ready(cfOrg.type, 'cf', 'org-1')?.status === 'True');
  await admin.resource<KubeObject>(cfSpace.type).create(space('space-1', 'org-1'));
  await stage.until('the space is ready', () => stage.ready(cfSpace.type, 'org-1', 'space-1')?.status === 'True');
  expect(await admin.resource(cfApp.type).list({ namespace: 'space-1' })).toMatchObject({ items: [] });
  // An administrator gives roles away, also to those who may do less.
  await admin
    .resource<KubeObject>(kinds.roleBindings)
    .create(role('devs', 'space-1', roleNames.space_developer, 'dev', false));
  const dev = stage.as(account('cf', 'dev'));
  expect(await dev.resource(cfApp.type).list({ namespace: 'space-1' })).toMatchObject({ items: [] });
  await expect(dev.resource(cfApp.type).list({ namespace: 'org-1' })).rejects.toMatchObject({ kind: 'forbidden' });
  const more = role('more', 'space-1', roleNames.admin, 'dev', false);
  await expect(dev.resource<KubeObject>(kinds.roleBindings).create(more)).rejects.toMatchObject({ kind: 'forbidden' });
});

it('keeps copies like what they were copied from, and takes them back with it', async () => {
  await using stage = await PlaceStage.open();
  await stage.apply(role('admins', 'cf', roleNames.admin, 'cf-admin'));
  stage.start();
  await orgAndSpace(stage);

  // A Role is of its namespace: one of the same name in a space might allow more.
  const local = role('local', 'org-1', 'reader', 'somebody');
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' };
  await stage.apply({ ...local, ...{ roleRef } });

  // Given later, and taken back.
  await stage.apply(role('managers', 'org-1', roleNames.organization_manager, 'manager'));
  await stage.until('it is passed on', () => stage.find(kinds.roleBindings, 'space-1', 'managers') !== undefined);
  expect(stage.find(kinds.roleBindings, 'space-1', 'local')).toBeUndefined();
  await stage.person.resource(kinds.roleBindings).delete({ namespace: 'org-1', name: 'managers' });
  await stage.until('it is taken back', () => stage.find(kinds.roleBindings, 'space-1', 'managers') === undefined);

  // Changed at its source, and in its copy.
  const subjects = [{ kind: 'ServiceAccount', name: 'another', namespace: 'cf' }];
  const followed = (): boolean =>
    JSON.stringify(stage.find(kinds.roleBindings, 'space-1', 'admins')?.subjects) === JSON.stringify(subjects);
  const root = { namespace: 'cf', name: 'admins' };
  await stage.person.resource(kinds.roleBindings).patch(root, { type: 'merge', body: { subjects } });
  await stage.until('the copies follow', followed);
  const inSpace = { namespace: 'space-1', name: 'admins' };
  await stage.person.resource(kinds.roleBindings).patch(inSpace, { type: 'merge', body: { subjects: [] } });
  await stage.until('the copy is set right', followed);

  // An account that is to stay when its source goes stays; deleted by hand, it comes again.
  await stage.person.resource(kinds.serviceAccounts).delete({ namespace: 'space-1', name: 'korifi-app' });
  await stage.until(
    'the account is back',
    () => stage.find(kinds.serviceAccounts, 'space-1', 'korifi-app') !== undefined,
  );
  await stage.person.resource(kinds.serviceAccounts).delete({ namespace: 'cf', name: 'korifi-app' });
  await stage.clock.advance(60_000);
  expect(stage.find(kinds.serviceAccounts, 'space-1', 'korifi-app')).toBeDefined();
  expect(isReady(stage, cfSpace.type, 'org-1', 'space-1')).toBe(true);
});

it('leaves a namespace alone that is not its own, also when it goes', async () => {
  await using stage = await PlaceStage.open();
  await stage.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  stage.start();
  await orgAndSpace(stage);
  await stage.apply(org('org-2'));
  await stage.until('the other organization is ready', () => isReady(stage, cfOrg.type, 'cf', 'org-2'));

  // A namespace of somebody who knows nothing of us; the space of another organization; an organization elsewhere.
  await stage.apply(org('shop'));
  await stage.apply(space('space-1', 'org-2'));
  await stage.apply(org('org-1', 'org-2'));
  const reasons = () => [
    stage.ready(cfOrg.type, 'cf', 'shop')?.reason,
    stage.ready(cfSpace.type, 'org-2', 'space-1')?.reason,
    stage.ready(cfOrg.type, 'org-2', 'org-1')?.reason,
  ];
  const expected = ['NamespaceCreation', 'NamespaceCreation', 'NotInRootNamespace'];
  await stage.until('they say why not', () => reasons().join() === expected.join());
  expect(stage.ready(cfOrg.type, 'cf', 'shop')?.message).toContain('shop');

  const writes = stage.writes.length;
  await stage.clock.advance(10 * 60_000);
  expect(new Set(stage.writes.slice(writes)), 'only a try now and then').toEqual(new Set(['POST /api/v1/namespaces']));
  expect(stage.writes.length - writes).toBeLessThanOrEqual(20);

  await stage.person.resource(cfOrg.type).delete({ namespace: 'cf', name: 'shop' });
  await stage.person.resource(cfSpace.type).delete({ namespace: 'org-2', name: 'space-1' });
  await stage.person.resource(cfOrg.type).delete({ namespace: 'org-2', name: 'org-1' });
  await stage.until('they are gone', () => stage.find(cfOrg.type, 'cf', 'shop') === undefined);
  await stage.clock.advance(60_000);
  expect(stage.find(cfSpace.type, 'org-2', 'space-1')).toBeUndefined();
  expect(stage.find(cfOrg.type, 'org-2', 'org-1')).toBeUndefined();
  for (const name of ['shop', 'org-1', 'space-1']) {
    expect(stage.find(kinds.namespaces, undefined, name)?.metadata.deletionTimestamp, name).toBeUndefined();
  }
  expect(isReady(stage, cfSpace.type, 'org-1', 'space-1')).toBe(true);
});

it('deletes what a space holds, then its namespace, then the organization', async () => {
  await using stage = await PlaceStage.open();
  stage.start();
  await orgAndSpace(stage);
  const app: KubeObject = {
    apiVersion,
    kind: 'CFApp',
    metadata: { name: 'app-1', namespace: 'space-1', finalizers: ['test/hold'] },
    ...{ spec: { displayName: 'web', desiredState: 'STOPPED', lifecycle: { type: 'docker' } } },
  };
  await stage.apply(app);
  await stage.person.resource(cfOrg.type).delete({ namespace: 'cf', name: 'org-1' });
  await stage.until('the app is being deleted', () =>
    Boolean(stage.find(cfApp.type, 'space-1', 'app-1')?.metadata.deletionTimestamp),
  );
  await stage.clock.advance(60_000);
  expect(stage.ready(cfSpace.type, 'org-1', 'space-1')).toMatchObject({ status: 'False', reason: 'Deleting' });
  expect(stage.ready(cfSpace.type, 'org-1', 'space-1')?.message).toContain('CFApp app-1');
  expect(stage.find(kinds.namespaces, undefined, 'space-1')?.metadata.deletionTimestamp).toBeUndefined();

  const released = { type: 'merge', body: { metadata: { finalizers: null } } } as const;
  await stage.person.resource(cfApp.type).patch({ namespace: 'space-1', name: 'app-1' }, released);
  await stage.until('all is gone', () => stage.find(cfOrg.type, 'cf', 'org-1') === undefined);
  expect(stage.find(kinds.namespaces, undefined, 'space-1')).toBeUndefined();
  expect(stage.find(kinds.namespaces, undefined, 'org-1')).toBeUndefined();
});
