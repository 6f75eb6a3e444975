import type { Instant } from '../../../clock/clock.ts';

/** A certificate that vouches for others. */
export interface Authority {
  /** One certificate in the one form that all are compared in. */
  readonly pem: string;
  readonly from: Instant;
  readonly until: Instant;
}

/** The certificate that is served. */
export interface Leaf {
  readonly from: Instant;
  readonly until: Instant;
  /** Who vouches for it; absent: nobody in the Secret. */
  readonly authority?: Authority;
  /** Whether it is for the Service. */
  readonly named: boolean;
}

/** What is kept in the Secret, as far as it can be used. Nothing at all when there is no Secret. */
export interface Kept {
  /** Everybody whom the API servers are to trust, oldest first. */
  readonly authorities: readonly Authority[];
  /** The one of them whose key is there. */
  readonly signer?: Authority;
  /** Only with the key that belongs to it. */
  readonly leaf?: Leaf;
}

/** A webhook configuration that is there. */
export interface Carrier {
  readonly kind: 'validating' | 'mutating';
  /** The authorities that each of our entries carries, as text. */
  readonly bundles: readonly string[];
}

/**
 * What is known of the certificates.
 *
 * The carriers must have been read before the Secret was: whoever writes a bundle then writes one that is at least as new as the
 * one that it replaces, for a change of the carrier in between makes the write fail.
 */
export interface CertificatesView {
  readonly now: Instant;
  readonly kept: Kept;
  readonly carriers: readonly Carrier[];
  /** For how long, by a clock that does not jump, these carriers have been seen as they are now, carrying what is kept. */
  readonly carriedForMs: number;
}

/** What the API servers are to trust. */
export function bundleOf(authorities: readonly Pick<Authority, 'pem'>[]): string {
  return authorities.map(({ pem }) => pem).join('');
}
