import type { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate and its private key, as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateRequest {
  readonly ca: KeyPair;
  readonly commonName: string;
  /** Kubernetes reads it as a group. */
  readonly organization?: string;
  /** Names and addresses; a certificate with hosts is a server's, one without a client's. */
  readonly hosts?: readonly string[];
  readonly from: number;
  readonly until: number;
}

const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const signing = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** The library takes long to load and is needed only when something is issued. */
async function x509() {
  await import('reflect-metadata');
  const library = await import('@peculiar/x509');
  library.cryptoProvider.set(crypto);
  return library;
}

/** A self-signed authority. */
export async function issueAuthority(commonName: string, from: number, until: number): Promise<KeyPair> {
  const library = await x509();
  const keys = await crypto.subtle.generateKey(curve, true, ['sign', 'verify']);
  const certificate = await library.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: [{ CN: [commonName] }],
    notBefore: new Date(from - 3600_000),
    notAfter: new Date(until),
    keys,
    signingAlgorithm: signing,
    extensions: [
      new library.BasicConstraintsExtension(true, undefined, true),
      new library.KeyUsagesExtension(
        library.KeyUsageFlags.keyCertSign | library.KeyUsageFlags.cRLSign | library.KeyUsageFlags.digitalSignature,
        true,
      ),
      await library.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: certificate.toString('pem'), key: await privatePem(keys.privateKey) };
}

/** A certificate that the authority vouches for. */
export async function issueCertificate(request: CertificateRequest): Promise<KeyPair> {
  const { ca, commonName, organization, hosts = [], from, until } = request;
  const library = await x509();
  const authority = new library.X509Certificate(ca.cert);
  const keys = await crypto.subtle.generateKey(curve, true, ['sign', 'verify']);
  const names = hosts.map((host) => ({ type: isIP(host) ? ('ip' as const) : ('dns' as const), value: host }));
  const usage = hosts.length > 0 ? library.ExtendedKeyUsage.serverAuth : library.ExtendedKeyUsage.clientAuth;
  const certificate = await library.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: [...(organization ? [{ O: [organization] }] : []), { CN: [commonName] }],
    issuer: authority.subject,
    notBefore: new Date(from - 3600_000),
    notAfter: new Date(until),
    publicKey: keys.publicKey,
    signingKey: await crypto.subtle.importKey('pkcs8', fromPem(ca.key), curve, false, ['sign']),
    signingAlgorithm: signing,
    extensions: [
      new library.BasicConstraintsExtension(false, undefined, true),
      new library.KeyUsagesExtension(library.KeyUsageFlags.digitalSignature, true),
      new library.ExtendedKeyUsageExtension([usage]),
      await library.AuthorityKeyIdentifierExtension.create(authority),
      ...(names.length > 0 ? [new library.SubjectAlternativeNameExtension(names)] : []),
    ],
  });
  return { cert: certificate.toString('pem'), key: await privatePem(keys.privateKey) };
}

/** A new private key for signing tokens. */
export async function newKey(): Promise<string> {
  const keys = await crypto.subtle.generateKey(curve, true, ['sign', 'verify']);
  return privatePem(keys.privateKey);
}

/** A positive number of 128 random bits, in hexadecimal. */
function serial(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[0] = ((bytes[0] as number) & 0x7f) | 0x40;
  return Buffer.from(bytes).toString('hex');
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${der.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

const fromPem = (pem: string): Buffer => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
