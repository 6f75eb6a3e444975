import { X509Certificate } from 'node:crypto';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
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
  /** Hears when what is served ends. */
  readonly onEnd?: CertificateEnd;
}

/**
 * Runs a server with the certificate of a directory, and with the new one when it is renewed there. What cannot be read or
 * used is said in the log, and the certificate before it stays.
 *
 * @throws CertificateFilesError when there is none to begin with
 */
export async function withCertificateFiles<S extends CertifiedServer>(
  { directory, what, log, onEnd }: CertificateFiles,
  serve: (certificate: Certificate) => Promise<S>,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const first = certificateIn(directory);
  const server = await serve(first).catch((cause: Error) => {
    if ((cause as NodeJS.ErrnoException).syscall === 'listen') throw cause;
    throw new CertificateFilesError(`the certificate in ${directory} cannot be used: ${cause.message}`, { cause });
  });
  onEnd?.(endOf(first));
  const file = join(directory, 'tls.crt');
  watchFile(file, { interval: lookEveryMs, persistent: false }, () => {
    try {
      const next = certificateIn(directory);
      server.reload(next);
      onEnd?.(endOf(next));
      log.info({ directory }, `the certificate of ${what} was renewed`);
    } catch (error) {
      log.warn({ directory, error }, 'the renewed certificate cannot be used; the one before it stays');
    }
  });
  return {
    port: server.port,
    close() {
      unwatchFile(file);
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
