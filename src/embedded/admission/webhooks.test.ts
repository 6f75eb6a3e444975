import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../clock/random.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import type { AnyObject } from '../../kube/object.ts';
import { TestCluster } from '../auth/test-cluster.ts';
import type { Attempt } from '../gate.ts';
import type { ServedResource } from '../resource.ts';
import { StatusError } from '../status-error.ts';
import type { WebhookPost } from './call-webhook.ts';
import type { Webhook } from './webhook.ts';
import { mutateByWebhooks, validateByWebhooks, type WebhookOptions } from './webhooks.ts';

const resource = (fields: Partial<ServedResource> = {}): ServedResource =>
  ({
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    plural: 'configmaps',
    namespaced: true,
    ...fields,
  }) as ServedResource;

const map = (data: object = { a: 'b' }, labels: Record<string, string> = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'm', namespace: 'shop', labels },
  data,
});

const attempt = (fields: Partial<Attempt> = {}): Attempt => ({
  operation: 'CREATE',
  resource: resource(),
  namespace: 'shop',
  name: 'm',
  user: { name: 'ann', groups: ['system:authenticated'] },
  dryRun: false,
  object: map(),
  oldObject: undefined,
  options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', metadata: {} },
  ...fields,
});

const all = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
const hook = (name: string, fields: Partial<Webhook> = {}): Webhook => ({
  name,
  clientConfig: { url: `https://hooks.example.com/${name}` },
  rules: all,
  failurePolicy: 'Fail',
  sideEffects: 'None',
  timeoutSeconds: 5,
  admissionReviewVersions: ['v1'],
  ...fields,
});

interface Review {
  readonly request: Record<string, never> & { readonly uid: string; readonly object: AnyObject };
}
type Answer = (review: Review, post: WebhookPost) => unknown;

const encode = (patch: unknown): string => Buffer.from(JSON.stringify(patch)).toString('base64');
const annotate =
  (key: string): Answer =>
  ({ request }) => ({
    allowed: true,
    patchType: 'JSONPatch',
    patch: encode([
      { op: 'add', path: '/metadata/annotations', value: { ...request.object.metadata.annotations, [key]: 'yes' } },
    ]),
  });

function setUp(hooks: readonly Webhook[], answers: Record<string, Answer> = {}, more: Partial<WebhookOptions> = {}) {
  const asked: { name: string; review: Review; post: WebhookPost }[] = [];
  const clock = new VirtualClock();
  const configuration = (kind: string, name: string, webhooks: readonly Webhook[]): AnyObject => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name },
    webhooks,
  });
  const cluster = new TestCluster(
    configuration('ValidatingWebhookConfiguration', 'all', hooks),
    configuration('MutatingWebhookConfiguration', 'all', hooks),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'red' } } },
  );
  const options: WebhookOptions = {
    cluster,
    clock,
    random: seededRandom(1),
    resolveService: async () => undefined,
    async post(post) {
      const name = new URL(post.url).pathname.slice(1);
      const review: Review = JSON.parse(post.body);
      asked.push({ name, review, post });
      const answer = (answers[name] ?? (() => ({ allowed: true })))(review, post);
      if (answer instanceof Error) throw answer;
      if (answer instanceof Promise) return answer;
      if (typeof answer === 'string') return { status: 200, body: answer };
      const response = { uid: review.request.uid, ...(answer as object) };
      const whole = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response };
      return { status: 200, body: JSON.stringify(whole) };
    },
    ...more,
  };
  const refusal = async (by: 'mutating' | 'validating', tried = attempt()) => {
    const run = by === 'mutating' ? mutateByWebhooks(options, tried) : validateByWebhooks(options, tried);
    const error = await run.then(
      () => undefined,
      (caught) => caught,
    );
    if (error === undefined) return undefined;
    expect(error).toBeInstanceOf(StatusError);
    return (error as StatusError).status;
  };
  return { options, asked, refusal, clock, cluster, names: () => asked.map((each) => each.name) };
}

