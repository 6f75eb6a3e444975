import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { selfSigned } from '../../../test/certificate.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import type { Log } from '../log.ts';
import { serveAdmissionFromFiles } from './admission-from-files.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cutover-admission-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Remembers which port was told, and what was warned of. */
function listening(): { readonly log: Log; readonly warned: readonly string[]; port(): number } {
  let port = 0;
  const warned: string[] = [];
  const log: Log = {
    debug: () => {},
    info: (fields) => {
      port = (fields as { port?: number }).port ?? port;
    },
    warn: (_fields, message) => void warned.push(message),
    error: () => {},
    child: () => log,
  };
  return { log, warned, port: () => port };
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

const fingerprint = ({ cert }: { readonly cert: string }): string => new X509Certificate(cert).fingerprint256;

async function served() {
  const clock = new VirtualClock();
  const first = await selfSigned();
  put(first);
  const { log, warned, port } = listening();
  const ends: (number | undefined)[] = [];
  const onEnd = (until: number | undefined): void => void ends.push(until);
  const server = await serveAdmissionFromFiles({ ...options, clock, directory, log, onEnd });
  return { clock, warned, ends, first, shown: () => shown(port()), server };
}

const options = { host: '127.0.0.1', port: 0, hooks: {} };

describe('an admission server with a certificate in files', () => {
  it('shows the certificate that is there, and the next one when it is renewed', async () => {
    const { clock, warned, ends, first, shown, server } = await served();
    expect(await shown()).toBe(fingerprint(first));
    const next = await selfSigned();
    put(next);
    await clock.advance(10_000);
    expect(await shown()).toBe(fingerprint(next));
    expect(ends).toHaveLength(2);
    await clock.advance(60_000);
    expect(ends).toHaveLength(2);
    expect(warned).toEqual([]);
    await server.close();
    expect(clock.untilNext).toBeUndefined();
  });

  it.each(['tls.crt', 'tls.key'] as const)(
    'shows the next one also when it looked after %s and before the other was written, and says that it waits once',
    async (early) => {
      const { clock, warned, first, shown, server } = await served();
      const next = await selfSigned();
      put(early === 'tls.crt' ? { cert: next.cert, key: first.key } : { cert: first.cert, key: next.key });
      await clock.advance(30_000);
      expect(await shown()).toBe(fingerprint(first));
      expect(warned).toHaveLength(1);
      put(next);
      await clock.advance(10_000);
      expect(await shown()).toBe(fingerprint(next));
      expect(warned).toHaveLength(1);
      await server.close();
    },
  );

  it('says in one line which file is missing, or that it is no certificate', async () => {
    const { log } = listening();
    await expect(serveAdmissionFromFiles({ ...options, clock: new VirtualClock(), directory, log })).rejects.toThrow(
      /the certificate cannot be read: .*tls\.crt/,
    );
    put({ cert: 'none', key: 'none' });
    await expect(serveAdmissionFromFiles({ ...options, clock: new VirtualClock(), directory, log })).rejects.toThrow(
      /cannot be used: /,
    );
  });
});
