import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { Subject } from './kube-shapes.ts';

const selfSubjectReviews: ResourceType = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  namespaced: false,
};

interface SelfSubjectReview extends KubeObject {
  readonly status?: { readonly userInfo?: { readonly username?: string } };
}

/**
 * The ServiceAccount that the operator runs as, by the cluster's word; asked until it has answered. `undefined` for anybody
 * else, such as an administrator at a keyboard, and while a server does not tell: they have the rights that they have. A
 * server that starts may not know the question yet.
 *
 * Errors: `KubeError` when the cluster cannot be asked just now.
 */
export function ownAccount(client: Client): (signal: AbortSignal) => Promise<Subject | undefined> {
  let known: { readonly account: Subject | undefined } | undefined;
  return async (signal) => {
    if (known) return known.account;
    const user = await username(client, signal);
    if (user !== undefined) known = { account: accountOf(user) };
    return known?.account;
  };
}

async function username(client: Client, signal: AbortSignal): Promise<string | undefined> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} };
  try {
    const { status } = await client.resource<SelfSubjectReview>(selfSubjectReviews).create(review, { signal });
    return status?.userInfo?.username ?? '';
  } catch (error) {
    if (isKubeError(error, 'not-found', 'forbidden')) return undefined;
    throw error;
  }
}

/** `system:serviceaccount:cutover:operator` */
function accountOf(user: string): Subject | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  return namespace && name ? { kind: 'ServiceAccount', namespace, name } : undefined;
}
