import type { AnyObject } from '../kube/object.ts';

/** The order in which Helm creates kinds: what others need comes first. Kinds that are not here come last, by name. */
const order = [
  'PriorityClass',
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
];

/** Objects as Helm would create them; of one kind by namespace and name, so that the same values always give the same text. */
export function inInstallOrder(objects: readonly AnyObject[]): readonly AnyObject[] {
  return objects.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      compared(a.kind, b.kind) ||
      compared(a.metadata.namespace, b.metadata.namespace) ||
      compared(a.metadata.name, b.metadata.name),
  );
}

function rank({ kind }: AnyObject): number {
  const found = order.indexOf(kind ?? '');
  return found < 0 ? order.length : found;
}

function compared(a = '', b = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
