import type { AnyObject } from '../../kube/object.ts';
import { groupOf } from '../graph/workload.ts';
import { quote } from '../template/format/quote.ts';

/** What objects have beside `apiVersion`, `kind` and `metadata`, by group and kind. Kinds that are not here have anything. */
const known: ReadonlyMap<string, readonly string[]> = new Map([
  ['/ConfigMap', ['data', 'binaryData', 'immutable']],
  ['/Secret', ['data', 'stringData', 'type', 'immutable']],
  ['/ServiceAccount', ['secrets', 'imagePullSecrets', 'automountServiceAccountToken']],
  ['rbac.authorization.k8s.io/Role', ['rules']],
  ['rbac.authorization.k8s.io/ClusterRole', ['rules', 'aggregationRule']],
  ['rbac.authorization.k8s.io/RoleBinding', ['subjects', 'roleRef']],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', ['subjects', 'roleRef']],
  ...['Service', 'Pod', 'PersistentVolumeClaim', 'PersistentVolume', 'ReplicationController', 'Namespace'].map(
    withSpec(''),
  ),
  ...['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'].map(withSpec('apps')),
  ...['Job', 'CronJob'].map(withSpec('batch')),
  ...['NetworkPolicy', 'Ingress'].map(withSpec('networking.k8s.io')),
  withSpec('policy')('PodDisruptionBudget'),
  withSpec('autoscaling')('HorizontalPodAutoscaler'),
]);

function withSpec(group: string): (kind: string) => [string, readonly string[]] {
  return (kind) => [`${group}/${kind}`, ['spec', 'status']];
}

const always = ['apiVersion', 'kind', 'metadata'];

/**
 * An object without fields of the outermost level that its kind does not have. KUDO dropped them; a server-side apply
 * refuses the whole object. (Further inside the API server says by itself what is wrong, with the path.)
 */
export function knownFields(object: AnyObject): { readonly object: AnyObject; readonly warnings: readonly string[] } {
  const fields = known.get(`${groupOf(object.apiVersion)}/${object.kind}`);
  const unknown = fields ? Object.keys(object).filter((key) => !always.includes(key) && !fields.includes(key)) : [];
  if (unknown.length === 0) return { object, warnings: [] };
  const kept = Object.entries(object).filter(([key]) => !unknown.includes(key));
  return {
    object: Object.fromEntries(kept) as unknown as AnyObject,
    warnings: unknown.map((key) => `${object.kind} ${object.metadata.name}: there is no field ${quote(key)}, left out`),
  };
}
