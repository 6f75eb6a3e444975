import { once } from 'node:events';
import * as http from 'node:http';
import * as net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { VirtualClock } from '../clock/virtual.ts';
import { type HttpTransportOptions, httpTransport } from './http-transport.ts';
import type { Identity, IdentitySource } from './identity.ts';
import type { Response, Transport } from './transport.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end();
});

async function serve(handler: http.RequestListener): Promise<{ server: http.Server; url: string }> {
  const server = http.createServer(handler);
  return { server, url: await listen(server) };
}

async function listen(server: net.Server): Promise<string> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
}

function connectTo(server: string, more: Omit<HttpTransportOptions, 'server'> = {}): Transport {
  const transport = httpTransport({ server, ...more });
  cleanUp.push(() => transport.close());
  return transport;
}

async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const get = { method: 'GET', path: '/x' } as const;

describe('a request over HTTP', () => {
  it('carries method, path behind the server prefix, headers and body', async () => {
    const { url } = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response
        .writeHead(201, { 'x-test': 'yes' })
        .end(`${request.method} ${request.url} ${request.headers['x-own']} ${body}`);
    });
    const response = await connectTo(`${url}/prefix/`).request({
      method: 'POST',
      path: '/a?b=c',
      headers: { 'x-own': 'mine' },
      body: 'ünï',
    });
    expect(response.status).toBe(201);
    expect(response.headers['x-test']).toBe('yes');
    expect(await bodyOf(response)).toBe('POST /prefix/a?b=c mine ünï');
  });

  it('waits for a connection when there are as many as there may be', async () => {
    let open = 0;
    let most = 0;
    const { server, url } = await serve((_, response) => void setImmediate(() => response.end('ok')));
    server.on('connection', (socket) => {
      most = Math.max(most, ++open);
      socket.once('close', () => open--);
    });
    const transport = connectTo(url, { maxConnections: 3 });
    const given = new AbortController();
    const answers = Array.from({ length: 20 }, async () => bodyOf(await transport.request(get)));
    const left = transport.request({ ...get, signal: given.signal });
    given.abort();
    await expect(left).rejects.toMatchObject({ kind: 'aborted' });
    expect(await Promise.all(answers)).toEqual(answers.map(() => 'ok'));
    expect(most).toBe(3);
  });

  it('uses a connection again', async () => {
    let connections = 0;
    const { server, url } = await serve((_, response) => response.end('ok'));
    server.on('connection', () => connections++);
    const transport = connectTo(url);
    for (let i = 0; i < 5; i++) await bodyOf(await transport.request(get));
    expect(connections).toBe(1);
  });

  it('leaves no listeners on a signal that outlives many requests', async () => {
    const { url } = await serve((_, response) => response.end('ok'));
    const transport = connectTo(url);
    const controller = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = controller.signal;
    controller.signal.addEventListener = (...args: unknown[]) => {
      listeners++;
      return Reflect.apply(addEventListener, controller.signal, args);
    };
    controller.signal.removeEventListener = (...args: unknown[]) => {
      listeners--;
      return Reflect.apply(removeEventListener, controller.signal, args);
    };
    for (let i = 0; i < 20; i++) await bodyOf(await transport.request({ ...get, signal: controller.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(listeners).toBe(0);
  });

  it('asks again for a GET when a kept connection turns out dead, but never for a POST', async () => {
    let requests = 0;
    const { url } = await serve((request, response) => {
      requests++;
      // Every second request on a connection finds it cut.
      if (requests % 2 === 0) request.socket.destroy();
      else response.end('ok');
    });
    const transport = connectTo(url);
    await bodyOf(await transport.request(get));
    expect(await bodyOf(await transport.request(get))).toBe('ok');
    expect(requests).toBe(3);
    await expect(transport.request({ ...get, method: 'POST', body: '{}' })).rejects.toMatchObject({
      kind: 'unreachable',
    });
    expect(requests).toBe(4);
  });

  it('is unreachable when nobody listens', async () => {
    const { server, url } = await serve(() => {});
    await new Promise((resolve) => server.close(resolve));
    await expect(connectTo(url).request(get)).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringMatching(/^GET \/x at 127\.0\.0\.1:\d+: .*ECONNREFUSED/),
    });
  });

  it('is unreachable when the connection is reset in the middle of the body', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.socket?.destroy());
    });
    const response = await connectTo(url).request(get);
    await expect(bodyOf(response)).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('frees the connection when it is aborted in the middle of the body', async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((request, response) => {
      request.socket.once('close', () => closed.resolve());
      response.write('first');
    });
    const controller = new AbortController();
    const response = await connectTo(url).request({ ...get, signal: controller.signal });
    const chunks: string[] = [];
    const reading = (async () => {
      for await (const chunk of response.body) {
        chunks.push(Buffer.from(chunk).toString());
        controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ kind: 'aborted' });
    expect(chunks).toEqual(['first']);
    await closed.promise;
  });

  it('frees the connection when the reader leaves', async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((request, response) => {
      request.socket.once('close', () => closed.resolve());
      response.write('first');
    });
    for await (const _ of (await connectTo(url).request(get)).body) break;
    await closed.promise;
  });

  it('is aborted before it is sent, while it waits, and by closing the transport', async () => {
    const { server, url } = await serve(() => {});
    const transport = connectTo(url);
    await expect(transport.request({ ...get, signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: 'aborted' });

    const controller = new AbortController();
    const waiting = expect(transport.request({ ...get, signal: controller.signal })).rejects.toMatchObject({
      kind: 'aborted',
    });
    await once(server, 'request');
    controller.abort();
    await waiting;

    const open = expect(transport.request(get)).rejects.toMatchObject({ kind: 'aborted' });
    await once(server, 'request');
    await transport.close();
    await open;
    await expect(transport.request(get)).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('is aborted also when that happens while credentials are fetched', async () => {
    const { url } = await serve((_, response) => response.end('ok'));
    const controller = new AbortController();
    const identity: IdentitySource = {
      current: async () => {
        controller.abort();
        return {};
      },
      rejected: () => false,
    };
    const outcome = connectTo(url, { identity }).request({ ...get, signal: controller.signal });
    await expect(outcome).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('does not wait for credentials when it is aborted', async () => {
    const { url } = await serve((_, response) => response.end('ok'));
    const controller = new AbortController();
    const identity: IdentitySource = { current: () => new Promise(() => {}), rejected: () => false };
    const outcome = connectTo(url, { identity }).request({ ...get, signal: controller.signal });
    controller.abort();
    await expect(outcome).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('gives up on a server that accepts but never speaks TLS', async () => {
    const url = await listen(net.createServer(() => {}));
    const transport = connectTo(url.replace('http:', 'https:'), { connectTimeoutMs: 50 });
    await expect(transport.request(get)).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('took no connection within 0.05 s'),
    });
  });

  it('counts the time to connect, not the time that an answer lasts', async () => {
    const clock = new VirtualClock();
    let end = (): void => {};
    const { url } = await serve((_, response) => {
      response.write('a');
      end = () => void response.end('b');
    });
    const response = await connectTo(url, { clock, connectTimeoutMs: 1_000 }).request(get);
    expect(clock.untilNext).toBeUndefined();
    end();
    expect(await bodyOf(response)).toBe('ab');
  });

  it('tries once more with a fresh identity when the server says 401', async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(request.headers.authorization === 'Bearer new' ? 200 : 401).end();
    });
    let token = 'old';
    const rejected: Identity[] = [];
    const identity: IdentitySource = {
      current: async () => ({ authorization: `Bearer ${token}` }),
      rejected(one) {
        rejected.push(one);
        token = token === 'old' ? 'new' : 'newer';
        return true;
      },
    };
    const transport = connectTo(url, { identity });
    const first = await transport.request(get);
    expect(first.status).toBe(200);
    await bodyOf(first);
    expect(rejected).toEqual([{ authorization: 'Bearer old' }]);
    token = 'wrong';
    expect((await transport.request(get)).status).toBe(401);
  });
});

