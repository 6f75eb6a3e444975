import type { Clock, Instant } from '../../clock/clock.ts';
import type { Metrics } from '../metrics.ts';

/** Hears when a certificate ends; nothing when there is none any more. */
export type CertificateEnd = (until: Instant | undefined) => void;

/** Lets metrics show how long the certificate of this name is still good, by what was told last. */
export function certificateEnd(
  metrics: Pick<Metrics, 'certificate'>,
  clock: Pick<Clock, 'now'>,
  name: string,
): CertificateEnd {
  let end: Instant | undefined;
  metrics.certificate(name, () => (end === undefined ? undefined : (end - clock.now()) / 1000));
  return (until) => {
    end = until;
  };
}
