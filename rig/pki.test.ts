import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPki, type Pki } from './pki.ts';

let directory: string;
let pki: Pki;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rig-pki-'));
  pki = await createPki(directory, ['127.0.0.1', '172.30.0.1']);
});
afterEach(() => rm(directory, { recursive: true }));

it('signs the server for its addresses and the clients for their subjects', () => {
  const ca = new X509Certificate(pki.caPem);
  const server = new X509Certificate(readFileSync(pki.file('apiserver.crt')));
  expect(server.checkIssued(ca) && server.verify(ca.publicKey)).toBe(true);
  expect(server.checkIP('172.30.0.1')).toBe('172.30.0.1');
  expect(server.checkHost('kubernetes.default.svc')).toBe('kubernetes.default.svc');
  const admin = new X509Certificate(pki.credentials('admin').certPem);
  expect(admin.verify(ca.publicKey)).toBe(true);
  expect(admin.subject.split('\n').sort()).toEqual(['CN=rig-admin', 'O=system:masters']);
  expect(admin.checkPrivateKey(createPrivateKey(pki.credentials('admin').keyPem))).toBe(true);
});

it('keeps private keys to their owner, and the pair for service accounts together', () => {
  expect(statSync(pki.file('ca.key')).mode & 0o777).toBe(0o600);
  const publicKey = createPublicKey(readFileSync(pki.file('service-accounts.key')));
  expect(publicKey.equals(createPublicKey(readFileSync(pki.file('service-accounts.pub'))))).toBe(true);
});
