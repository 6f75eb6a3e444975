import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../clock/random.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import type { AnyObject } from '../../kube/object.ts';
import { StatusError } from '../status-error.ts';
import { Gatekeeper, parseTokenFile } from './authenticator.ts';
import { Rbac } from './rbac.ts';
import { reviews } from './reviews.ts';
import { TestCluster } from './test-cluster.ts';
import { TokenCheck } from './token-check.ts';
import { issuer, TokenIssuer } from './token-issuer.ts';
import { tokenRequest } from './token-request.ts';

const object = (kind: string, name: string, uid: string, more: object = {}): AnyObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'shop', uid },
  ...more,
});
const account = object('ServiceAccount', 'robot', 'uid-1');
const pod = object('Pod', 'web', 'pod-1', { spec: { serviceAccountName: 'robot' } });

function setUp() {
  const clock = new VirtualClock();
  const cluster = new TestCluster(account, pod);
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const tokens = new TokenIssuer({ key, clock, random: seededRandom(1) });
  const accounts = new TokenCheck({ issuer: tokens, cluster, clock });
  const gatekeeper = new Gatekeeper({
    accounts,
    tokens: [{ token: 's3cret', user: { name: 'ann', groups: ['ops'] } }],
  });
  const bearer = (token: string) => gatekeeper.authenticate({ authorization: `Bearer ${token}` });
  const issue = (seconds = 3600, audiences = [issuer]) =>
    tokens.issue({ namespace: 'shop', name: 'robot', uid: 'uid-1' }, audiences, seconds).token;
  return {
    clock,
    cluster,
    tokens,
    gatekeeper,
    bearer,
    issue,
    requests: tokenRequest({ issuer: tokens, cluster, clock }),
  };
}

const draft = (kind: string, spec: object) => ({ apiVersion: 'x/v1', kind, metadata: {}, spec });

describe('Gatekeeper', () => {
  it('knows certificates, static tokens and strangers', async () => {
    const { gatekeeper, bearer } = setUp();
    const certificate = { commonName: 'root', organizations: ['system:masters'] };
    expect(await gatekeeper.authenticate({ certificate })).toEqual({
      name: 'root',
      groups: ['system:masters', 'system:authenticated'],
    });
    expect(await bearer('s3cret')).toEqual({ name: 'ann', groups: ['ops', 'system:authenticated'] });
    expect(await gatekeeper.authenticate({})).toEqual({ name: 'system:anonymous', groups: ['system:unauthenticated'] });
    expect(await gatekeeper.authenticate({ authorization: 'Basic YTpi' })).toMatchObject({ name: 'system:anonymous' });
  });

  it('turns away wrong tokens', async () => {
    const { bearer, issue } = setUp();
    const foreign = setUp().issue();
    for (const wrong of ['nope', 'a.b.c', '..', foreign, `${issue().slice(0, -2)}xx`, 'é.é.é']) {
      expect(await bearer(wrong), wrong).toBeUndefined();
    }
  });

  it('does not let a token choose its algorithm', async () => {
    const { bearer, issue } = setUp();
    const [, payload] = issue().split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expect(await bearer(`${none}.${payload}.`)).toBeUndefined();
    expect(await bearer(`${none}.${payload}.AA`)).toBeUndefined();
  });

  it('knows a ServiceAccount by its token', async () => {
    const { bearer, issue } = setUp();
    expect(await bearer(issue())).toMatchObject({
      name: 'system:serviceaccount:shop:robot',
      uid: 'uid-1',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=/)] },
    });
  });

  it('ends a token with its time, its account and what it is bound to', async () => {
    const { clock, cluster, tokens, bearer, issue } = setUp();
    const short = issue(600);
    const bound = tokens.issue({ namespace: 'shop', name: 'robot', uid: 'uid-1' }, [issuer], 86400, {
      kind: 'Pod',
      name: 'web',
      uid: 'pod-1',
    }).token;
    expect(await bearer(short)).toBeDefined();
    await clock.advance(600_000);
    expect(await bearer(short)).toBeUndefined();

    expect(await bearer(bound)).toMatchObject({ extra: { 'authentication.kubernetes.io/pod-name': ['web'] } });
    cluster.put({ ...pod, metadata: { ...pod.metadata, uid: 'pod-2' } });
    expect(await bearer(bound)).toBeUndefined();

    const long = issue(86400);
    cluster.remove(account);
    expect(await bearer(long)).toBeUndefined();
    cluster.put({ ...account, metadata: { ...account.metadata, uid: 'uid-2' } });
    expect(await bearer(long)).toBeUndefined();
  });

  it('refuses tokens that are meant for others', async () => {
    const { gatekeeper, bearer, issue } = setUp();
    const other = issue(3600, ['vault']);
    expect(await bearer(other)).toBeUndefined();
    expect(gatekeeper.review(other, ['vault', 'x'])).toMatchObject({ audiences: ['vault'] });
    expect(gatekeeper.review(issue(), ['vault'])).toEqual({
      error: `[invalid bearer token, token audiences ["${issuer}"] is invalid for the target audiences ["vault"]]`,
    });
  });

  it('keeps a Secret’s token as long as the Secret holds it', async () => {
    const { cluster, tokens, bearer } = setUp();
    const token = tokens.issueForSecret({ namespace: 'shop', name: 'robot', uid: 'uid-1' }, 'robot-token');
    expect(await bearer(token)).toBeUndefined();
    const data = { token: Buffer.from(token).toString('base64') };
    cluster.put(object('Secret', 'robot-token', 's', { data }));
    expect(await bearer(token)).toMatchObject({ name: 'system:serviceaccount:shop:robot' });
    cluster.put(object('Secret', 'robot-token', 's', { data: {} }));
    expect(await bearer(token)).toBeUndefined();
  });
});

