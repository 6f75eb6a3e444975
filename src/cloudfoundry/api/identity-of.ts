import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import type { Identity } from '../../kube/identity.ts';
import { kinds } from '../../kube/kinds.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { type CfError, failure, invalidAuthToken } from './cf-error.ts';
import { cfErrorOf, ownTrouble } from './kube-trouble.ts';

/** Who somebody is to Kubernetes. */
export interface Who {
  readonly name: string;
  readonly groups: readonly string[];
}

const selfSubjectReviews: ResourceType = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  namespaced: false,
};

interface TokenReview extends KubeObject {
  readonly spec: { readonly token: string };
  readonly status?: { readonly authenticated?: boolean; readonly user?: UserInfo };
}

interface SelfSubjectReview extends KubeObject {
  readonly status?: { readonly userInfo?: UserInfo };
}

interface UserInfo {
  readonly username?: string;
  readonly groups?: readonly string[];
}

/**
 * The credentials that an `Authorization` header carries, as they go to Kubernetes: `Bearer <token>`, or `ClientCert` with
 * certificate and key as PEM in base64, which is how `cf` sends a client certificate.
 * @throws CfError 401
 */
export function credentialsIn(authorization: string): Identity {
  const [, scheme = '', rest = ''] = /^(\S+) +(\S+) *$/.exec(authorization) ?? [];
  if (/^bearer$/i.test(scheme)) return { authorization: `Bearer ${rest}` };
  if (!/^clientcert$/i.test(scheme)) throw invalidAuthToken();
  const pem = Buffer.from(rest, 'base64').toString('utf8');
  const cert = blocks(pem, /^CERTIFICATE$/).join('');
  const key = blocks(pem, /^([A-Z]+ )?PRIVATE KEY$/).join('');
  if (!cert || !key) throw invalidAuthToken();
  return { certificate: { cert, key } };
}

/**
 * Refuses what no connection could be made with: certificates that are none, a key that is not the certificate's. Costs a few
 * hundred microseconds. Returns the certificates as PEM. @throws CfError 401
 */
export function mustFit({ cert, key }: NonNullable<Identity['certificate']>): string {
  const pem = String(cert);
  try {
    const [own] = blocks(pem, /^CERTIFICATE$/).map((block) => new X509Certificate(block));
    if (own?.checkPrivateKey(createPrivateKey(key))) return pem;
  } catch {
    // Whatever it is, it is no certificate with its key.
  }
  throw invalidAuthToken();
}

/** Whom a token stands for, by the cluster's word. `client` is the operator's own. @throws CfError 401; 503 when it may not ask */
export async function whoHasToken(client: Client, token: string): Promise<Who> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: {}, spec: { token } };
  const { status } = await client
    .resource<TokenReview>(kinds.tokenReviews)
    .create(review)
    .catch((error: unknown) => {
      if (isKubeError(error, 'refused')) throw invalidAuthToken();
      if (isKubeError(error, 'not-found')) throw failure(503, 'The cluster does not tell whose tokens are.', error);
      throw ownTrouble(error);
    });
  if (status?.authenticated !== true) throw invalidAuthToken();
  return somebody(status.user);
}

/** Whom a certificate stands for: the server is asked with that certificate. @throws CfError 401 */
export async function whoHasCertificate(asHim: Client, cert: string): Promise<Who> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} };
  try {
    const { status } = await asHim.resource<SelfSubjectReview>(selfSubjectReviews).create(review);
    return somebody(status?.userInfo);
  } catch (error) {
    if (isKubeError(error, 'not-found')) return await namedByCertificate(asHim, cert);
    throw refusalOf(error);
  }
}

/** What became of a question that was asked with the certificate: it is refused, or nobody could be asked. */
function refusalOf(error: unknown): CfError {
  if (isKubeError(error, 'forbidden', 'unauthorized', 'refused', 'not-found')) return invalidAuthToken();
  return cfErrorOf(error, { verb: 'read', label: 'User' });
}

/** Servers before 1.28 cannot tell: that they let him ask at all proves the certificate, and the certificate has the name. */
async function namedByCertificate(asHim: Client, cert: string): Promise<Who> {
  const spec = { resourceAttributes: { verb: 'get', resource: 'namespaces' } };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: {}, spec };
  try {
    await asHim.resource(kinds.selfSubjectAccessReviews).create(review);
    const { subject } = new X509Certificate(cert);
    const entries = subject.split('\n').map((line) => line.split('=', 2) as [string, string]);
    const groups = entries.flatMap(([name, value]) => (name === 'O' ? [value] : []));
    const username = entries.find(([name]) => name === 'CN')?.[1];
    return somebody({ ...(username && { username }), groups: [...groups, 'system:authenticated'] });
  } catch (error) {
    throw refusalOf(error);
  }
}

/** A certificate of a stranger makes him `system:anonymous` to some servers: that is nobody. */
function somebody({ username, groups = [] }: UserInfo = {}): Who {
  if (!username || username === 'system:anonymous') throw invalidAuthToken();
  return { name: username, groups };
}

function blocks(pem: string, label: RegExp): readonly string[] {
  const found = pem.matchAll(/-----BEGIN ([A-Z ]+)-----[\sA-Za-z0-9+/=]+-----END \1-----/g);
  return [...found].flatMap(([block, name = '']) => (label.test(name) ? [`${block}\n`] : []));
}
