import { X509Certificate } from 'node:crypto';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import type { Identity } from '../../kube/identity.ts';
import { kinds } from '../../kube/kinds.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { invalidAuthToken } from './cf-error.ts';
import { cfErrorOf } from './kube-trouble.ts';

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
  const cert = blocks(pem, /^CERTIFICATE$/);
  const key = blocks(pem, /^([A-Z]+ )?PRIVATE KEY$/);
  if (!cert || !key) throw invalidAuthToken();
  return { certificate: { cert, key } };
}

/** Whom a token stands for, by the cluster's word. `client` is the operator's own. @throws CfError 401 */
export async function whoHasToken(client: Client, token: string): Promise<Who> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: {}, spec: { token } };
  const { status } = await client
    .resource<TokenReview>(kinds.tokenReviews)
    .create(review)
    .catch((error: unknown) => {
      throw cfErrorOf(error, { verb: 'write', label: 'TokenReview' });
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
    if (isKubeError(error, 'forbidden', 'unauthorized', 'refused')) throw invalidAuthToken();
    throw cfErrorOf(error, { verb: 'read', label: 'User' });
  }
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
  } catch {
    throw invalidAuthToken();
  }
}

/** A certificate of a stranger makes him `system:anonymous` to some servers: that is nobody. */
function somebody({ username, groups = [] }: UserInfo = {}): Who {
  if (!username || username === 'system:anonymous') throw invalidAuthToken();
  return { name: username, groups };
}

function blocks(pem: string, label: RegExp): string {
  const found = pem.matchAll(/-----BEGIN ([A-Z ]+)-----[\sA-Za-z0-9+/=]+-----END \1-----/g);
  return [...found].flatMap(([block, name = '']) => (label.test(name) ? [`${block}\n`] : [])).join('');
}
