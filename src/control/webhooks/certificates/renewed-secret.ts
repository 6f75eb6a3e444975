import { X509Certificate } from 'node:crypto';
import type { Instant } from '../../../clock/clock.ts';
import { issueAuthority, issueCertificate } from '../../certificates/issue.ts';
import type { Renewal } from './decide.ts';
import { type CertificateSecret, entries, textIn } from './secret.ts';

/** Of a Service; the first is the one that API servers go by. */
type Hosts = readonly [string, ...string[]];

export interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

/**
 * The Secret after a renewal. What others keep in it or on it stays, its version too, so that it is written only over what was
 * seen. Keys of authorities that sign no more are gone.
 */
export async function renewedSecret(
  before: CertificateSecret | undefined,
  renewal: Renewal,
  { secret, hosts }: { readonly secret: SecretName; readonly hosts: Hosts },
): Promise<CertificateSecret> {
  const { authority, leaf, authorities } = renewal;
  const made =
    authority && (await issueAuthority(`cutover-webhooks-${stamp(authority.from)}`, authority.from, authority.until));
  const signing = leaf?.by ? { cert: leaf.by.pem, key: textIn(before, entries.signingKey) } : made;
  const served = leaf && signing && (await issueCertificate({ ca: signing, commonName: hosts[0], hosts, ...leaf }));
  const trusted = [...authorities.map(({ pem }) => pem), ...(made ? [onlyForm(made.cert)] : [])];
  const data = {
    ...before?.data,
    [entries.authorities]: encoded(trusted.join('')),
    ...(made && { [entries.signingKey]: encoded(made.key) }),
    ...(served && { [entries.certificate]: encoded(served.cert), [entries.key]: encoded(served.key) }),
  };
  if (before) return { ...before, data };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { ...secret }, type: 'kubernetes.io/tls', data };
}

/** The hosts of a Service, as API servers and pods call it. */
export function hostsOf(service: string, namespace: string): Hosts {
  const inside = `${service}.${namespace}.svc`;
  return [inside, `${inside}.cluster.local`, `${service}.${namespace}`, service];
}

/** The form that authorities are compared in, which is Node's. */
const onlyForm = (pem: string): string => new X509Certificate(pem).toString();
const encoded = (text: string): string => Buffer.from(text).toString('base64');
const stamp = (at: Instant): string => new Date(at).toISOString().slice(0, 19);
