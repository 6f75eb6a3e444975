import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { Client } from '../../kube/client.ts';
import type { CertificateEnd } from '../certificates/certificate-end.ts';
import { type AdmissionOptions, serveAdmission } from './admission.ts';
import { keepCertificates } from './certificates/keep.ts';
import { type Lifetimes, usualLifetimes } from './certificates/lifetimes.ts';

export interface OfServiceOptions extends Omit<AdmissionOptions, 'certificate'> {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  /** The operator's own. */
  readonly namespace: string;
  /** By which API servers reach the webhooks. The Secret `<service>-certificates` beside it keeps the certificates. */
  readonly service: string;
  /** The name of the webhook configurations, of both kinds, that are to trust them. */
  readonly configuration: string;
  /** Serve what is there and write nothing. */
  readonly observeOnly?: boolean;
  readonly lifetimes?: Lifetimes;
  /** Hear when what is served, and the authority that signs, end. */
  readonly onEnd?: { readonly certificate: CertificateEnd; readonly authority: CertificateEnd };
}

/**
 * Serves admission with certificates that the operator keeps itself. Resolves as soon as the port is open: nothing else waits
 * for certificates, and nothing ends when there are none.
 */
export async function serveAdmissionOfService(
  options: OfServiceOptions,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const { log, observeOnly = false, lifetimes = usualLifetimes, onEnd } = options;
  const server = await serveAdmission(options);
  log.info({ port: server.port, service: options.service }, 'admission webhooks are served');
  const stop = new AbortController();
  const kept = keepCertificates({
    ...options,
    observeOnly,
    lifetimes,
    signal: stop.signal,
    serve: (certificate) => server.reload(certificate),
    onEnds: ({ certificate, authority }) => {
      onEnd?.certificate(certificate);
      onEnd?.authority(authority);
    },
  });
  return {
    port: server.port,
    async close() {
      stop.abort();
      await kept;
      await server.close();
    },
  };
}
