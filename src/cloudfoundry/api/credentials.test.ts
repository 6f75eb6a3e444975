import { describe, expect, it } from 'vitest';
import { selfSigned } from '../../../test/certificate.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import { Client } from '../../kube/client.ts';
import type { Identity } from '../../kube/identity.ts';
import { inProcess } from '../../kube/in-process-transport.ts';
import type { Json } from '../../kube/object.ts';
import { createCredentials } from './credentials.ts';

interface Options {
  readonly limit?: number;
  /** What holders of certificates are to it. */
  readonly stranger?: boolean;
  /** It knows no SelfSubjectReviews. */
  readonly old?: boolean;
  /** What it answers to the operator itself. */
  readonly failing?: number;
}

/** A cluster that knows the tokens `good-…`; whoever comes with a certificate is `carol`, or nobody. */
function cluster(options: Options = {}) {
  const clock = new VirtualClock();
  const reviews: string[] = [];
  const made: Identity[] = [];
  const closed: Identity[] = [];
  const operator = new Client(
    inProcess(async ({ body }) => {
      const { spec } = JSON.parse(String(body)) as { readonly spec: { readonly token: string } };
      reviews.push(spec.token);
      if (options.failing) return answer({ kind: 'Status', status: 'Failure' }, options.failing);
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

const own = await selfSigned();
const another = await selfSigned();
const garbage = ['CERTIFICATE', 'PRIVATE KEY']
  .map((label) => `-----BEGIN ${label}-----\nQUJD\n-----END ${label}-----\n`)
  .join('');
const sent = (pem: string) => `ClientCert ${Buffer.from(pem).toString('base64')}`;
const clientCert = sent(own.cert + own.key);

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
  });

  it('are named by the certificate where the server cannot tell', async () => {
    expect(await cluster({ old: true }).credentials.identify(clientCert, true)).toMatchObject({ name: '127.0.0.1' });
  });

  it.each([
    ['is not the certificate’s', own.cert + another.key],
    ['is no key', own.cert + garbage],
    ['comes with garbage', garbage],
  ])('do not open a connection for a key that %s', async (_, pem) => {
    const { credentials, made, clock } = cluster();
    for (let tries = 0; tries < 2; tries++) {
      await expect(credentials.identify(sent(pem), true)).rejects.toMatchObject({ status: 401, code: 1000 });
    }
    expect(made).toEqual([]);
    expect(clock.untilNext).toBeUndefined();
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

  it('open nothing for a stranger’s token, and take nobody’s place for him', async () => {
    const { credentials, made, closed, reviews, clock } = cluster({ limit: 2 });
    await credentials.identify('Bearer good-1', true);
    const strangers = Array.from({ length: 50 }, (_, n) => credentials.identify(`Bearer bad-${n}`, true));
    expect((await Promise.allSettled(strangers)).every(({ status }) => status === 'rejected')).toBe(true);
    await clock.advance(1_000);
    await credentials.identify('Bearer good-1', true);
    expect(made).toEqual([{ authorization: 'Bearer good-1' }]);
    expect(closed).toEqual([]);
    expect(reviews.filter((token) => token === 'good-1')).toHaveLength(1);
  });

  it('close at once what was opened to ask about the certificate of a stranger', async () => {
    const { credentials, made, closed } = cluster({ stranger: true });
    await expect(credentials.identify(clientCert, true)).rejects.toMatchObject({ code: 1000 });
    expect([made.length, closed.length]).toEqual([1, 1]);
  });

  it('ask about a bounded number of strangers at once', async () => {
    const { credentials, reviews } = cluster();
    const answers = await Promise.allSettled(
      Array.from({ length: 200 }, (_, n) => credentials.identify(`Bearer bad-${n}`, true)),
    );
    const statuses = answers.map((one) => (one.status === 'rejected' ? one.reason.status : 200));
    expect(statuses.filter((status) => status === 401)).toHaveLength(reviews.length);
    expect(reviews.length).toBeLessThan(100);
    expect(statuses.filter((status) => status === 503)).toHaveLength(200 - reviews.length);
  });

  it('have one client however the header spells them, and one question for all who ask at once', async () => {
    const { credentials, made, reviews } = cluster();
    const headers = ['Bearer good-1', 'bearer good-1', 'Bearer    good-1', 'Bearer good-1  '];
    await Promise.all(headers.map((header) => credentials.identify(header, true)));
    for (const junk of ['', '1\n', '2\n']) await credentials.identify(sent(junk + own.cert + own.key), true);
    expect(made).toHaveLength(2);
    expect(reviews).toEqual(['good-1']);
  });

  it('are refused for good when Kubernetes knows them no longer', async () => {
    const options: { stranger?: boolean } = {};
    const { credentials, closed, clock } = cluster(options);
    await credentials.identify(clientCert, true);
    options.stranger = true;
    await clock.advance(61_000);
    await expect(credentials.identify(clientCert, true)).rejects.toMatchObject({ code: 1000 });
    expect(closed).toHaveLength(1);
  });

  it('are not kept when nobody came with them for some minutes', async () => {
    const { credentials, closed, clock } = cluster();
    await credentials.identify('Bearer good-1', true);
    await clock.advance(200_000);
    await credentials.identify('Bearer good-2', true);
    await clock.advance(150_000);
    expect(closed).toEqual([{ authorization: 'Bearer good-1' }]);
    await clock.advance(150_000);
    expect(closed).toHaveLength(2);
    expect(clock.untilNext).toBeUndefined();
  });

  it.each([401, 403, 404, 429, 500])('are not at fault when the operator may not ask: %d', async (failing) => {
    const options: { failing?: number } = { failing };
    const { credentials, reviews, clock } = cluster(options);
    const refused = expect(credentials.identify('Bearer good-1', true)).rejects.toMatchObject({ status: 503 });
    await clock.advance(30_000);
    await refused;
    delete options.failing;
    expect(await credentials.identify('Bearer good-1', true)).toMatchObject({ name: 'user of good-1' });
    expect(reviews.length).toBeGreaterThan(1);
  });

  it('are kept while nobody can be asked about them', async () => {
    const options: { failing?: number } = {};
    const { credentials, made, closed, clock } = cluster(options);
    await credentials.identify('Bearer good-1', true);
    options.failing = 500;
    await clock.advance(61_000);
    await expect(credentials.identify('Bearer good-1', true)).rejects.toMatchObject({ status: 503 });
    delete options.failing;
    await credentials.identify('Bearer good-1', true);
    expect([made.length, closed.length]).toEqual([1, 0]);
  });

  it('are asked for anew after Kubernetes refused them', async () => {
    const { credentials, reviews } = cluster();
    await credentials.identify('Bearer good-1', true);
    credentials.forget('Bearer good-1');
    await credentials.identify('Bearer good-1', true);
    expect(reviews).toHaveLength(2);
  });

  it('close every connection in the end', async () => {
    const { credentials, closed, clock } = cluster({ limit: 1 });
    await credentials.identify('Bearer good-1', true);
    await credentials.identify('Bearer good-2', true);
    expect(clock.untilNext).toBeDefined();
    await credentials.close();
    expect(closed).toHaveLength(2);
    expect(clock.untilNext).toBeUndefined();
  });
});
