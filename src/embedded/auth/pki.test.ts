import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import { openPki } from './pki.ts';

const day = 24 * 3600 * 1000;

describe('openPki', () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'pki-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('vouches for a server on loopback and for an administrator', async () => {
    const { ca, server, admin, accountKey } = await openPki({ clock: new VirtualClock(), hosts: ['api.example.com'] });
    const authority = new X509Certificate(ca);
    const certificate = new X509Certificate(server.cert);
    expect(certificate.checkIssued(authority)).toBe(true);
    expect(certificate.verify(authority.publicKey)).toBe(true);
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    for (const host of ['localhost', 'kubernetes.default.svc', 'api.example.com']) {
      expect(certificate.checkHost(host), host).toBe(host);
    }
    const client = new X509Certificate(admin.cert);
    expect(client.verify(authority.publicKey)).toBe(true);
    expect(client.subject).toContain('O=system:masters');
    expect(authority.ca).toBe(true);
    expect(accountKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
  });

  it('keeps what it made, in files that only their owner can read', async () => {
    const clock = new VirtualClock();
    const first = await openPki({ clock, directory });
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o777, name).toBe(0o600);
    const second = await openPki({ clock, directory });
    expect([second.ca, second.server, second.admin]).toEqual([first.ca, first.server, first.admin]);
    expect(second.accountKey.equals(first.accountKey)).toBe(true);
  });

  it('renews a certificate that is about to end, and keeps the authority', async () => {
    const clock = new VirtualClock();
    const first = await openPki({ clock, directory });
    await clock.advance(340 * day);
    const second = await openPki({ clock, directory });
    expect(second.ca).toBe(first.ca);
    expect(second.server.cert).not.toBe(first.server.cert);
    expect(new X509Certificate(second.server.cert).validToDate.getTime()).toBeGreaterThan(clock.now() + 300 * day);
  });

  it('makes a new server certificate when the hosts change', async () => {
    const clock = new VirtualClock();
    const first = await openPki({ clock, directory });
    const second = await openPki({ clock, directory, hosts: ['10.0.0.7'] });
    expect(second.server.cert).not.toBe(first.server.cert);
    expect(second.admin).toEqual(first.admin);
  });

  it('makes anew what a crash or a careless hand left unusable', async () => {
    const clock = new VirtualClock();
    const first = await openPki({ clock, directory });
    writeFileSync(join(directory, 'server.key'), first.admin.key);
    writeFileSync(join(directory, 'admin.crt'), 'no certificate');
    const second = await openPki({ clock, directory });
    const authority = new X509Certificate(second.ca);
    expect(new X509Certificate(second.server.cert).verify(authority.publicKey)).toBe(true);
    expect(new X509Certificate(second.admin.cert).verify(authority.publicKey)).toBe(true);
  });
});
