import { beforeAll, describe, expect, it } from 'vitest';
import { type Any, type Api, eventually } from './api.ts';
import { configMap } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();
const rbac = 'rbac.authorization.k8s.io/v1';

/** A service account with the given rules in the namespace, and someone who speaks as it. */
async function account(name: string, rules: readonly object[]): Promise<Api> {
  const { api, core, group, namespace, as } = server();
  await api.must('POST', core('serviceaccounts'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } });
  if (rules.length > 0) {
    await api.must('POST', group(rbac, 'roles'), { apiVersion: rbac, kind: 'Role', metadata: { name }, rules });
    await api.must('POST', group(rbac, 'rolebindings'), {
      apiVersion: rbac,
      kind: 'RoleBinding',
      metadata: { name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    });
  }
  return as(await tokenOf(name));
}

async function tokenOf(name: string): Promise<string> {
  const { api, core } = server();
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const answer = await api.must('POST', core('serviceaccounts', name, 'token'), request);
  expect(answer.status.expirationTimestamp).toMatch(/Z$/);
  return answer.status.token;
}

describe('RBAC', () => {
  beforeAll(async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), configMap('one'));
    await api.must('POST', core('configmaps'), configMap('two'));
  });

  it('refuses whoever has no role, in words that say what is missing', async () => {
    const { core, namespace } = server();
    const nobody = await account('nobody', []);
    const answer = await nobody.get(core('configmaps'));
    expect(answer.body).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: `configmaps is forbidden: User "system:serviceaccount:${namespace}:nobody" cannot list resource "configmaps" in API group "" in the namespace "${namespace}"`,
      details: { kind: 'configmaps' },
    });
    const one = await nobody.get(core('configmaps', 'one'));
    expect(one.body.message).toBe(
      `configmaps "one" is forbidden: User "system:serviceaccount:${namespace}:nobody" cannot get resource "configmaps" in API group "" in the namespace "${namespace}"`,
    );
    const wide = await nobody.get('/apis/apps/v1/deployments');
    expect(wide.body.message).toBe(
      `deployments.apps is forbidden: User "system:serviceaccount:${namespace}:nobody" cannot list resource "deployments" in API group "apps" at the cluster scope`,
    );
  });

  it('allows just the verbs of the role', async () => {
    const { core } = server();
    const reader = await account('reader', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }]);
    await eventually(() => reader.must('GET', core('configmaps')));
    expect((await reader.get(core('configmaps', 'one'))).status).toBe(200);
    expect((await reader.post(core('configmaps'), configMap('three'))).status).toBe(403);
    expect((await reader.get(core('secrets'))).status).toBe(403);
    const watch = await reader.watch(`${core('configmaps')}?watch=true`);
    expect(watch.status).toBe(403);
    watch.close();
  });

  it('allows just the names of the role', async () => {
    const { core } = server();
    const named = await account('named', [
      { apiGroups: [''], resources: ['configmaps'], resourceNames: ['one'], verbs: ['*'] },
    ]);
    await eventually(() => named.must('GET', core('configmaps', 'one')));
    expect((await named.get(core('configmaps', 'two'))).status).toBe(403);
    expect((await named.get(core('configmaps'))).status).toBe(403);
    expect((await named.get(`${core('configmaps')}?fieldSelector=metadata.name%3Done`)).status).toBe(200);
  });

  it('takes a field selector for a name where a collection is read, and nowhere else', async () => {
    const { core } = server();
    const rule = { apiGroups: [''], resources: ['configmaps'], resourceNames: ['one'], verbs: ['list', 'create'] };
    const selective = await account('selective', [rule]);
    const select = (selector: string): string => `${core('configmaps')}?fieldSelector=${encodeURIComponent(selector)}`;
    const { items } = await eventually(() => selective.must('GET', select('metadata.name=one')));
    expect(items.map(({ metadata }: Any) => metadata.name)).toEqual(['one']);
    expect((await selective.get(select('metadata.name=two'))).status).toBe(403);
    expect((await selective.get(select('metadata.name!=one'))).status).toBe(403);
    expect((await selective.get(select('metadata.namespace=\\,metadata.name=one'))).status).toBe(403);
    expect((await selective.post(select('metadata.name=one'), configMap('one'))).status).toBe(403);
  });

  it('treats subresources as resources of their own', async () => {
    const { group } = server();
    const scaler = await account('scaler', [{ apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['get'] }]);
    await eventually(async () => {
      expect((await scaler.get(group('apps/v1', 'deployments', 'none', 'scale'))).status).toBe(404);
    });
    const answer = await scaler.get(group('apps/v1', 'deployments', 'none', 'status'));
    expect(answer.body.message).toContain('cannot get resource "deployments/status" in API group "apps"');
  });

  it('does not let anyone hand out what they do not have', async () => {
    const { group, namespace } = server();
    const granter = await account('granter', [
      {
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['roles', 'rolebindings'],
        verbs: ['get', 'list', 'create', 'update'],
      },
    ]);
    const role = (rules: object[]): Any => ({ apiVersion: rbac, kind: 'Role', metadata: { name: 'granted' }, rules });
    await eventually(() => granter.must('GET', group(rbac, 'roles')));
    const answer = await granter.post(
      group(rbac, 'roles'),
      role([{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]),
    );
    expect(answer.body).toMatchObject({ code: 403, reason: 'Forbidden' });
    expect(answer.body.message).toContain(`user "system:serviceaccount:${namespace}:granter"`);
    expect(answer.body.message).toContain('is attempting to grant RBAC permissions not currently held');
    const binding = await granter.post(group(rbac, 'rolebindings'), {
      apiVersion: rbac,
      kind: 'RoleBinding',
      metadata: { name: 'granted' },
      subjects: [{ kind: 'ServiceAccount', name: 'granter', namespace }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    });
    expect(binding.status).toBe(403);
  });

  it('refuses a change of roleRef', async () => {
    const { api, group } = server();
    await account('referrer', [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]);
    const answer = await api.merge(group(rbac, 'rolebindings', 'referrer'), { roleRef: { name: 'other' } });
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain(
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"other"}: field is immutable',
    );
  });
});

