import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import { Client } from '../../kube/client.ts';
import type { Identity } from '../../kube/identity.ts';
import { inProcess } from '../../kube/in-process-transport.ts';
import type { Json } from '../../kube/object.ts';
import { createCredentials } from './credentials.ts';

/** A cluster that knows the tokens `good-…`; whoever comes with a certificate is `carol`, or nobody. */
function cluster(options: { readonly limit?: number; readonly stranger?: boolean; readonly old?: boolean } = {}) {
  const clock = new VirtualClock();
  const reviews: string[] = [];
  const made: Identity[] = [];
  const closed: Identity[] = [];
  const operator = new Client(
    inProcess(async ({ body }) => {
      const { spec } = JSON.parse(String(body)) as { readonly spec: { readonly token: string } };
      reviews.push(spec.token);
      const authenticated = spec.token.startsWith('good-');
      const user = { username: `user of ${spec.token}`, groups: ['g'] };
      return answer({ status: authenticated ? { authenticated, user } : { error: 'unknown' } });
    }),
    { clock },
  );
  const credentials = createCredentials({
    client: operator,
    clock,
    limit: options.limit ?? 256,
    clientFor(identity) {
      made.push(identity);
      const transport = inProcess(async ({ path }) => {
        if (options.old && path.includes('selfsubjectreviews')) return answer({}, 404);
        if (options.stranger) return answer({ status: { userInfo: { username: 'system:anonymous' } } });
        return answer({ status: { userInfo: { username: 'carol', groups: ['ops'] } } });
      });
      return new Client({ ...transport, close: async () => void closed.push(identity) }, { clock });
    },
  });
  return { clock, credentials, reviews, made, closed };
}

function answer(body: Json, status = 200) {
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'Any', metadata: {}, ...(body as object) });
  return {
    status,
    headers: {},
    body: (async function* () {
      yield Buffer.from(text);
    })(),
  };
}

const pem = ['CERTIFICATE', 'PRIVATE KEY']
  .map((label) => `-----BEGIN ${label}-----\nQUJD\n-----END ${label}-----\n`)
  .join('');
const clientCert = `ClientCert ${Buffer.from(pem).toString('base64')}`;

describe('credentials', () => {
  it('make a token the user that Kubernetes says it is', async () => {
    const { credentials, made } = cluster();
    const caller = await credentials.identify('bearer good-1', false);
    expect(caller).toMatchObject({ name: 'user of good-1', kind: 'User', groups: ['g'] });
    expect(made).toEqual([{ authorization: 'Bearer good-1' }]);
  });

  it('are asked for once a minute, and the connection stays', async () => {
    const { credentials, reviews, made, clock } = cluster();
    const first = await credentials.identify('Bearer good-1', true);
    await credentials.identify('Bearer good-1', true);
    expect(reviews).toEqual(['good-1']);
    await clock.advance(61_000);
    const later = await credentials.identify('Bearer good-1', true);
    expect(reviews).toEqual(['good-1', 'good-1']);
    expect(made).toHaveLength(1);
    expect(later.client).toBe(first.client);
  });

  it.each([
    [undefined, 10002, 'Authentication error'],
    ['', 10002, 'Authentication error'],
    ['Bearer bad', 1000, 'Invalid Auth Token'],
    ['Bearer', 1000, 'Invalid Auth Token'],
    ['Basic dTpw', 1000, 'Invalid Auth Token'],
    ['ClientCert !!!', 1000, 'Invalid Auth Token'],
    [`ClientCert ${Buffer.from('no PEM').toString('base64')}`, 1000, 'Invalid Auth Token'],
  ])('%j is refused with %d', async (header, code, detail) => {
    const { credentials } = cluster();
    await expect(credentials.identify(header, true)).rejects.toMatchObject({ status: 401, code, detail });
  });

  it('do not ask again at once for a token that was refused', async () => {
    const { credentials, reviews, clock } = cluster();
    for (let tries = 0; tries < 3; tries++) await expect(credentials.identify('Bearer bad', true)).rejects.toThrow();
    expect(reviews).toEqual(['bad']);
    await clock.advance(5_001);
    await expect(credentials.identify('Bearer bad', true)).rejects.toThrow();
    expect(reviews).toEqual(['bad', 'bad']);
  });

  it('are a certificate and its key, for whom the server itself knows', async () => {
    const { credentials, made, reviews } = cluster();
    const caller = await credentials.identify(clientCert, true);
    expect(caller).toMatchObject({ name: 'carol', kind: 'User', groups: ['ops'] });
    expect(made[0]?.certificate).toMatchObject({
      cert: expect.stringContaining('BEGIN CERTIFICATE'),
      key: expect.stringContaining('BEGIN PRIVATE KEY'),
    });
    expect(reviews).toEqual([]);
  });

  it('do not take the certificate of a stranger', async () => {
    await expect(cluster({ stranger: true }).credentials.identify(clientCert, true)).rejects.toMatchObject({
      code: 1000,
    });
    await expect(cluster({ old: true }).credentials.identify(clientCert, true)).rejects.toMatchObject({ code: 1000 });
  });

  it('do not take a private key that everybody could read on the way', async () => {
    const { credentials, made } = cluster();
    await expect(credentials.identify(clientCert, false)).rejects.toMatchObject({ status: 400 });
    expect(made).toEqual([]);
  });

  it('keep a bounded number of connections, and close the one not used for longest when its calls are over', async () => {
    const { credentials, closed, clock } = cluster({ limit: 2 });
    for (const token of ['good-1', 'good-2', 'good-1', 'good-3']) await credentials.identify(`Bearer ${token}`, true);
    expect(closed).toEqual([]);
    await clock.advance(90_001);
    expect(closed).toEqual([{ authorization: 'Bearer good-2' }]);
  });

  it('are asked for anew after Kubernetes refused them', async () => {
    const { credentials, reviews } = cluster();
    await credentials.identify('Bearer good-1', true);
    credentials.forget('Bearer good-1');
    await credentials.identify('Bearer good-1', true);
    expect(reviews).toHaveLength(2);
  });

  it('close every connection in the end', async () => {
    const { credentials, closed } = cluster({ limit: 1 });
    await credentials.identify('Bearer good-1', true);
    await credentials.identify('Bearer good-2', true);
    await credentials.close();
    expect(closed).toHaveLength(2);
  });
});
