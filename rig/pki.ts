import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';

/** Everybody in the cluster who needs a certificate, with the subject that Kubernetes expects of them. */
const CLIENTS = {
  admin: 'O=system:masters, CN=rig-admin',
  'controller-manager': 'CN=system:kube-controller-manager',
  scheduler: 'CN=system:kube-scheduler',
  kubelet: 'O=system:nodes, CN=system:node:rig',
  proxy: 'CN=system:kube-proxy',
  'apiserver-kubelet-client': 'O=system:masters, CN=kube-apiserver-kubelet-client',
} as const;

export type Client = keyof typeof CLIENTS;

export interface Pki {
  /** The certificate that signs all others of the cluster. */
  readonly caPem: string;
  credentials(client: Client): { readonly certPem: string; readonly keyPem: string };
  /** The file of a certificate (`.crt`) or key (`.key`, `.pub`). */
  file(name: string): string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const LIFETIME_MS = 365 * 24 * 3600 * 1000;

/** Makes all keys and certificates of one cluster in `directory`. They live as long as the run does. */
export async function createPki(directory: string, serverAddresses: readonly string[]): Promise<Pki> {
  x509.cryptoProvider.set(webcrypto);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const save = (name: string, content: string): Promise<void> =>
    writeFile(join(directory, name), content, { mode: name.endsWith('.key') ? 0o600 : 0o644 });

  const ca = await authority('rig-ca');
  const frontProxy = await authority('rig-front-proxy-ca');
  await save('ca.crt', ca.certificate.toString('pem'));
  await save('ca.key', await privatePem(ca.keys.privateKey));
  await save('front-proxy-ca.crt', frontProxy.certificate.toString('pem'));

  const issue = async (name: string, by: Authority, subject: string, addresses: readonly string[]) => {
    const leaf = await issueLeaf(by, subject, addresses);
    await save(`${name}.crt`, leaf.certPem);
    await save(`${name}.key`, leaf.keyPem);
    return leaf;
  };
  const apiNames = [
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
  ];
  await issue('apiserver', ca, 'CN=kube-apiserver', ['localhost', ...apiNames, ...serverAddresses]);
  await issue('kubelet-server', ca, 'CN=rig', ['localhost', 'rig', ...serverAddresses]);
  await issue('front-proxy-client', frontProxy, 'CN=front-proxy-client', []);
  const clients = new Map<string, { certPem: string; keyPem: string }>();
  for (const [name, subject] of Object.entries(CLIENTS)) clients.set(name, await issue(name, ca, subject, []));

  const serviceAccounts = await generateKeys();
  await save('service-accounts.key', await privatePem(serviceAccounts.privateKey));
  const publicKey = await webcrypto.subtle.exportKey('spki', serviceAccounts.publicKey);
  await save('service-accounts.pub', x509.PemConverter.encode(publicKey, 'PUBLIC KEY'));

  return {
    caPem: ca.certificate.toString('pem'),
    credentials: (client) => clients.get(client) as { certPem: string; keyPem: string },
    file: (name) => join(directory, name),
  };
}

interface Authority {
  readonly certificate: x509.X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
}

async function authority(name: string): Promise<Authority> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: `CN=${name}`,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate, keys };
}

/** A server's certificate when it has addresses, otherwise a client's. */
async function issueLeaf(by: Authority, subject: string, addresses: readonly string[]) {
  const keys = await generateKeys();
  const names = addresses.map((value) => ({
    type: /^[\d.]+$/.test(value) ? ('ip' as const) : ('dns' as const),
    value,
  }));
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity(),
    subject,
    issuer: by.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: by.keys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([
        addresses.length > 0 ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth,
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(by.certificate),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
    ],
  });
  return { certPem: certificate.toString('pem'), keyPem: await privatePem(keys.privateKey) };
}

/** From an hour ago, so that a clock that is set back a little does no harm. */
function validity(): { readonly notBefore: Date; readonly notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - 3600_000), notAfter: new Date(now + LIFETIME_MS) };
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
