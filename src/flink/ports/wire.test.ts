import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { selfSigned } from '../../../test/certificate.ts';
import { realClock } from '../../clock/real.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import { Client } from '../../kube/client.ts';
import { inProcess } from '../../kube/in-process-transport.ts';
import type { Request, Response } from '../../kube/transport.ts';
import type { ClusterAddress } from '../rest.ts';
import { directWire, type Place } from './direct-wire.ts';
import { openWire } from './open-wire.ts';
import { proxiedWire } from './proxied-wire.ts';
import { restTls } from './rest-tls.ts';
import { longestAnswer } from './wire.ts';

const ask = { method: 'GET', path: '/jobs/overview', timeoutMs: 5_000 } as const;
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listening(server: Server): Promise<{ namespace: string; name: string; port: number; tls: boolean }> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { namespace: 'team-a', name: 'orders', port, tls: false };
}

const serve = (handler: RequestListener) => listening(createServer(handler));
const at =
  (host: string) =>
  ({ port, tls }: ClusterAddress): Place => ({ host, port, tls, prefix: '' });
const placeOf = at('127.0.0.1');

describe('the direct way', () => {
  it('gives the answer whatever its status, over one connection', async () => {
    const sockets = new Set<unknown>();
    const cluster = await serve((request, response) => {
      sockets.add(request.socket);
      response.writeHead(request.url === '/no' ? 404 : 200).end(`{"path":"${request.url}"}`);
    });
    const wire = directWire({ clock: realClock, placeOf });
    expect(await wire.request(cluster, ask)).toEqual({ is: 'answer', status: 200, text: '{"path":"/jobs/overview"}' });
    expect(await wire.request(cluster, { ...ask, path: '/no' })).toMatchObject({ is: 'answer', status: 404 });
    expect(sockets.size).toBe(1);
    await wire.close();
    expect(await wire.request(cluster, ask)).toMatchObject({ is: 'silence' });
  });

  it('says that nobody answers: no connection, a broken one, half an answer', async () => {
    const wire = directWire({ clock: realClock, placeOf });
    const nobody = { namespace: 'a', name: 'x', port: 1, tls: false };
    expect(await wire.request(nobody, ask)).toMatchObject({
      is: 'silence',
      message: expect.stringMatching(/^GET \/jobs\/overview of a\/x: .*ECONNREFUSED/),
    });
    const breaking = await serve((_request, response) => void response.destroy());
    expect(await wire.request(breaking, ask)).toMatchObject({ is: 'silence' });
    const half = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{', () => response.destroy());
    });
    expect(await wire.request(half, ask)).toMatchObject({
      is: 'silence',
      message: expect.stringContaining('the answer broke off'),
    });
    await wire.close();
  });

  it('does not wait longer than it may, nor for a caller that has left', async () => {
    const clock = new VirtualClock();
    const cluster = await serve((_request, response) => void response.writeHead(200).write('{'));
    const wire = directWire({ clock, placeOf });
    const late = wire.request(cluster, ask);
    await clock.advance(5_000);
    expect(await late).toMatchObject({ is: 'silence', message: expect.stringContaining('no answer within 5 s') });
    const caller = new AbortController();
    const left = wire.request(cluster, { ...ask, signal: caller.signal });
    caller.abort();
    expect(await left).toMatchObject({ is: 'silence', message: expect.stringContaining('nobody waits') });
    const ended = wire.request(cluster, ask);
    await wire.close();
    expect(await ended).toMatchObject({ is: 'silence' });
  });

  it('does not read more than any answer may be', async () => {
    const cluster = await serve((_request, response) => void response.end(Buffer.alloc(longestAnswer + 1, 'x')));
    const wire = directWire({ clock: realClock, placeOf });
    expect(await wire.request(cluster, ask)).toMatchObject({ is: 'flood' });
    await wire.close();
  });

  it('sends what cannot be a request nowhere', async () => {
    const wire = directWire({ clock: realClock, placeOf });
    const cluster = { namespace: 'a', name: 'x', port: 8081, tls: false };
    expect(await wire.request(cluster, { ...ask, path: '/a b' })).toMatchObject({ is: 'barred' });
    await wire.close();
  });

  it('asks again on a new connection when a kept one turns out dead', async () => {
    let requests = 0;
    const cluster = await serve((_request, response) => {
      requests += 1;
      response.end('{}', () => setImmediate(() => requests === 1 && response.socket?.destroy()));
    });
    const wire = directWire({ clock: realClock, placeOf });
    expect(await wire.request(cluster, ask)).toMatchObject({ is: 'answer' });
    expect(await wire.request(cluster, ask)).toMatchObject({ is: 'answer' });
    expect(requests).toBe(2);
    await wire.close();
  });

  it('trusts a JobManager by its authority, whatever name it has, and proves itself', async () => {
    const { cert, key } = await selfSigned();
    const server = createTlsServer({ cert, key, requestCert: true, rejectUnauthorized: false }, (request, response) => {
      const { subject } = (
        request.socket as unknown as { getPeerCertificate(): { subject?: { CN?: string } } }
      ).getPeerCertificate();
      response.end(JSON.stringify(subject?.CN ?? null));
    });
    const cluster = { ...(await listening(server as unknown as Server)), tls: true };
    const files: Record<string, string> = { '/ca': cert, '/cert': cert, '/key': key };
    const env = { FLINK_REST_CA_FILE: '/ca', FLINK_REST_CERT_FILE: '/cert', FLINK_REST_KEY_FILE: '/key' };
    const named = at('localhost');
    const trusting = directWire({ clock: realClock, placeOf: named, tls: restTls(env, (path) => files[path] ?? '') });
    expect(await trusting.request(cluster, ask)).toEqual({ is: 'answer', status: 200, text: '"127.0.0.1"' });
    await trusting.close();
    const strict = directWire({ clock: realClock, placeOf, tls: restTls({}) });
    expect(await strict.request(cluster, ask)).toMatchObject({ is: 'silence' });
    await strict.close();
  });
});

