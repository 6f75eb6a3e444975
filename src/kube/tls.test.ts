import 'reflect-metadata';
import { once } from 'node:events';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import * as x509 from '@peculiar/x509';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { httpTransport } from './http-transport.ts';
import type { Identity, IdentitySource } from './identity.ts';
import type { Transport } from './transport.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

interface Issued {
  readonly cert: string;
  readonly key: string;
}

interface Authority {
  readonly cert: string;
  issue(subject: string, names?: x509.JsonGeneralNames): Promise<Issued>;
}

async function authority(): Promise<Authority> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=test CA',
    keys,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true)],
  });
  return {
    cert: ca.toString('pem'),
    async issue(subject, names = []) {
      const own = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
      const issued = await x509.X509CertificateGenerator.create({
        subject,
        issuer: ca.subject,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        extensions: [new x509.SubjectAlternativeNameExtension(names)],
      });
      const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', own.privateKey), 'PRIVATE KEY');
      return { cert: issued.toString('pem'), key };
    },
  };
}

let ca: Authority;
let server: https.Server;
let url: string;
let connections = 0;
const transports: Transport[] = [];

/** Answers the common name of the client's certificate. */
beforeAll(async () => {
  ca = await authority();
  const own = await ca.issue('CN=server', [{ type: 'dns', value: 'api.test' }]);
  server = https.createServer(
    { ...own, ca: ca.cert, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const subject = (request.socket as TLSSocket).getPeerCertificate().subject;
      response.end(subject?.CN ?? 'nobody');
    },
  );
  server.on('secureConnection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  for (const transport of transports) await transport.close();
  server.closeAllConnections();
  server.close();
});

function connectTo(options: Omit<Parameters<typeof httpTransport>[0], 'server'>): Transport {
  const transport = httpTransport({ server: url, ...options });
  transports.push(transport);
  return transport;
}

async function ask(transport: Transport): Promise<string> {
  const response = await transport.request({ method: 'GET', path: '/' });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

it('trusts the given authority under the given name, and nothing else', async () => {
  expect(await ask(connectTo({ tls: { ca: ca.cert, serverName: 'api.test' } }))).toBe('nobody');
  const strangers = await authority();
  for (const tls of [{}, { ca: ca.cert }, { ca: strangers.cert, serverName: 'api.test' }]) {
    await expect(ask(connectTo({ tls }))).rejects.toMatchObject({ kind: 'unreachable' });
  }
});

it('says in words why it does not trust a server', async () => {
  const strangers = await authority();
  await expect(ask(connectTo({ tls: { ca: strangers.cert, serverName: 'api.test' } }))).rejects.toThrow(
    /^GET \/ at 127\.0\.0\.1:\d+: the server's certificate was issued by nobody we trust: is the certificate authority .*\?$/,
  );
});

it('trusts anybody when told to', async () => {
  expect(await ask(connectTo({ tls: { insecure: true } }))).toBe('nobody');
});

it('shows its certificate, and a renewed one on new connections', async () => {
  let certificate = await ca.issue('CN=jane');
  const identity: IdentitySource = { current: async (): Promise<Identity> => ({ certificate }), rejected: () => false };
  const transport = connectTo({ tls: { ca: ca.cert, serverName: 'api.test' }, identity });
  const before = connections;
  expect(await ask(transport)).toBe('jane');
  expect(await ask(transport)).toBe('jane');
  expect(connections - before).toBe(1);
  certificate = await ca.issue('CN=jane-renewed');
  expect(await ask(transport)).toBe('jane-renewed');
  expect(connections - before).toBe(2);
});
