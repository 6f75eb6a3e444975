import 'reflect-metadata';
import { request } from 'node:https';
import { Server } from 'node:net';
import * as x509 from '@peculiar/x509';
import { applyPatch } from 'rfc6902';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Certificate } from '../certificates/certificate-files.ts';
import { silent } from '../log.ts';
import { type AdmissionServer, serveAdmission } from './admission.ts';

async function certificate(name: string): Promise<Certificate> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return { cert: cert.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n` };
}

let server: AdmissionServer;
let first: Certificate;

beforeAll(async () => {
  first = await certificate('first');
  server = await serveAdmission({
    host: '127.0.0.1',
    port: 0,
    certificate: first,
    log: silent,
    maxBytes: 10_000,
    hooks: {
      '/validate': {
        validate: ({ object }) =>
          object?.metadata.name === 'bad'
            ? { allowed: false, code: 422, message: 'metadata.name: must not be bad; call it otherwise' }
            : { allowed: true, warnings: ['spec.old is deprecated'] },
      },
      '/mutate': {
        mutate: ({ object }) => ({
          allowed: true,
          object: { ...object, metadata: { ...object.metadata, labels: { 'a/b~c': 'x' } } },
        }),
      },
      '/broken': {
        validate: () => {
          throw new Error('oops');
        },
      },
    },
  });
});
afterAll(() => server.close());

interface Answer {
  readonly code: number;
  readonly body: { readonly response?: Record<string, unknown>; readonly error?: string };
}

function post(path: string, body: string, more: { method?: string; type?: string; ca?: string } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: server.port,
        path,
        method: more.method ?? 'POST',
        ca: more.ca ?? first.cert,
        agent: false,
        headers: { 'content-type': more.type ?? 'application/json' },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ code: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const lamp = (name: string) => ({ apiVersion: 'toy.dev/v1', kind: 'Lamp', metadata: { name } });

function review(object: unknown, more: object = {}): string {
  return JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'u1',
      operation: 'CREATE',
      kind: { group: 'toy.dev', version: 'v1', kind: 'Lamp' },
      userInfo: { username: 'ada' },
      object,
      oldObject: null,
      ...more,
    },
  });
}

describe('the admission server', () => {
  it('allows with warnings and refuses with the words of the hook', async () => {
    const good = await post('/validate', review(lamp('good')));
    expect(good.body.response).toEqual({ uid: 'u1', allowed: true, warnings: ['spec.old is deprecated'] });
    const bad = await post('/validate', review(lamp('bad')));
    expect(bad.body.response).toMatchObject({
      uid: 'u1',
      allowed: false,
      status: { code: 422, reason: 'Invalid', message: 'metadata.name: must not be bad; call it otherwise' },
    });
  });

  it('answers a mutation with a JSON patch that makes it', async () => {
    const object = lamp('l');
    const { body } = await post('/mutate', review(object));
    expect(body.response).toMatchObject({ allowed: true, patchType: 'JSONPatch' });
    const patch = JSON.parse(Buffer.from(body.response?.patch as string, 'base64').toString());
    expect(applyPatch(object, patch)).toEqual([null]);
    expect(object.metadata).toEqual({ name: 'l', labels: { 'a/b~c': 'x' } });
  });

  it('answers a deletion, which has no new object, without asking the mutation', async () => {
    const { body } = await post('/mutate', review(null, { operation: 'DELETE', oldObject: lamp('l') }));
    expect(body.response).toEqual({ uid: 'u1', allowed: true });
  });

  it.each<[string, string, string, object, number, RegExp]>([
    ['another path', '/nothing', review({}), {}, 404, /nothing is asked/],
    ['a path from the prototype', '/__proto__', review({}), {}, 404, /nothing is asked/],
    ['another method', '/validate', '', { method: 'PUT' }, 405, /POSTed/],
    ['another content type', '/validate', review({}), { type: 'text/plain' }, 415, /application\/json/],
    ['broken JSON', '/validate', '{', {}, 400, /not JSON/],
    ['something else', '/validate', '[]', {}, 400, /not an AdmissionReview/],
    ['a missing uid', '/validate', review({}, { uid: '' }), {}, 400, /request\.uid/],
    ['an object that is none', '/validate', review('x'), {}, 400, /request\.object: not a Kubernetes object/],
    ['too much', '/validate', review({ ...lamp('l'), x: 'x'.repeat(10_000) }), {}, 413, /at most 10000 bytes/],
    ['a hook that throws', '/broken', review(lamp('l')), {}, 500, /the hook failed/],
  ])('refuses %s', async (_what, path, body, more, code, message) => {
    const answer = await post(path, body, more);
    expect(answer.code).toBe(code);
    expect(answer.body.error).toMatch(message);
  });

  it('serves a new certificate without a restart and keeps the old one when the new is bad', async () => {
    const second = await certificate('second');
    expect(() => server.reload({ cert: 'no', key: 'no' })).toThrow();
    expect((await post('/validate', review(lamp('l')))).code).toBe(200);
    server.reload(second);
    expect((await post('/validate', review(lamp('l')), { ca: second.cert })).code).toBe(200);
    await expect(post('/validate', review(lamp('l')))).rejects.toThrow(/self-signed|certificate/);
  });
});

it('goes on when connections cannot be taken', async () => {
  const listens = vi.spyOn(Server.prototype, 'listen');
  const other = await serveAdmission({ host: '127.0.0.1', port: 0, certificate: first, log: silent, hooks: {} });
  const [inside] = listens.mock.contexts as readonly Server[];
  listens.mockRestore();
  for (const code of ['ENOBUFS', 'EMFILE']) expect(inside?.emit('error', new Error(`accept ${code}`))).toBe(true);
  await other.close();
});