describe('the way that is chosen', () => {
  it('is through the API server outside of the cluster, and needs no TLS settings then', async () => {
    const sent: string[] = [];
    const transport = inProcess(async ({ path }) => {
      sent.push(path);
      return { status: 200, headers: {}, body: bodyOf('{}') };
    });
    const options = { client: new Client(transport), clock: realClock, env: { OPERATOR_KEYSTORE_PATH: '/k.jks' } };
    const wire = openWire({ way: 'proxy', ...options });
    await wire.request({ namespace: 'a', name: 'x', port: 8081, tls: false }, ask);
    expect(sent).toEqual(['/api/v1/namespaces/a/services/http:x-rest:8081/proxy/jobs/overview']);
    expect(() => openWire({ way: 'direct', ...options })).toThrow('names a Java key store');
  });
});

describe('a gateway', () => {
  it('has every cluster under a path of its own', async () => {
    const paths: (string | undefined)[] = [];
    const { port } = await listening(
      createServer((request, response) => {
        paths.push(request.url);
        response.end('{}');
      }),
    );
    const client = new Client(inProcess(async () => Promise.reject(new Error('not asked'))));
    const way = `http://127.0.0.1:${port}/flink/{namespace}/{name}/`;
    const wire = openWire({ way, client, clock: realClock, env: {} });
    await wire.request({ namespace: 'team-a', name: 'orders', port: 8081, tls: false }, ask);
    expect(paths).toEqual(['/flink/team-a/orders/jobs/overview']);
    await wire.close();
  });
});

describe('TLS settings', () => {
  it.each([
    [{ OPERATOR_TRUSTSTORE_PATH: '/t.jks' }, /names a Java key store.*FLINK_REST_CA_FILE/],
    [{ OPERATOR_KEYSTORE_PATH: '/k.jks' }, /names a Java key store.*FLINK_REST_CERT_FILE/],
    [{ FLINK_REST_CERT_FILE: '/c' }, /belong together/],
    [{ FLINK_REST_CA_FILE: '/missing' }, /FLINK_REST_CA_FILE: \/missing cannot be read: gone/],
    [{ FLINK_REST_CA_FILE: '/odd' }, /is not PEM/],
  ])('%j are refused in one line', (env, message) => {
    const read = (path: string): string => {
      if (path === '/missing') throw new Error('gone');
      return 'odd';
    };
    const refusal = { name: 'RestTlsError', message: expect.stringMatching(message) };
    expect(() => restTls(env, read)).toThrow(expect.objectContaining(refusal));
  });

  it('are none when nothing is said', () => {
    expect(restTls({})).toEqual({});
  });
});

