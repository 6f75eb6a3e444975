import type { Clock } from '../../clock/clock.ts';
import type { CertificateEnd } from '../certificates/certificate-end.ts';
import { withCertificateFiles } from '../certificates/certificate-files.ts';
import { type AdmissionOptions, serveAdmission } from './admission.ts';

export interface FromFilesOptions extends Omit<AdmissionOptions, 'certificate'> {
  /** Holds `tls.crt` and `tls.key`, as a mounted Secret does. */
  readonly directory: string;
  readonly clock: Pick<Clock, 'after'>;
  readonly onEnd?: CertificateEnd;
}

/**
 * Serves admission with the certificate of a directory, and with the new one when it is renewed there.
 *
 * @throws CertificateFilesError when there is none to begin with
 */
export async function serveAdmissionFromFiles(options: FromFilesOptions): Promise<{ close(): Promise<void> }> {
  const { directory, log, clock, onEnd, ...rest } = options;
  const files = { directory, log, clock, what: 'the admission webhooks', ...(onEnd && { onEnd }) };
  const server = await withCertificateFiles(files, (certificate) => serveAdmission({ ...rest, log, certificate }));
  log.info({ port: server.port }, 'admission webhooks are served');
  return server;
}