describe('a channel over HTTP', () => {
  it('speaks the agreed protocol both ways and ends when the server closes it', async () => {
    const { server, url } = await serve(() => {});
    const sockets = new WebSocketServer({ server, handleProtocols: () => 'v5.channel.k8s.io' });
    cleanUp.push(() => sockets.close());
    sockets.on('connection', (socket) => {
      socket.on('message', (data) => {
        socket.send(data);
        socket.close();
      });
    });
    const channel = await connectTo(url).connect(get, ['v5.channel.k8s.io', 'v4.channel.k8s.io']);
    expect(channel.protocol).toBe('v5.channel.k8s.io');
    channel.send(Buffer.from([0, 1, 2]));
    const messages: number[][] = [];
    for await (const message of channel.messages) messages.push([...message]);
    expect(messages).toEqual([[0, 1, 2]]);
  });

  it('fails with what the server answers instead', async () => {
    const { server, url } = await serve(() => {});
    server.on('upgrade', (_, socket) => {
      const status = JSON.stringify({ kind: 'Status', code: 403, reason: 'Forbidden', message: 'you may not' });
      socket.end(`HTTP/1.1 403 Forbidden\r\ncontent-length: ${status.length}\r\n\r\n${status}`);
    });
    await expect(connectTo(url).connect(get, ['v5.channel.k8s.io'])).rejects.toMatchObject({
      kind: 'forbidden',
      message: 'GET /x: you may not',
    });
  });
});
