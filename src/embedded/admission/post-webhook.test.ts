import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realClock } from '../../clock/real.ts';
import { openPki, type Pki } from '../auth/pki.ts';
import { postWebhook } from './post-webhook.ts';

describe('postWebhook', () => {
  let server: Server;
  let pki: Pki;
  let url = '';
  beforeAll(async () => {
    pki = await openPki({ clock: realClock });
    server = createServer(pki.server, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url === '/drop') return void request.socket.destroy();
        response.statusCode = 201;
        response.end(
          JSON.stringify({ url: request.url, headers: request.headers, body: String(Buffer.concat(chunks)) }),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `https://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const post = (path: string, more: { ca?: string; url?: string; target?: { host: string; port: number } } = {}) =>
    postWebhook({ url: `${url}${path}`, body: '{"ü":1}', signal: new AbortController().signal, ca: pki.ca, ...more });

  it('posts JSON and returns what comes back', async () => {
    const { status, body } = await post('/check?timeout=5s');
    expect(status).toBe(201);
    expect(JSON.parse(body)).toMatchObject({
      url: '/check?timeout=5s',
      body: '{"ü":1}',
      headers: { 'content-type': 'application/json', 'user-agent': 'kube-apiserver-admission' },
    });
  });

  it('judges the certificate by the name in the URL, wherever it connects to', async () => {
    const port = (server.address() as AddressInfo).port;
    const target = { host: '127.0.0.1', port };
    expect((await post('', { url: 'https://kubernetes.default.svc/x', target })).status).toBe(201);
    await expect(post('', { url: 'https://other.example.com/x', target })).rejects.toThrow(
      'tls: failed to verify certificate: x509: certificate is not valid for other.example.com',
    );
  });

  it('tells failures in the real server’s words', async () => {
    const { ca } = await openPki({ clock: realClock });
    await expect(post('/x', { ca })).rejects.toThrow(
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    );
    await expect(post('', { url: 'https://127.0.0.1:1/x' })).rejects.toThrow(
      'dial tcp 127.0.0.1:1: connect: connection refused',
    );
    await expect(post('/drop')).rejects.toThrow('EOF');
  });
});
