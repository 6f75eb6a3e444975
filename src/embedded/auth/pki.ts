import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { Clock } from '../../clock/clock.ts';
import { issueAuthority, issueCertificate, type KeyPair, newKey } from '../../control/certificates/issue.ts';
import { type PemFiles, pemFiles } from './pem-files.ts';

/** The keys and certificates of a cluster, as PEM. */
export interface Pki {
  /** The authority that everybody in the cluster trusts. */
  readonly ca: string;
  readonly server: KeyPair;
  /** A client certificate of the group `system:masters`, for the administrator's kubeconfig. */
  readonly admin: KeyPair;
  /** Signs the tokens of ServiceAccounts. */
  readonly accountKey: KeyObject;
}

export interface PkiOptions {
  /** Where keys and certificates are kept, each file readable by its owner only. Without it they end with the process. */
  readonly directory?: string;
  readonly clock: Clock;
  /** Names and addresses of the server, beyond those that every API server has. */
  readonly hosts?: readonly string[];
}

const day = 24 * 3600 * 1000;
const usualHosts = [
  'localhost',
  '127.0.0.1',
  '::1',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];

/**
 * Opens the cluster's keys and certificates: what is there and good is kept, what is missing, made for other hosts or
 * ends within thirty days is made anew. A new authority makes everything anew that it has to vouch for.
 */
export async function openPki({ directory, clock, hosts = [] }: PkiOptions): Promise<Pki> {
  const files = pemFiles(directory);
  const names = [...new Set([...usualHosts, ...hosts])];
  const now = clock.now();

  const keep = async (name: string, good: (pair: KeyPair) => boolean, make: () => Promise<KeyPair>) => {
    const present = readPair(files, name);
    if (present && good(present)) return present;
    const made = await make();
    files.write(`${name}.key`, made.key);
    files.write(`${name}.crt`, made.cert);
    return made;
  };

  const lasts = ({ cert }: KeyPair): boolean => new X509Certificate(cert).validToDate.getTime() - now > 30 * day;
  const ca = await keep('ca', lasts, () => issueAuthority('cutover-ca', now, now + 3650 * day));
  const vouched = (pair: KeyPair): boolean =>
    lasts(pair) && new X509Certificate(pair.cert).verify(new X509Certificate(ca.cert).publicKey);
  const until = now + 365 * day;

  const server = await keep(
    'server',
    (pair) => vouched(pair) && covers(new X509Certificate(pair.cert), names),
    () => issueCertificate({ ca, commonName: 'cutover', hosts: names, from: now, until }),
  );
  const admin = await keep('admin', vouched, () =>
    issueCertificate({ ca, commonName: 'cutover-admin', organization: 'system:masters', from: now, until }),
  );
  return { ca: ca.cert, server, admin, accountKey: await accountKey(files) };
}

async function accountKey(files: PemFiles): Promise<KeyObject> {
  const present = files.read('accounts.key');
  const key = present ?? (await newKey());
  if (present === undefined) files.write('accounts.key', key);
  return createPrivateKey(key);
}

function readPair(files: PemFiles, name: string): KeyPair | undefined {
  const cert = files.read(`${name}.crt`);
  const key = files.read(`${name}.key`);
  if (cert === undefined || key === undefined) return undefined;
  try {
    // A certificate beside another's key is what a crash between the two writes leaves behind.
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)) ? { cert, key } : undefined;
  } catch {
    return undefined;
  }
}

function covers(certificate: X509Certificate, hosts: readonly string[]): boolean {
  return hosts.every((host) => certificate.checkHost(host) !== undefined || certificate.checkIP(host) !== undefined);
}
