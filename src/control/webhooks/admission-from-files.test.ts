import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { selfSigned } from '../../../test/certificate.ts';
import type { Log } from '../log.ts';
import { serveAdmissionFromFiles } from './admission-from-files.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cutover-admission-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Remembers which port was told. */
function listening(): { readonly log: Log; port(): number } {
  let port = 0;
  const log: Log = {
    debug: () => {},
    info: (fields) => {
      port = (fields as { port?: number }).port ?? port;
    },
    warn: () => {},
    error: () => {},
    child: () => log,
  };
  return { log, port: () => port };
}

function put({ cert, key }: { readonly cert: string; readonly key: string }): void {
  writeFileSync(join(directory, 'tls.crt'), cert);
  writeFileSync(join(directory, 'tls.key'), key);
}

/** The fingerprint of what the server shows. */
function shown(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

const options = { host: '127.0.0.1', port: 0, hooks: {} };

describe('an admission server with a certificate in files', () => {
  it('shows the certificate that is there, and the next one when it is renewed', { timeout: 60_000 }, async () => {
    put(await selfSigned());
    const { log, port } = listening();
    const server = await serveAdmissionFromFiles({ ...options, directory, log });
    const first = await shown(port());
    put(await selfSigned());
    await expect.poll(() => shown(port()), { timeout: 50_000, interval: 500 }).not.toBe(first);
    await server.close();
  });

  it('says in one line which file is missing, or that it is no certificate', async () => {
    const { log } = listening();
    await expect(serveAdmissionFromFiles({ ...options, directory, log })).rejects.toThrow(
      /the certificate cannot be read: .*tls\.crt/,
    );
    put({ cert: 'none', key: 'none' });
    await expect(serveAdmissionFromFiles({ ...options, directory, log })).rejects.toThrow(/cannot be used: /);
  });
});