describe('the question', () => {
  it('is the AdmissionReview that the real server sends', async () => {
    const { options, asked } = setUp([hook('a')]);
    const before = map({ a: 'old' });
    await validateByWebhooks(options, attempt({ operation: 'UPDATE', oldObject: before, dryRun: true }));
    expect(asked[0]?.post.url).toBe('https://hooks.example.com/a?timeout=5s');
    expect(asked[0]?.review).toEqual({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      request: {
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        kind: { group: '', version: 'v1', kind: 'ConfigMap' },
        resource: { group: '', version: 'v1', resource: 'configmaps' },
        requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
        requestResource: { group: '', version: 'v1', resource: 'configmaps' },
        name: 'm',
        namespace: 'shop',
        operation: 'UPDATE',
        userInfo: { username: 'ann', groups: ['system:authenticated'] },
        object: map(),
        oldObject: before,
        dryRun: true,
        options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', metadata: {} },
      },
    });
  });

  it('names a subresource and the kind that is sent to it', async () => {
    const { options, asked } = setUp([hook('a')]);
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'm' } };
    const deployments = resource({ group: 'apps', kind: 'Deployment', plural: 'deployments' });
    await validateByWebhooks(options, attempt({ resource: deployments, subresource: 'scale', object: scale }));
    expect(asked[0]?.review.request).toMatchObject({
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      resource: { group: 'apps', version: 'v1', resource: 'deployments' },
      subResource: 'scale',
      requestSubResource: 'scale',
    });
  });

  it('goes to a Service with the authority that the webhook names', async () => {
    const service = { namespace: 'ops', name: 'guard', path: '/check', port: 8443 };
    const caBundle = Buffer.from('PEM').toString('base64');
    const clientConfig = { service, caBundle };
    const target = { host: '10.0.0.7', port: 9443 };
    const { options, asked } = setUp([hook('x', { clientConfig })], {}, { resolveService: async () => target });
    await validateByWebhooks(options, attempt());
    expect(asked[0]?.post).toMatchObject({ url: 'https://guard.ops.svc:8443/check?timeout=5s', target, ca: 'PEM' });
  });
});

describe('who is asked', () => {
  const rule = (fields: object) => [{ ...all[0], ...fields }];
  const pods = resource({ kind: 'Pod', plural: 'pods' });
  const nodes = resource({ kind: 'Node', plural: 'nodes', namespaced: false });

  it.each<[string, Partial<Webhook>, Partial<Attempt>, boolean]>([
    ['all resources', { rules: rule({ resources: ['*'] }) }, {}, true],
    ['all resources, a subresource', { rules: rule({ resources: ['*'] }) }, { subresource: 'status' }, false],
    ['everything, a subresource', { rules: rule({ resources: ['*/*'] }) }, { subresource: 'status' }, true],
    ['a resource', { rules: rule({ resources: ['pods'] }) }, { resource: pods }, true],
    ['another resource', { rules: rule({ resources: ['pods'] }) }, {}, false],
    ['its subresources', { rules: rule({ resources: ['pods/*'] }) }, { resource: pods, subresource: 'log' }, true],
    ['one subresource of all', { rules: rule({ resources: ['*/scale'] }) }, { subresource: 'scale' }, true],
    ['another operation', { rules: rule({ operations: ['DELETE'] }) }, {}, false],
    ['another group', { rules: rule({ apiGroups: ['apps'] }) }, {}, false],
    ['another version', { rules: rule({ apiVersions: ['v2'] }) }, {}, false],
    ['namespaced objects', { rules: rule({ scope: 'Namespaced' }) }, {}, true],
    ['cluster objects', { rules: rule({ scope: 'Cluster' }) }, {}, false],
    ['cluster objects, a node', { rules: rule({ scope: 'Cluster' }) }, { resource: nodes }, true],
    ['the namespace’s labels', { namespaceSelector: { matchLabels: { team: 'red' } } }, {}, true],
    ['other namespaces’ labels', { namespaceSelector: { matchLabels: { team: 'blue' } } }, {}, false],
    ['the object’s labels', { objectSelector: { matchLabels: { a: 'b' } } }, { object: map({}, { a: 'b' }) }, true],
    ['labels it has not', { objectSelector: { matchLabels: { a: 'b' } } }, {}, false],
    ['labels it had', { objectSelector: { matchLabels: { a: 'b' } } }, { oldObject: map({}, { a: 'b' }) }, true],
    ['a condition that holds', { matchConditions: [{ name: 'c', expression: 'object.data.a == "b"' }] }, {}, true],
    ['one that does not', { matchConditions: [{ name: 'c', expression: 'request.name == "x"' }] }, {}, false],
    ['users', { matchConditions: [{ name: 'c', expression: 'request.userInfo.username == "ann"' }] }, {}, true],
  ])('%s', async (_, fields, tried, expected) => {
    const { options, asked } = setUp([hook('a', fields)]);
    await validateByWebhooks(options, attempt(tried));
    expect(asked.length > 0).toBe(expected);
  });

  it('is nobody about webhook configurations themselves', async () => {
    const { options, asked } = setUp([hook('a')]);
    const group = 'admissionregistration.k8s.io';
    await validateByWebhooks(
      options,
      attempt({ resource: resource({ group, plural: 'validatingwebhookconfigurations' }) }),
    );
    expect(asked).toEqual([]);
  });

  it('is a webhook for another version of a custom resource, in that version', async () => {
    const v1 = resource({ group: 'example.com', kind: 'Gizmo', plural: 'gizmos', custom: true });
    const v2 = { ...v1, version: 'v2' };
    const object = { ...map(), apiVersion: 'example.com/v1', kind: 'Gizmo' };
    const rules = rule({ apiVersions: ['v2'] });
    const { options, asked } = setUp(
      [hook('a', { rules }), hook('b', { rules, matchPolicy: 'Exact' })],
      { a: annotate('x') },
      {
        versions: () => [v1, v2],
      },
    );
    const { object: mutated } = await mutateByWebhooks(options, attempt({ resource: v1, object }));
    expect(asked.map((each) => each.name)).toEqual(['a']);
    expect(asked[0]?.review.request).toMatchObject({
      kind: { version: 'v2' },
      resource: { version: 'v2' },
      requestKind: { version: 'v1' },
      object: { apiVersion: 'example.com/v2' },
    });
    expect(mutated).toMatchObject({ apiVersion: 'example.com/v1', metadata: { annotations: { x: 'yes' } } });
  });
});