describe('who am I, may I', () => {
  const review = (resource: object): Any => ({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: resource },
  });

  it('answers SelfSubjectAccessReview', async () => {
    const { namespace } = server();
    const asker = await account('asker', [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }]);
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    await eventually(async () => {
      const yes = await asker.must('POST', path, review({ namespace, verb: 'list', resource: 'pods' }));
      expect(yes.status.allowed).toBe(true);
      expect(yes.status.reason).toContain('RBAC: allowed by RoleBinding "asker/');
    });
    const no = await asker.must('POST', path, review({ namespace, verb: 'delete', resource: 'pods' }));
    expect(no.status.allowed).toBe(false);
  });

  it('answers SubjectAccessReview for others', async () => {
    const { api, namespace } = server();
    const answer = await api.must('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: {
        user: 'jane',
        groups: ['system:masters'],
        resourceAttributes: { namespace, verb: 'delete', resource: 'pods' },
      },
    });
    expect(answer.status.allowed).toBe(true);
  });

  it('answers TokenReview', async () => {
    const { api, namespace } = server();
    await account('reviewed', []);
    const path = '/apis/authentication.k8s.io/v1/tokenreviews';
    const of = (token: string): Any => ({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token },
    });
    const good = await api.must('POST', path, of(await tokenOf('reviewed')));
    expect(good.status).toMatchObject({
      authenticated: true,
      user: {
        username: `system:serviceaccount:${namespace}:reviewed`,
        groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
      },
    });
    const bad = await api.must('POST', path, of('made-up'));
    expect(bad.status.authenticated).toBeFalsy();
    expect(bad.status.error).toBeDefined();
  });

  it('answers SelfSubjectReview', async () => {
    const { namespace } = server();
    const me = await account('me', []);
    const answer = await me.must('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
    });
    expect(answer.status.userInfo.username).toBe(`system:serviceaccount:${namespace}:me`);
  });

  it('does not let a token outlive its account', async () => {
    const { api, core } = server();
    const shortLived = await account('short-lived', []);
    expect((await shortLived.get(core('configmaps'))).status).toBe(403);
    await api.must('DELETE', core('serviceaccounts', 'short-lived'));
    await eventually(async () => {
      expect((await shortLived.get(core('configmaps'))).body).toMatchObject({
        code: 401,
        reason: 'Unauthorized',
        message: 'Unauthorized',
      });
    });
  });

  it('refuses a token it did not make', async () => {
    const { core, as } = server();
    expect((await as('made-up').get(core('pods'))).body).toMatchObject({ code: 401, reason: 'Unauthorized' });
  });

  it('lets anyone authenticated discover', async () => {
    const discoverer = await account('discoverer', []);
    expect((await discoverer.get('/apis')).status).toBe(200);
    expect((await discoverer.get('/version')).status).toBe(200);
    expect((await discoverer.get('/metrics')).body).toMatchObject({ code: 403, reason: 'Forbidden' });
  });
});