describe('parseTokenFile', () => {
  it('reads tokens with users, uids and groups', () => {
    expect(parseTokenFile('abc,ann,7,"ops,dev"\n\n# nobody\nxyz,bob\n')).toEqual([
      { token: 'abc', user: { name: 'ann', uid: '7', groups: ['ops', 'dev'] } },
      { token: 'xyz', user: { name: 'bob', groups: [] } },
    ]);
  });

  it('names the line that is wrong', () => {
    expect(() => parseTokenFile('abc,ann\nonly-a-token')).toThrow('line 2');
  });
});

describe('tokenRequest', () => {
  const call = { namespace: 'shop', name: 'robot' };
  const refusal = async (requests: ReturnType<typeof tokenRequest>, spec: object, name = 'robot') => {
    const error = await requests.create({ ...call, name }, draft('TokenRequest', spec)).catch((caught) => caught);
    expect(error).toBeInstanceOf(StatusError);
    return (error as StatusError).status;
  };

  it('gives a token that the gatekeeper knows', async () => {
    const { requests, bearer, clock } = setUp();
    const answer = await requests.create(
      call,
      draft('TokenRequest', { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'web' } }),
    );
    expect(answer).toMatchObject({
      kind: 'TokenRequest',
      metadata: { name: 'robot', namespace: 'shop', uid: 'uid-1' },
      spec: { audiences: [issuer], expirationSeconds: 3600 },
      status: { expirationTimestamp: new Date(clock.now() + 3600_000).toISOString().replace('.000', '') },
    });
    expect(await bearer((answer.status as { token: string }).token)).toMatchObject({ uid: 'uid-1' });
  });

  it('refuses as the real server does', async () => {
    const { requests } = setUp();
    expect(await refusal(requests, { expirationSeconds: 10 })).toMatchObject({
      code: 422,
      message:
        'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 10: may not specify a duration less than 10 minutes',
    });
    expect((await refusal(requests, { expirationSeconds: 1e10 })).message).toContain('larger than 2^32 seconds');
    expect(await refusal(requests, {}, 'nobody')).toMatchObject({ message: 'serviceaccounts "nobody" not found' });
    const bound = (reference: object) => refusal(requests, { boundObjectRef: { apiVersion: 'v1', ...reference } });
    expect((await bound({ kind: 'Pod', name: 'nope' })).message).toBe('pods "nope" not found');
    expect((await bound({ kind: 'ConfigMap', name: 'x' })).message).toBe(
      'cannot bind token to object of type /v1, Kind=ConfigMap',
    );
    expect(await bound({ kind: 'Pod', name: 'web', uid: 'x' })).toMatchObject({
      code: 409,
      message:
        'Operation cannot be fulfilled on Pod "web": the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated',
    });
  });
});

