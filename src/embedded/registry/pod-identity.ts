import type { KubeObject } from '../../kube/object.ts';
import type { Cluster } from '../auth/cluster.ts';
import { issuer, type TokenIssuer } from '../auth/token-issuer.ts';
import type { User } from '../gate.ts';

/** How long the token that a pod finds mounted holds. */
const mountedSeconds = 3607;

interface Pod extends KubeObject {
  readonly spec?: { readonly serviceAccountName?: string };
}

const nameOf = (pod: Pod): string => pod.spec?.serviceAccountName || 'default';

/** Whom a program in a pod speaks for: the pod's ServiceAccount. */
export function accountOf(pod: Pod): User {
  const { namespace = '' } = pod.metadata;
  return {
    name: `system:serviceaccount:${namespace}:${nameOf(pod)}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}

/** The token that a pod finds mounted; empty when its ServiceAccount is not there. */
export function mountedToken(tokens: TokenIssuer, cluster: Cluster, pod: Pod): string {
  const { namespace = '', name: podName = '', uid: podUid = '' } = pod.metadata;
  const name = nameOf(pod);
  const uid = cluster.read('', 'serviceaccounts', namespace, name)?.metadata.uid;
  if (uid === undefined) return '';
  const bound = { kind: 'Pod', name: podName, uid: podUid } as const;
  return tokens.issue({ namespace, name, uid }, [issuer], mountedSeconds, bound).token;
}
