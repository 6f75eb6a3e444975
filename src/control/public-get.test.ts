import * as http from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Resolve } from './guarded-lookup.ts';
import { publicGet, responseOf } from './public-get.ts';

const signal = new AbortController().signal;
const ask = (url: string, resolve?: Resolve) =>
  publicGet(new URL(url), { headers: {}, signal, ...(resolve && { resolve }) });
const standingFor =
  (...addresses: readonly string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('a place that a stranger chose', () => {
  let server: Server;
  let port: number;
  let connections = 0;

  beforeAll(async () => {
    server = createServer(() => {}).on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    ({ port } = server.address() as AddressInfo);
  });

  afterAll(() => new Promise((done) => server.close(done)));

  it.each([
    'http://registry.example/',
    'ftp://registry.example/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://2130706433/',
    'https://0x7f.1/',
  ])('is not asked: %s', async (url) => {
    await expect(ask(url, () => Promise.reject(new Error('it was looked up')))).rejects.toThrow(/ is (not https|\w)/);
  });

  it.each([[['127.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['::1']]])(
    'is not connected to when its name stands for %j',
    async (addresses) => {
      await expect(ask(`https://registry.example:${port}/`, standingFor(...addresses))).rejects.toThrow('stands for');
      expect(connections).toBe(0);
    },
  );
});

describe('what it answers', () => {
  it.each([
    [200, 'content'],
    [204, ''],
    [307, 'gone there'],
  ])('is what fetch would have: %i', async (status, body) => {
    const server = http.createServer((_, response) => {
      response.writeHead(status, { location: 'https://cdn.example/', 'set-cookie': ['a=1', 'b=2'] }).end(body);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const message = await new Promise<http.IncomingMessage>((done) => http.get({ port, host: '127.0.0.1' }, done));
    const answer = responseOf(message);
    expect([answer.status, answer.headers.get('location'), await answer.text()]).toEqual([
      status,
      'https://cdn.example/',
      body,
    ]);
    await new Promise((done) => server.close(done));
  });
});
