import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../log.ts';

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

/**
 * Runs a server with the certificate of a directory, and with the new one when it is renewed there. What cannot be read or
 * used is said in the log, and the certificate before it stays.
 *
 * @throws CertificateFilesError when there is none to begin with
 */
export async function withCertificateFiles<S extends CertifiedServer>(
  { directory, what, log }: { readonly directory: string; readonly what: string; readonly log: Log },
  serve: (certificate: Certificate) => Promise<S>,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = await serve(certificateIn(directory)).catch((cause: Error) => {
    if ((cause as NodeJS.ErrnoException).syscall === 'listen') throw cause;
    throw new CertificateFilesError(`the certificate in ${directory} cannot be used: ${cause.message}`, { cause });
  });
  const file = join(directory, 'tls.crt');
  watchFile(file, { interval: lookEveryMs, persistent: false }, () => {
    try {
      server.reload(certificateIn(directory));
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

interface CertifiedServer {
  readonly port: number;
  /** New connections get this certificate; a bad one throws and changes nothing. */
  reload(certificate: Certificate): void;
  close(): Promise<void>;
}
