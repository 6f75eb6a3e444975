import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { Refusal } from '../http/refusal.ts';

/** Who somebody is to Kubernetes. */
export interface Who {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

interface TokenReview extends KubeObject {
  readonly spec: { readonly token: string };
  readonly status?: { readonly authenticated?: boolean; readonly user?: UserInfo };
}

interface SelfSubjectReview extends KubeObject {
  readonly status?: { readonly userInfo?: UserInfo };
}

const selfSubjectReviews: ResourceType = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  namespaced: false,
};

/** Whom a token stands for, by the cluster's word. `client` is the operator's own. @throws Refusal 401, 503 */
export async function whoHasToken(client: Client, token: string): Promise<Who> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: {}, spec: { token } };
  const { status } = await client
    .resource<TokenReview>(kinds.tokenReviews)
    .create(review)
    .catch((error: unknown) => {
      if (isKubeError(error, 'refused')) throw badToken();
      throw cannotTell(error);
    });
  if (status?.authenticated !== true) throw badToken();
  return somebody(status.user);
}

/** Who asks with this client. @throws Refusal 401, 503 */
export async function whoAsks(client: Client): Promise<Who> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} };
  const { status } = await client
    .resource<SelfSubjectReview>(selfSubjectReviews)
    .create(review)
    .catch((error: unknown) => {
      if (isKubeError(error, 'unauthorized', 'forbidden')) throw badToken();
      throw cannotTell(error);
    });
  return somebody(status?.userInfo);
}

/** When a token ends, if it says so: a JSON Web Token does. Only for tokens that the cluster has vouched for. */
export function tokenEnd(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined;
    const end = typeof exp === 'number' ? exp * 1000 : Number.NaN;
    return Number.isFinite(end) ? end : undefined;
  } catch {
    return undefined;
  }
}

function somebody({ username, uid, groups = [], extra }: UserInfo = {}): Who {
  if (!username || username === 'system:anonymous') throw badToken();
  return { name: username, groups, ...(uid && { uid }), ...(extra && { extra }) };
}

export function badToken(): Refusal {
  return new Refusal(
    401,
    'The cluster does not accept this token: it is wrong or has expired. Make one with `kubectl create token NAME`.',
  );
}

function cannotTell(error: unknown): Refusal {
  if (isKubeError(error, 'forbidden', 'not-found')) {
    return new Refusal(
      503,
      'The operator may not ask the cluster whose token this is: let it create tokenreviews (its chart does).',
    );
  }
  return new Refusal(503, 'The cluster cannot be asked who you are right now. Try again in a moment.');
}
