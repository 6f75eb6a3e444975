import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import * as https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { selfSigned } from '../certificate.ts';
import { DashboardStage } from './dashboard-stage.ts';

describe('the files of the dashboard', () => {
  it('come with a policy that lets nothing else in, at every address of the program', async () => {
    await using stage = await DashboardStage.open();
    for (const path of ['/', '/w/Boat/north/erik', '/app-0123abcd.js', '/api/session']) {
      expect((await stage.get(path)).headers, path).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      });
    }
    expect((await stage.get('/fleet')).text).toContain('<title>Cutover</title>');
    expect((await stage.get('/app-0123abcd.js')).headers['cache-control']).toContain('immutable');
    expect((await stage.get('/api/session')).headers['cache-control']).toBe('no-store');
  });
});

describe('over TLS', () => {
  it('the cookie is for this host and for TLS only', async () => {
    const certificates = await mkdtemp(join(tmpdir(), 'dashboard-'));
    const { cert, key } = await selfSigned();
    await writeFile(join(certificates, 'tls.crt'), cert);
    await writeFile(join(certificates, 'tls.key'), key);
    await using stage = await DashboardStage.open({ door: { port: 0, certificates } }, { ready: false });
    const cookie = await new Promise<string>((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const options = { host: '127.0.0.1', port: stage.port, path: '/api/login', method: 'POST', ca: cert, headers };
      const request = https.request({ ...options, agent: false }, (response) => {
        response.resume();
        resolve(response.headers['set-cookie']?.[0] ?? '');
      });
      request.on('error', reject);
      request.end(JSON.stringify({ token: 'token-of-ann' }));
    });
    expect(cookie).toMatch(/^__Host-cutover-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    await rm(certificates, { recursive: true });
  });
});
