import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silent } from '../../src/control/log.ts';
import { type AdmissionServer, serveAdmission } from '../../src/control/webhooks/admission.ts';
import { selfSigned } from '../certificate.ts';
import { type Any, eventually } from './api.ts';
import { configMap } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();
const configurations = '/apis/admissionregistration.k8s.io/v1';
let hooks: AdmissionServer;
let certificate: { readonly cert: string; readonly key: string };
const asked: Any[] = [];
const made: string[] = [];

beforeAll(async () => {
  certificate = await selfSigned();
  hooks = await serveAdmission({
    port: 0,
    host: '127.0.0.1',
    certificate,
    log: silent,
    hooks: {
      '/mark': {
        mutate: (request) => ({
          allowed: true,
          object: { ...request.object, data: { ...(request.object as Any).data, marked: 'yes' } },
          warnings: ['marked it'],
        }),
      },
      '/refuse': {
        validate(request) {
          asked.push(request);
          const object: Any = request.object ?? request.oldObject;
          return object.data?.bad
            ? { allowed: false, message: `data.bad must not be "${object.data.bad}"` }
            : { allowed: true };
        },
      },
      '/break': {
        validate() {
          throw new Error('broken on purpose');
        },
      },
    },
  });
});

afterAll(async () => {
  for (const path of made) await server().api.delete(path);
  await hooks.close();
});

/** Registers a webhook for config maps with label `hook=NAME` in this namespace, and waits until it is asked. */
async function register(type: 'Validating' | 'Mutating', name: string, path: string, more: object = {}): Promise<void> {
  const { api, namespace, core } = server();
  const resource = `${type.toLowerCase()}webhookconfigurations`;
  const full = `${name}.${namespace}.conformance.invalid`;
  await api.must('POST', `${configurations}/${resource}`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${type}WebhookConfiguration`,
    metadata: { name: full },
    webhooks: [
      {
        name: full,
        clientConfig: {
          url: `https://127.0.0.1:${hooks.port}${path}`,
          caBundle: Buffer.from(certificate.cert).toString('base64'),
        },
        rules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE', 'UPDATE', 'DELETE'],
            resources: ['configmaps'],
          },
        ],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        objectSelector: { matchLabels: { hook: name } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 5,
        ...more,
      },
    ],
  });
  made.push(`${configurations}/${resource}/${full}`);
  await eventually(async () => {
    const probe = await api.post(`${core('configmaps')}?dryRun=All`, hooked('probe', name, { bad: 'probe' }));
    if (type === 'Mutating') expect(probe.body.data.marked).toBe('yes');
    else expect(probe.status).toBeGreaterThanOrEqual(400);
  });
  asked.length = 0;
}

const hooked = (name: string, hook: string, data: Record<string, string> = {}): Any =>
  configMap(name, data, { labels: { hook } });

describe('a mutating webhook', () => {
  it('changes the object and may warn', async () => {
    const { api, core } = server();
    await register('Mutating', 'mark', '/mark');
    const answer = await api.post(core('configmaps'), hooked('changed', 'mark', { a: '1' }));
    expect(answer.body.data).toEqual({ a: '1', marked: 'yes' });
    expect(answer.headers.warning).toBe('299 - "marked it"');
  });

  it('sees only what its selectors and rules match', async () => {
    const { api, core } = server();
    expect((await api.must('POST', core('configmaps'), hooked('unmatched', 'other', { a: '1' }))).data).toEqual({
      a: '1',
    });
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'unmatched', labels: { hook: 'mark' } } };
    expect((await api.must('POST', core('secrets'), secret)).data).toBeUndefined();
  });
});

describe('a validating webhook', () => {
  it('refuses in its own words', async () => {
    const { api, core, namespace } = server();
    await register('Validating', 'refuse', '/refuse');
    const answer = await api.post(core('configmaps'), hooked('refused', 'refuse', { bad: 'x' }));
    expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure', code: 403 });
    expect(answer.body.message).toBe(
      `admission webhook "refuse.${namespace}.conformance.invalid" denied the request: data.bad must not be "x"`,
    );
    expect((await api.get(core('configmaps', 'refused'))).status).toBe(404);
  });

  it('is told what, who, and what it was before', async () => {
    const { api, core, namespace } = server();
    await api.must('POST', core('configmaps'), hooked('told', 'refuse', { a: '1' }));
    expect(asked.at(-1)).toMatchObject({
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      name: 'told',
      namespace,
      operation: 'CREATE',
      dryRun: false,
      object: { kind: 'ConfigMap', apiVersion: 'v1', data: { a: '1' } },
    });
    expect(asked.at(-1).user).toMatch(/./);
    await api.merge(core('configmaps', 'told'), { data: { a: '2' } });
    expect(asked.at(-1)).toMatchObject({
      operation: 'UPDATE',
      object: { data: { a: '2' } },
      oldObject: { data: { a: '1' } },
    });
    await api.must('DELETE', core('configmaps', 'told'));
    expect(asked.at(-1)).toMatchObject({ operation: 'DELETE', oldObject: { data: { a: '2' } } });
  });

  it('refuses updates and leaves the object alone', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), hooked('spoiled', 'refuse', { a: '1' }));
    expect((await api.merge(core('configmaps', 'spoiled'), { data: { bad: 'y' } })).status).toBe(403);
    expect((await api.get(core('configmaps', 'spoiled'))).body.data).toEqual({ a: '1' });
  });

  it('is asked on a dry run too', async () => {
    const { api, core } = server();
    const answer = await api.post(`${core('configmaps')}?dryRun=All`, hooked('dry', 'refuse', { bad: 'x' }));
    expect(answer.status).toBe(403);
    expect(asked.at(-1).dryRun).toBe(true);
  });
});

describe('a webhook that fails', () => {
  it('blocks with failurePolicy Fail', async () => {
    const { api, core, namespace } = server();
    await register('Validating', 'broken', '/break');
    const answer = await api.post(core('configmaps'), hooked('blocked', 'broken'));
    expect(answer.body).toMatchObject({ code: 500, reason: 'InternalError' });
    expect(answer.body.message).toContain(`failed calling webhook "broken.${namespace}.conformance.invalid"`);
  });

  it('is passed over with failurePolicy Ignore', async () => {
    const { api, core, namespace } = server();
    const full = `broken.${namespace}.conformance.invalid`;
    const path = `${configurations}/validatingwebhookconfigurations/${full}`;
    await api.must('PATCH', path, [{ op: 'replace', path: '/webhooks/0/failurePolicy', value: 'Ignore' }], {
      'content-type': 'application/json-patch+json',
    });
    await eventually(() => api.must('POST', `${core('configmaps')}?dryRun=All`, hooked('passed', 'broken')));
  });
});