describe('a refusal', () => {
  const deny = (status?: object): Record<string, Answer> => ({
    a: () => ({ allowed: false, ...(status && { status }) }),
  });

  it.each<[object | undefined, object]>([
    [undefined, { code: 400, message: 'admission webhook "a" denied the request without explanation' }],
    [{ message: 'no way' }, { code: 400, message: 'admission webhook "a" denied the request: no way' }],
    [
      { reason: 'TooSmall' },
      { code: 400, reason: 'TooSmall', message: 'admission webhook "a" denied the request: TooSmall' },
    ],
    [
      { code: 422, reason: 'Invalid', message: 'wrong field', details: { causes: [{ field: 'x' }] } },
      {
        code: 422,
        reason: 'Invalid',
        message: 'admission webhook "a" denied the request: wrong field',
        details: { causes: [{ field: 'x' }] },
      },
    ],
  ])('with status %j', async (status, expected) => {
    for (const by of ['mutating', 'validating'] as const) {
      const { refusal } = setUp([hook('a')], deny(status));
      expect(await refusal(by)).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        ...expected,
      });
    }
  });

  it('is told of the first webhook in order, not of the fastest', async () => {
    const { refusal } = setUp([hook('a'), hook('b')], {
      a: () => new Promise((_, reject) => setImmediate(() => reject(new Error('late')))),
      b: () => ({ allowed: false }),
    });
    expect((await refusal('validating'))?.message).toContain('failed calling webhook "a"');
  });
});

