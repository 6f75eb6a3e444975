import type { Instant } from '../../../clock/clock.ts';
import type { Lifetimes } from './lifetimes.ts';
import { type Authority, bundleOf, type Carrier, type CertificatesView, type Kept } from './view.ts';

/** From when until when something is to be valid. */
export interface Term {
  readonly from: Instant;
  readonly until: Instant;
}

export interface LeafOrder extends Term {
  /** Who signs it, one whose key is there; absent: the new authority. */
  readonly by?: Authority;
}

/** One write of the Secret. It holds only if the Secret is still as it was seen. */
export interface Renewal {
  readonly do: 'renew';
  /** Those that stay; what is not here is forgotten, with its key. */
  readonly authorities: readonly Authority[];
  /** A new one, which comes last and signs from now on. */
  readonly authority?: Term;
  /** A new certificate to serve. */
  readonly leaf?: LeafOrder;
  /** For the log. */
  readonly why: string;
}

/** One write of a configuration. It holds only if that is still as it was seen. */
export interface Carrying {
  readonly do: 'carry';
  readonly kind: Carrier['kind'];
  readonly bundle: string;
}

export interface CertificatesDecision {
  readonly actions: readonly (Carrying | Renewal)[];
  /** When to look again although nothing changed. */
  readonly wakeAt?: Instant;
  /** After how long, by a clock that does not jump. */
  readonly wakeInMs?: number;
}

/** Authorities are a year old before another comes; more than a few means that clocks disagree. */
const mostAuthorities = 5;

/**
 * What to do about the certificates of the webhooks.
 *
 * Guarantee: once the configurations carry what is kept, no API server that reads them within `settleMs` ever distrusts a
 * replica, whichever certificate that replica still serves, unless somebody else takes keys or bundles away:
 *
 * - an authority signs nothing that is served before everybody has trusted it for `settleMs`;
 * - one that signed something is trusted until it has ended, and nothing that it signed is valid for longer than itself;
 * - what cannot be trusted anyway (no certificate, ended, for another name, its authority lost) is replaced at once.
 *
 * There is no state but the Secret and the configurations, so it does not matter who does the next step, nor who died before it.
 */
export function decideCertificates(view: CertificatesView, lifetimes: Lifetimes): CertificatesDecision {
  const { kept, carriers, carriedForMs } = view;
  const wanted = bundleOf(kept.authorities);
  const behind =
    kept.authorities.length > 0 ? carriers.filter(({ bundles }) => bundles.some((one) => one !== wanted)) : [];
  const carried = behind.length === 0 && carriedForMs >= lifetimes.settleMs;
  const renewal = renewalOf(view, lifetimes, carried);
  const waits = isWaiting(kept) && renewal === undefined && behind.length === 0;
  const wakeAt = nextChange(view, lifetimes);
  return {
    actions: [
      ...behind.map(({ kind }): Carrying => ({ do: 'carry', kind, bundle: wanted })),
      ...(renewal ? [renewal] : []),
    ],
    ...(wakeAt !== undefined && { wakeAt }),
    ...(waits && { wakeInMs: Math.max(0, lifetimes.settleMs - carriedForMs) }),
  };
}

function renewalOf({ now, kept }: CertificatesView, lifetimes: Lifetimes, carried: boolean): Renewal | undefined {
  const { authorities, signer, leaf } = kept;
  const living = authorities.filter(({ until }) => until + lifetimes.graceMs > now);
  const canSign = signer !== undefined && isValid(signer, now);
  const authority: Term = { from: now, until: now + lifetimes.authorityMs };
  const leafBy = (by: Authority): LeafOrder => ({ ...leafUntil(by.until), by });
  const leafUntil = (end: Instant): LeafOrder => ({ from: now, until: Math.min(now + lifetimes.leafMs, end) });
  const fault = faultOf(kept, now);

  if (fault !== undefined && canSign) return { do: 'renew', authorities: living, leaf: leafBy(signer), why: fault };
  if (fault !== undefined)
    return {
      do: 'renew',
      authorities: bounded(living, undefined),
      authority,
      leaf: leafUntil(authority.until),
      why: fault,
    };
  if (!canSign || isDue(signer, now)) {
    const why = canSign ? 'two thirds of the time of the authority are over' : 'there is no authority that can sign';
    return { do: 'renew', authorities: bounded(living, leaf?.authority), authority, why };
  }
  if (isWaiting(kept)) {
    const why = 'the new authority is trusted by now';
    return carried ? { do: 'renew', authorities: living, leaf: leafBy(signer), why } : undefined;
  }
  if (leaf && isDue(leaf, now)) {
    const why = 'two thirds of the time of the certificate are over';
    return { do: 'renew', authorities: living, leaf: leafBy(signer), why };
  }
  if (living.length < authorities.length) return { do: 'renew', authorities: living, why: 'an authority has ended' };
  return undefined;
}

/** Why what is served cannot be trusted by anybody, so that there is nothing to lose. */
export function faultOf({ leaf }: Kept, now: Instant): string | undefined {
  if (!leaf) return 'there is no certificate with its key';
  if (!leaf.named) return 'the certificate is for another Service';
  if (!leaf.authority || !isValid(leaf.authority, now)) return 'nobody vouches for the certificate';
  if (leaf.until <= now) return 'the certificate has ended';
  return leaf.from > now ? 'the certificate begins in the future' : undefined;
}

/** Whether the next certificate comes from another authority than the one that is served. */
function isWaiting({ leaf, signer }: Kept): boolean {
  return leaf?.authority !== undefined && signer !== undefined && leaf.authority.pem !== signer.pem;
}

function isValid({ from, until }: Term, now: Instant): boolean {
  return from <= now && now < until;
}

function isDue(term: Term, now: Instant): boolean {
  return now >= dueAt(term);
}

function dueAt({ from, until }: Term): Instant {
  return from + ((until - from) * 2) / 3;
}

/** The newest, and the one that vouches for what is served. */
function bounded(authorities: readonly Authority[], needed: Authority | undefined): readonly Authority[] {
  const newest = authorities.slice(1 - mostAuthorities);
  return needed && !newest.some(({ pem }) => pem === needed.pem) ? [needed, ...newest.slice(1)] : newest;
}

/** When time alone changes what is to be done. */
function nextChange({ now, kept }: CertificatesView, { graceMs }: Lifetimes): Instant | undefined {
  const { authorities, signer, leaf } = kept;
  const times = [
    ...(signer ? [dueAt(signer), signer.until] : []),
    ...(leaf ? [dueAt(leaf), leaf.until] : []),
    ...authorities.flatMap(({ until }) => [until, until + graceMs]),
  ].filter((time) => time > now);
  return times.length > 0 ? Math.min(...times) : undefined;
}
