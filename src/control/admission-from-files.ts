import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import { type AdmissionOptions, type Certificate, serveAdmission } from './admission.ts';

export interface FromFilesOptions extends Omit<AdmissionOptions, 'certificate'> {
  /** Holds `tls.crt` and `tls.key`, as a mounted Secret does. */
  readonly directory: string;
}

/** The certificate cannot be used; the message says which file and why. */
export class CertificateFilesError extends Error {
  override readonly name = 'CertificateFilesError';
}

/** A renewed certificate is noticed within this time; mounted Secrets tell nobody when they change. */
const lookEveryMs = 10_000;

/**
 * Serves admission with the certificate of a directory, and with the new one when it is renewed there. What cannot be read
 * or used is said in the log, and the certificate before it stays.
 *
 * @throws CertificateFilesError when there is none to begin with
 */
export async function serveAdmissionFromFiles(options: FromFilesOptions): Promise<{ close(): Promise<void> }> {
  const { directory, log, ...rest } = options;
  const server = await serveAdmission({ ...rest, log, certificate: certificateIn(directory) }).catch((cause: Error) => {
    if ((cause as NodeJS.ErrnoException).syscall === 'listen') throw cause;
    throw new CertificateFilesError(`the certificate in ${directory} cannot be used: ${cause.message}`, { cause });
  });
  log.info({ port: server.port }, 'admission webhooks are served');
  const file = join(directory, 'tls.crt');
  watchFile(file, { interval: lookEveryMs, persistent: false }, () => {
    try {
      server.reload(certificateIn(directory));
      log.info({ directory }, 'the certificate of the admission webhooks was renewed');
    } catch (error) {
      log.warn({ directory, error }, 'the renewed certificate cannot be used; the one before it stays');
    }
  });
  return {
    close() {
      unwatchFile(file);
      return server.close();
    },
  };
}

function certificateIn(directory: string): Certificate {
  try {
    const [cert, key] = ['tls.crt', 'tls.key'].map((name) => readFileSync(join(directory, name), 'utf8'));
    return { cert: cert ?? '', key: key ?? '' };
  } catch (cause) {
    throw new CertificateFilesError(`the certificate cannot be read: ${(cause as Error).message}`, { cause });
  }
}