describe('reviews', () => {
  const ask = async (plural: string, spec: object, call: object = {}) => {
    const { cluster, gatekeeper, clock, issue } = setUp();
    cluster.put({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'view' },
      rules: [
        { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
        { nonResourceURLs: ['/metrics'], verbs: ['get'] },
      ],
    });
    cluster.put({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'rb', namespace: 'shop' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'User', name: 'ann' }],
    });
    const rbac = new Rbac(cluster);
    const all = reviews({ gatekeeper, authorizer: rbac, rbac, clock });
    const filled = JSON.parse(JSON.stringify(spec).replace('TOKEN', issue()));
    const asked = { user: { name: 'ann', groups: ['system:authenticated'] }, namespace: '', ...call };
    return all[plural]?.create(asked, draft('Review', filled)).catch((error: StatusError) => error.status);
  };
  const getPods = { verb: 'get', resource: 'pods', namespace: 'shop' };
  const reason = 'RBAC: allowed by RoleBinding "rb/shop" of ClusterRole "view" to User "ann"';

  it('tell whom a token stands for', async () => {
    expect(await ask('tokenreviews', { token: 'TOKEN' })).toMatchObject({
      status: { authenticated: true, user: { username: 'system:serviceaccount:shop:robot' }, audiences: [issuer] },
    });
    expect(await ask('tokenreviews', { token: 'abc' })).toMatchObject({
      status: { user: {}, error: 'invalid bearer token' },
    });
    expect(await ask('tokenreviews', {})).toMatchObject({
      code: 400,
      message: 'token is required for TokenReview in authentication',
    });
  });

  it('tell who asks', async () => {
    expect(await ask('selfsubjectreviews', {})).toMatchObject({
      status: { userInfo: { username: 'ann', groups: ['system:authenticated'] } },
    });
  });

  it('tell whether someone may', async () => {
    const status = { allowed: true, reason };
    expect(await ask('selfsubjectaccessreviews', { resourceAttributes: getPods })).toMatchObject({ status });
    expect(await ask('subjectaccessreviews', { user: 'ann', resourceAttributes: getPods })).toMatchObject({ status });
    expect(await ask('subjectaccessreviews', { user: 'bob', resourceAttributes: getPods })).toMatchObject({
      status: { allowed: false },
    });
    expect(
      await ask('localsubjectaccessreviews', { user: 'ann', resourceAttributes: getPods }, { namespace: 'shop' }),
    ).toMatchObject({ metadata: { namespace: 'shop' }, status });
  });

  it('refuse questions that make no sense', async () => {
    expect(await ask('subjectaccessreviews', {})).toMatchObject({
      code: 422,
      details: {
        causes: [
          {
            field: 'spec',
            message:
              'Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
          },
          { field: 'spec.user', message: 'Invalid value: "": at least one of user or group must be specified' },
        ],
      },
    });
    expect(
      await ask('localsubjectaccessreviews', { user: 'ann', resourceAttributes: getPods }, { namespace: 'bank' }),
    ).toMatchObject({ code: 422, message: expect.stringContaining('must match metadata.namespace') });
  });

  it('list what someone may do in a namespace', async () => {
    expect(await ask('selfsubjectrulesreviews', { namespace: 'shop' })).toMatchObject({
      status: {
        resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }],
        incomplete: false,
      },
    });
    expect(await ask('selfsubjectrulesreviews', {})).toMatchObject({ message: 'no namespace on request' });
  });
});