describe('the way through the API server', () => {
  const cluster = { namespace: 'team-a', name: 'orders', port: 8081, tls: false };
  const answering = (status: number, text: string) =>
    through(async () => ({ status, headers: {}, body: bodyOf(text) }));
  function through(handler: (request: Request) => Promise<Response>, clock = new VirtualClock()) {
    const sent: Request[] = [];
    const client = new Client(
      inProcess(async (request) => {
        sent.push(request);
        return handler(request);
      }),
      { clock },
    );
    return { wire: proxiedWire({ client, clock }), sent, clock };
  }

  it('asks the Service by its port, with TLS where the cluster has it', async () => {
    const { wire, sent } = answering(200, '{}');
    expect(await wire.request(cluster, ask)).toEqual({ is: 'answer', status: 200, text: '{}' });
    await wire.request({ ...cluster, tls: true }, { ...ask, method: 'POST', body: '{"a":1}', path: '/jobs?x=1' });
    const upload = {
      size: 2,
      open: async function* () {
        yield Buffer.from('a');
        yield Buffer.from('b');
      },
    };
    await wire.request(cluster, { ...ask, method: 'POST', body: upload, headers: { 'content-type': 'x/y' } });
    expect(
      sent.map(({ method, path, body, headers }) => [method, path, body?.toString(), headers?.['content-type']]),
    ).toEqual([
      ['GET', '/api/v1/namespaces/team-a/services/http:orders-rest:8081/proxy/jobs/overview', undefined, undefined],
      [
        'POST',
        '/api/v1/namespaces/team-a/services/https:orders-rest:8081/proxy/jobs?x=1',
        '{"a":1}',
        'application/json',
      ],
      ['POST', '/api/v1/namespaces/team-a/services/http:orders-rest:8081/proxy/jobs/overview', 'ab', 'x/y'],
    ]);
  });

  it.each([
    ['Flink knows no such thing', 404, '{"errors":["not found"]}', 'answer'],
    ['there is no such Service', 404, status(404, 'services "orders-rest" not found'), 'silence'],
    ['no pod answers', 503, status(503, 'no endpoints available for service "orders-rest"'), 'silence'],
    ['the pod refuses connections', 502, 'error trying to reach service: dial tcp: refused', 'silence'],
    ['we may not', 403, status(403, 'cannot get resource services/proxy'), 'barred'],
  ])('tells apart who said no: %s', async (_what, code, text, is) => {
    const heard = await answering(code, text).wire.request(cluster, ask);
    expect(heard.is).toBe(is);
    if (heard.is !== 'answer') expect(heard.message).toMatch(/^GET \/jobs\/overview of team-a\/orders: /);
  });

  it('does not wait longer than it may, also in the middle of an answer', async () => {
    async function* half(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{');
      await new Promise(() => {});
    }
    const { wire, clock } = through(async () => ({ status: 200, headers: {}, body: half() }));
    const late = wire.request(cluster, ask);
    await clock.advance(5_000);
    expect(await late).toMatchObject({ is: 'silence', message: expect.stringContaining('no answer within 5 s') });
    const ended = wire.request(cluster, ask);
    await wire.close();
    expect(await ended).toMatchObject({ is: 'silence' });
    expect(clock.untilNext).toBeUndefined();
  });

  it('refuses a name that would reach elsewhere, and what is too much to read', async () => {
    const { wire } = answering(200, '{}');
    expect(await wire.request({ ...cluster, name: '../x' }, ask)).toMatchObject({ is: 'barred' });
    const flood = answering(200, 'x'.repeat(longestAnswer + 1));
    expect(await flood.wire.request(cluster, ask)).toMatchObject({ is: 'flood' });
  });
});

function status(code: number, message: string): string {
  return JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message });
}

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