describe('a failure', () => {
  const answerless: readonly [string, Answer, string][] = [
    [
      'no connection',
      () => new Error('dial tcp 127.0.0.1:1: connect: connection refused'),
      'failed to call webhook: Post "https://hooks.example.com/a?timeout=5s": dial tcp 127.0.0.1:1: connect: connection refused',
    ],
    ['garbage', () => 'not json', "failed to call webhook: couldn't get version/kind; json parse error"],
    ['null', () => 'null', "failed to call webhook: couldn't get version/kind; json parse error"],
    ['an empty object', () => '{}', 'received invalid webhook response: webhook response was absent'],
    ['a foreign uid', () => ({ uid: 'x', allowed: true }), 'received invalid webhook response: expected response.uid='],
    [
      'an HTTP error',
      () => Promise.resolve({ status: 500, body: 'boom' }),
      'failed to call webhook: an error on the server ("boom") has prevented the request from succeeding',
    ],
    [
      'an HTTP refusal',
      () => Promise.resolve({ status: 400, body: '' }),
      'failed to call webhook: the server rejected our request for an unknown reason',
    ],
  ];

  it.each(answerless)('by %s is told in the real server’s words', async (_, answer, words) => {
    const { refusal } = setUp([hook('a')], { a: answer });
    const status = await refusal('validating');
    expect(status).toMatchObject({ code: 500, reason: 'InternalError' });
    expect(status?.message).toContain(`Internal error occurred: failed calling webhook "a": ${words}`);
    expect(`Internal error occurred: ${status?.details?.causes?.[0]?.message}`).toBe(status?.message);
  });

  it.each(answerless)('by %s is passed over when the webhook says so', async (_, answer) => {
    const { options } = setUp([hook('a', { failurePolicy: 'Ignore' }), hook('b')], {
      a: answer,
      b: () => ({ allowed: true, warnings: ['careful'] }),
    });
    expect(await validateByWebhooks(options, attempt())).toEqual(['careful']);
  });

  it('is a webhook that does not answer in time', async () => {
    const { refusal, clock, asked } = setUp([hook('a')], { a: () => new Promise(() => {}) });
    const refused = refusal('mutating');
    await clock.advance(4999);
    expect(asked[0]?.post.signal.aborted).toBe(false);
    await clock.advance(1);
    expect((await refused)?.message).toContain(
      'Post "https://hooks.example.com/a?timeout=5s": context deadline exceeded',
    );
    expect(asked[0]?.post.signal.aborted).toBe(true);
  });

  it('is a Service that is not there, and a condition that cannot be evaluated', async () => {
    const gone = setUp([hook('a', { clientConfig: { service: { namespace: 'shop', name: 'nosuch', path: '/p' } } })]);
    expect((await gone.refusal('validating'))?.message).toContain(
      'Post "https://nosuch.shop.svc:443/p?timeout=5s": service "nosuch" not found',
    );
    const matchConditions = [{ name: 'c', expression: 'object.data.nope == "x"' }];
    const odd = setUp([hook('a', { matchConditions })]);
    expect(await odd.refusal('validating')).toMatchObject({
      code: 403,
      message: `configmaps "m" is forbidden: expression 'object.data.nope == "x"' resulted in error: no such key: nope`,
    });
    const ignored = setUp([hook('a', { matchConditions, failurePolicy: 'Ignore' })]);
    expect(await ignored.refusal('validating')).toBeUndefined();
    expect(ignored.asked).toEqual([]);
  });

  it('is a dry run that would have side effects', async () => {
    const { refusal, asked } = setUp([hook('a', { sideEffects: 'Some' })]);
    expect(await refusal('validating', attempt({ dryRun: true }))).toMatchObject({
      code: 400,
      message: 'admission webhook "a" does not support dry run',
    });
    expect(asked).toEqual([]);
  });
});

describe('mutation', () => {
  it('hands each webhook what the one before it left', async () => {
    const { options, asked } = setUp([hook('a'), hook('b')], { a: annotate('a'), b: annotate('b') });
    const { object, warnings } = await mutateByWebhooks(options, attempt());
    expect(asked[1]?.review.request.object.metadata.annotations).toEqual({ a: 'yes' });
    expect(object?.metadata.annotations).toEqual({ a: 'yes', b: 'yes' });
    expect(warnings).toEqual([]);
  });

  it('returns the very object when nobody changed it', async () => {
    const { options } = setUp([hook('a')]);
    const tried = attempt();
    expect((await mutateByWebhooks(options, tried)).object).toBe(tried.object);
  });

  it('asks again, once, whoever wants to see later changes', async () => {
    const again = { reinvocationPolicy: 'IfNeeded' } as const;
    const changed = setUp([hook('a', again), hook('b'), hook('c', again)], { b: annotate('b') });
    await mutateByWebhooks(changed.options, attempt());
    expect(changed.names()).toEqual(['a', 'b', 'c', 'a']);
    const unchanged = setUp([hook('a', again), hook('b')]);
    await mutateByWebhooks(unchanged.options, attempt());
    expect(unchanged.names()).toEqual(['a', 'b']);
  });

  it.each<[string, object, string]>([
    [
      'a patch that does not apply',
      { patchType: 'JSONPatch', patch: encode([{ op: 'remove', path: '/nope/x' }]) },
      'remove operation does not apply: doc is missing path: "/nope/x": missing value',
    ],
    [
      'a patch that is none',
      { patchType: 'JSONPatch', patch: Buffer.from('{').toString('base64') },
      'failed calling webhook "a": received undecodable patch in webhook response',
    ],
    [
      'a patch without a type',
      { patch: encode([]) },
      'failed calling webhook "a": received invalid webhook response: webhook returned response.patch but not response.patchType',
    ],
  ])('refuses %s', async (_, response, words) => {
    const { refusal } = setUp([hook('a')], { a: () => ({ allowed: true, ...response }) });
    expect(await refusal('mutating')).toMatchObject({ code: 500, message: `Internal error occurred: ${words}` });
  });

  it('is not for those who only validate', async () => {
    const { refusal } = setUp([hook('a')], { a: annotate('a') });
    expect((await refusal('validating'))?.message).toContain('validating webhook may not return response.patch');
  });
});
