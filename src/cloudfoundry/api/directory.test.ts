import { describe, expect, it } from 'vitest';
import { Client } from '../../kube/client.ts';
import { inProcess } from '../../kube/in-process-transport.ts';
import type { KubeObject, ObjectMeta } from '../../kube/object.ts';
import { cfApp } from '../resources/cf-app.ts';
import { cfOrg } from '../resources/cf-org.ts';
import { createDirectory, type RoleBinding, type Subject, subjectsOf } from './directory.ts';

interface Cluster {
  readonly bindings?: readonly RoleBinding[];
  readonly clusterBindings?: readonly RoleBinding[];
  /** Names and namespaces of apps that only the API server knows of. */
  readonly unseen?: readonly ObjectMeta[];
  /** What the API server answers, and nothing else. */
  readonly failing?: number;
}

/** org-1 with space-1 and space-2, org-2 with space-3; app-1 is in space-2, and `twin` in all of them. */
function directoryOf({ bindings = [], clusterBindings = [], unseen = [], failing }: Cluster = {}) {
  const asked: string[] = [];
  const transport = inProcess(async ({ path }) => {
    asked.push(decodeURIComponent(path));
    const items = unseen.filter(({ name }) => path.includes(`%3D${name}`)).map((metadata) => ({ metadata }));
    const list = { apiVersion: 'v1', kind: 'List', metadata: {}, items };
    return {
      status: failing ?? 200,
      headers: {},
      body: (async function* () {
        yield Buffer.from(JSON.stringify(list));
      })(),
    };
  });
  const by = (all: readonly RoleBinding[]) => ({
    by: (_: 'subject', value: string) => all.filter((one) => subjectsOf(one).includes(value)),
  });
  const app = object('app-1', 'space-2');
  const directory = createDirectory({
    client: new Client(transport),
    rootNamespace: 'cf',
    orgs: { all: () => [object('org-1', 'cf'), object('org-2', 'cf')] },
    spaces: { all: () => [object('space-1', 'org-1'), object('space-2', 'org-1'), object('space-3', 'org-2')] },
    inSpaces: [
      { type: cfApp.type, get: (key) => (key === 'space-2/app-1' || key.endsWith('/twin') ? app : undefined) },
    ],
    bindings: by(bindings),
    clusterBindings: by(clusterBindings),
  });
  return { directory, asked };
}

function object(name: string, namespace: string): KubeObject {
  return { apiVersion: 'korifi.cloudfoundry.org/v1alpha1', kind: 'Any', metadata: { name, namespace } };
}

function bound(subject: Subject, namespace?: string, role = 'some-role', labels = {}): RoleBinding {
  const metadata = { name: 'b', labels, ...(namespace && { namespace }) };
  const roleRef = { kind: 'ClusterRole', name: role };
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata, roleRef, subjects: [subject] };
}

const alice = { name: 'alice', groups: ['team', 'system:authenticated'] };
const spaceGuids = (spaces: readonly { readonly guid: string }[]) => spaces.map(({ guid }) => guid);

