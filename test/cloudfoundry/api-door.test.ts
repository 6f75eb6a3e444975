import * as https from 'node:https';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { realRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import { type Credentials, createCredentials } from '../../src/cloudfoundry/api/credentials.ts';
import { info } from '../../src/cloudfoundry/api/info.ts';
import { openPlatform } from '../../src/cloudfoundry/api/open-platform.ts';
import type { CfRoutes } from '../../src/cloudfoundry/api/platform.ts';
import { type CfApiServer, serveCfApi } from '../../src/cloudfoundry/api/serve.ts';
import { createCfApi } from '../../src/cloudfoundry/api/server.ts';
import { cloudFoundryKinds } from '../../src/cloudfoundry/resources/all.ts';
import { defaultSettings } from '../../src/cloudfoundry/settings.ts';
import { Caches } from '../../src/control/caches.ts';
import { silent } from '../../src/control/log.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { createEmbedded, type Door, type Embedded } from '../../src/embedded/embedded.ts';
import { Client } from '../../src/kube/client.ts';
import { httpTransport } from '../../src/kube/http-transport.ts';
import { fixedIdentity } from '../../src/kube/identity.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import { crd } from '../../src/schema/crd.ts';
import { selfSigned } from '../certificate.ts';

/** A path that takes as long as it is told. */
let letGo: (() => void) | undefined;
const slow: CfRoutes = (api) => {
  api.get('/v3/slow', async (c) => {
    await new Promise<void>((resolve) => {
      letGo = resolve;
    });
    return c.json({ done: true });
  });
};

describe('the door of the API, over real connections', () => {
  let embedded: Embedded;
  let door: Door;
  let credentials: Credentials;
  let certificate: { readonly cert: string; readonly key: string };
  let secure: CfApiServer;
  const stop = new AbortController();

  beforeAll(async () => {
    const clock = realClock;
    embedded = await createEmbedded({
      clock,
      random: realRandom,
      tokens: [{ token: 'a-token', user: { name: 'alice', groups: [] } }],
    });
    door = await embedded.listen({ port: 0 });
    const client = new Client(embedded.transport(), { clock });
    for (const kind of cloudFoundryKinds) {
      await client.resource(kinds.customResourceDefinitions).create(crd(kind) as KubeObject as AnyObject);
    }
    const metrics = createMetrics({ process: false });
    const caches = new Caches({ client, clock, random: realRandom, log: silent, metrics });
    const shared = { client, settings: defaultSettings, clock, random: realRandom, log: silent };
    const platform = openPlatform(caches, shared);
    caches.start(stop.signal);
    credentials = createCredentials({
      client,
      clock,
      clientFor: (identity) =>
        new Client(httpTransport({ server: door.url, tls: { ca: door.ca }, identity: fixedIdentity(identity) })),
    });
    const api = createCfApi({ platform, credentials, routes: [info, slow] });
    certificate = await selfSigned();
    secure = await serveCfApi({ api, clock, log: silent, port: 0, certificate });
    await vi.waitFor(() => expect(platform.isReady()).toBe(true));
  });
  afterAll(async () => {
    await secure.close(0);
    stop.abort();
    await credentials.close();
    await embedded.close();
  });

  const get = (path: string, authorization: string): Promise<{ status: number; body: unknown }> =>
    new Promise((resolve, reject) => {
      const { port } = secure;
      const options = { host: '127.0.0.1', port, path, ca: certificate.cert, headers: { authorization }, agent: false };
      const request = https.get(options as https.RequestOptions, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
        });
      });
      request.on('error', reject);
    });
  const withCertificate = ({ cert, key }: { readonly cert: string; readonly key: string }): string =>
    `ClientCert ${Buffer.from(`${cert}\n${key}`).toString('base64')}`;

  it('knows who comes with a client certificate of the cluster', async () => {
    const answer = await get('/whoami', withCertificate(door.admin));
    expect(answer).toEqual({ status: 200, body: { name: expect.any(String), kind: 'User' } });
    expect(answer.body).not.toMatchObject({ name: 'system:anonymous' });
  });

  it('knows who comes with a token', async () => {
    expect(await get('/whoami', 'Bearer a-token')).toEqual({ status: 200, body: { name: 'alice', kind: 'User' } });
  });

  it('does not know who comes with a certificate of his own making', async () => {
    expect(await get('/whoami', withCertificate(await selfSigned()))).toMatchObject({
      status: 401,
      body: { errors: [{ code: 1000 }] },
    });
  });

  it('takes another certificate while it is open', async () => {
    certificate = await selfSigned();
    secure.reload(certificate);
    expect((await get('/', '')).status).toBe(200);
  });

  it('answers what is under way before it closes', async () => {
    const answer = get('/v3/slow', 'Bearer a-token');
    await vi.waitFor(() => expect(letGo).toBeDefined());
    const closed = secure.close();
    letGo?.();
    expect(await answer).toEqual({ status: 200, body: { done: true } });
    await closed;
  });
});
