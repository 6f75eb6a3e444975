import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../clock/clock.ts';
import type { Log } from '../log.ts';
import type { CertificateEnd } from './certificate-end.ts';

/** PEM texts. The chain starts with the server's own certificate. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** The certificate cannot be used; the message says which file and why. */
export class CertificateFilesError extends Error {
  override readonly name = 'CertificateFilesError';
}

/** A renewed certificate is noticed within this time; mounted Secrets tell nobody when they change. */
const lookEveryMs = 10_000;

/** What a directory holds as `tls.crt` and `tls.key`, as a mounted Secret does. @throws CertificateFilesError */
export function certificateIn(directory: string): Certificate {
  try {
    const [cert, key] = ['tls.crt', 'tls.key'].map((name) => readFileSync(join(directory, name), 'utf8'));
    return { cert: cert ?? '', key: key ?? '' };
  } catch (cause) {
    throw new CertificateFilesError(`the certificate cannot be read: ${(cause as Error).message}`, { cause });
  }
}

export interface CertificateFiles {
  readonly directory: string;
  /** What is served, for the log. */
  readonly what: string;
  readonly log: Log;
  readonly clock: Pick<Clock, 'after'>;
  /** Hears when what is served ends. */
  readonly onEnd?: CertificateEnd;
}

/**
 * Runs a server with the certificate of a directory, and with the new one when it is renewed there. What cannot be read or
 * used is said in the log, once, and tried again at every look, for the two files may be written one after the other; the
 * certificate before it stays meanwhile.
 *
 * @throws CertificateFilesError when there is none to begin with
 */
export async function withCertificateFiles<S extends CertifiedServer>(
  { directory, what, log, clock, onEnd }: CertificateFiles,
  serve: (certificate: Certificate) => Promise<S>,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  let served = certificateIn(directory);
  const server = await serve(served).catch((cause: Error) => {
    if ((cause as NodeJS.ErrnoException).syscall === 'listen') throw cause;
    throw new CertificateFilesError(`the certificate in ${directory} cannot be used: ${cause.message}`, { cause });
  });
  onEnd?.(endOf(served));
  let said = false;
  const look = (): void => {
    try {
      const found = certificateIn(directory);
      if (found.cert !== served.cert || found.key !== served.key) {
        server.reload(found);
        served = found;
        onEnd?.(endOf(found));
        log.info({ directory }, `the certificate of ${what} was renewed`);
      }
      said = false;
    } catch (error) {
      if (!said) {
        const then = 'the one before it stays, and the new one is tried again every 10 s';
        log.warn({ directory, error }, `the renewed certificate of ${what} cannot be used; ${then}`);
      }
      said = true;
    }
    cancel = clock.after(lookEveryMs, look);
  };
  let cancel = clock.after(lookEveryMs, look);
  return {
    port: server.port,
    close() {
      cancel();
      return server.close();
    },
  };
}

/** Of the server's own, which comes first. It was served, so it can be read. */
function endOf({ cert }: Certificate): number {
  return new X509Certificate(cert).validToDate.getTime();
}

interface CertifiedServer {
  readonly port: number;
  /** New connections get this certificate; a bad one throws and changes nothing. */
  reload(certificate: Certificate): void;
  close(): Promise<void>;
}
