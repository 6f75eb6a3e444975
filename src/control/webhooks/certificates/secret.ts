import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KubeObject } from '../../../kube/object.ts';
import type { Certificate } from '../../certificates/certificate-files.ts';
import type { Authority, Kept, Leaf } from './view.ts';

/** As it is stored; whoever has the right may have written anything into it. */
export interface CertificateSecret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, unknown>> | null;
}

/** What is stored under which name. `tls.crt` and `tls.key` are those of every Secret of type `kubernetes.io/tls`. */
export const entries = {
  authorities: 'ca.crt',
  /** Of one of the authorities. */
  signingKey: 'ca.key',
  certificate: 'tls.crt',
  key: 'tls.key',
} as const;

/** Longer texts are nobody's certificates. */
const longest = 256 * 1024;

/** What the Secret holds, as far as it can be used; nothing is what it holds that cannot be read. Never throws. */
export function keptIn(secret: CertificateSecret | undefined, host: string): Kept {
  const found = certificatesIn(textIn(secret, entries.authorities)).filter(({ ca }) => ca);
  const known = found.map((one) => ({ one, authority: authorityOf(one) }));
  const authorities = known.map(({ authority }) => authority);
  const signingKey = textIn(secret, entries.signingKey);
  const signer = known.find(({ one }) => belongs(one, signingKey))?.authority;
  const served = servedIn(secret);
  const [own] = certificatesIn(served?.cert ?? '');
  const leaf = own && leafOf(own, host, known);
  return { authorities, ...(signer && { signer }), ...(leaf && { leaf }) };
}

/** The certificate that a server can show, whether or not anybody trusts it. */
export function servedIn(secret: CertificateSecret | undefined): Certificate | undefined {
  const [cert, key] = [textIn(secret, entries.certificate), textIn(secret, entries.key)];
  const [own] = certificatesIn(cert);
  return own && belongs(own, key) ? { cert, key } : undefined;
}

export function textIn(secret: CertificateSecret | undefined, entry: string): string {
  const data = secret?.data;
  const text = data && Object.hasOwn(data, entry) ? data[entry] : undefined;
  return typeof text === 'string' && text.length <= longest ? Buffer.from(text, 'base64').toString('utf8') : '';
}

interface Known {
  readonly one: X509Certificate;
  readonly authority: Authority;
}

function leafOf(own: X509Certificate, host: string, known: readonly Known[]): Leaf {
  const voucher = known.find(({ one }) => vouches(one, own))?.authority;
  return {
    ...termOf(own),
    ...(voucher && { authority: voucher }),
    named: own.checkHost(host) !== undefined,
  };
}

function authorityOf(certificate: X509Certificate): Authority {
  return { pem: certificate.toString(), ...termOf(certificate) };
}

function termOf({ validFromDate, validToDate }: X509Certificate): { readonly from: number; readonly until: number } {
  return { from: validFromDate.getTime(), until: validToDate.getTime() };
}

/** Every certificate in a text, one of each; what is none is passed over. */
function certificatesIn(text: string): readonly X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const found = blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
  return [...new Map(found.map((one) => [one.fingerprint256, one])).values()];
}

function belongs(certificate: X509Certificate, key: string): boolean {
  try {
    return key !== '' && certificate.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function vouches(authority: X509Certificate, certificate: X509Certificate): boolean {
  try {
    return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
  } catch {
    return false;
  }
}