describe('the directory', () => {
  it.each([
    ['himself', { kind: 'User', name: 'alice' }],
    ['his group', { kind: 'Group', name: 'team' }],
    ['everybody', { kind: 'Group', name: 'system:authenticated' }],
  ])('shows a user the spaces that have a binding for %s', (_, subject) => {
    const { directory } = directoryOf({ bindings: [bound(subject, 'space-2')] });
    expect(spaceGuids(directory.spaces(alice))).toEqual(['space-2']);
    expect(directory.orgs(alice)).toEqual([]);
    expect(directory.hasRoles(alice)).toBe(true);
  });

  it('knows a service account by its user name, and not a user of the same name', () => {
    const account = { kind: 'ServiceAccount', name: 'alice', namespace: 'cf' };
    const { directory } = directoryOf({ bindings: [bound(account, 'org-2')] });
    expect(directory.orgs({ name: 'system:serviceaccount:cf:alice', groups: [] })).toEqual(['org-2']);
    expect(directory.orgs(alice)).toEqual([]);
  });

  it('shows everything to who has a role in the whole cluster', () => {
    const reader = bound({ kind: 'User', name: 'alice' }, undefined, 'korifi-controllers-admin-read-only');
    const { directory } = directoryOf({ clusterBindings: [reader] });
    expect(directory.everywhere(alice)).toBe(true);
    expect(spaceGuids(directory.spaces(alice))).toEqual(['space-1', 'space-2', 'space-3']);
    expect(directory.orgs(alice)).toEqual(['org-1', 'org-2']);
  });

  it.each([
    ['what comes with Kubernetes', { kind: 'User', name: 'alice' }, 'system:basic-user'],
    ['what everybody may', { kind: 'Group', name: 'system:authenticated' }, 'system:discovery'],
    ['a role that is none of Cloud Foundry', { kind: 'User', name: 'alice' }, 'prometheus'],
  ])('takes nobody for an administrator by %s', (_, subject, role) => {
    const { directory } = directoryOf({ clusterBindings: [bound(subject, undefined, role)] });
    expect(directory.everywhere(alice)).toBe(false);
    expect(directory.hasRoles(alice)).toBe(false);
  });

  it('takes masters and cluster-admins for administrators', () => {
    const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
    const admins = bound({ kind: 'Group', name: 'team' }, undefined, 'cluster-admin', labels);
    expect(directoryOf({ clusterBindings: [admins] }).directory.everywhere(alice)).toBe(true);
    expect(directoryOf().directory.everywhere({ name: 'x', groups: ['system:masters'] })).toBe(true);
  });

  it('does not count a role elsewhere in the cluster', () => {
    const { directory } = directoryOf({ bindings: [bound({ kind: 'User', name: 'alice' }, 'kube-system')] });
    expect(directory.hasRoles(alice)).toBe(false);
  });

  it('finds what is cached without asking anybody', async () => {
    const { directory, asked } = directoryOf();
    expect(await directory.namespaceOf(cfApp.type, 'app-1', alice)).toBe('space-2');
    expect(await directory.namespaceOf(cfOrg.type, 'org-1', alice)).toBe('cf');
    expect(asked).toEqual([]);
  });

  it('looks once for what it has not seen yet', async () => {
    const { directory, asked } = directoryOf({ unseen: [{ name: 'app-2', namespace: 'space-3' }] });
    expect(await directory.namespaceOf(cfApp.type, 'app-2', alice)).toBe('space-3');
    expect(await directory.namespaceOf(cfApp.type, 'app-3', alice)).toBeUndefined();
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain('/apis/korifi.cloudfoundry.org/v1alpha1/cfapps?fieldSelector=metadata.name=app-2');
  });

  it('does not choose between two of the same name', async () => {
    const twice = ['space-1', 'space-3'].map((namespace) => ({ name: 'app-2', namespace }));
    expect(await directoryOf({ unseen: twice }).directory.namespaceOf(cfApp.type, 'app-2', alice)).toBeUndefined();
  });

  it.each([
    ['seen', 'twin', []],
    ['not seen yet', 'late', ['space-1', 'space-2', 'space-3'].map((namespace) => ({ name: 'late', namespace }))],
  ])('finds the one of his space among several of a name, %s', async (_, name, unseen) => {
    const user = { kind: 'User', name: 'alice' };
    const [own, another] = [bound(user, 'space-2'), bound(user, 'space-3')];
    const admin = bound(user, undefined, 'korifi-controllers-admin');
    const found = (cluster: Cluster) =>
      directoryOf({ ...cluster, unseen }).directory.namespaceOf(cfApp.type, name, alice);
    expect(await found({ bindings: [own] })).toBe('space-2');
    expect(await found({ bindings: [own, another] })).toBeUndefined();
    expect(await found({ clusterBindings: [admin] })).toBeUndefined();
    expect(await found({})).toBeUndefined();
  });

  it.each([
    [403, 503],
    [401, 503],
    [429, 503],
  ])('does not take it for the fault of the caller that the operator itself gets %d', async (status, answered) => {
    const { directory } = directoryOf({ failing: status });
    await expect(directory.namespaceOf(cfApp.type, 'app-2', alice)).rejects.toMatchObject({ status: answered });
  });

  it.each(['', '..', 'a/b', 'A', 'a,metadata.namespace=cf', 'x'.repeat(300)])(
    'does not ask for %j, which is no name',
    async (guid) => {
      const { directory, asked } = directoryOf();
      expect(await directory.namespaceOf(cfApp.type, guid, alice)).toBeUndefined();
      expect(asked).toEqual([]);
    },
  );
});
