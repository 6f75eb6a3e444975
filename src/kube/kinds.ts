import type { ResourceType } from './resource-type.ts';

const core = resources('', 'v1');
const apps = resources('apps', 'v1');
const batch = resources('batch', 'v1');
const rbac = resources('rbac.authorization.k8s.io', 'v1');
const authorization = resources('authorization.k8s.io', 'v1');
const admission = resources('admissionregistration.k8s.io', 'v1');
const storage = resources('storage.k8s.io', 'v1');
const networking = resources('networking.k8s.io', 'v1');

/** The kinds that come with every Kubernetes, as far as code here names them. */
export const kinds = {
  pods: core('Pod', 'pods'),
  services: core('Service', 'services'),
  endpoints: core('Endpoints', 'endpoints'),
  configMaps: core('ConfigMap', 'configmaps'),
  secrets: core('Secret', 'secrets'),
  serviceAccounts: core('ServiceAccount', 'serviceaccounts'),
  persistentVolumeClaims: core('PersistentVolumeClaim', 'persistentvolumeclaims'),
  replicationControllers: core('ReplicationController', 'replicationcontrollers'),
  resourceQuotas: core('ResourceQuota', 'resourcequotas'),
  limitRanges: core('LimitRange', 'limitranges'),
  namespaces: core('Namespace', 'namespaces', 'cluster'),
  nodes: core('Node', 'nodes', 'cluster'),
  persistentVolumes: core('PersistentVolume', 'persistentvolumes', 'cluster'),
  deployments: apps('Deployment', 'deployments'),
  replicaSets: apps('ReplicaSet', 'replicasets'),
  statefulSets: apps('StatefulSet', 'statefulsets'),
  daemonSets: apps('DaemonSet', 'daemonsets'),
  controllerRevisions: apps('ControllerRevision', 'controllerrevisions'),
  jobs: batch('Job', 'jobs'),
  cronJobs: batch('CronJob', 'cronjobs'),
  /** The events of today; the older `v1` events are the same objects seen through the core group. */
  events: resources('events.k8s.io', 'v1')('Event', 'events'),
  leases: resources('coordination.k8s.io', 'v1')('Lease', 'leases'),
  endpointSlices: resources('discovery.k8s.io', 'v1')('EndpointSlice', 'endpointslices'),
  podDisruptionBudgets: resources('policy', 'v1')('PodDisruptionBudget', 'poddisruptionbudgets'),
  horizontalPodAutoscalers: resources('autoscaling', 'v2')('HorizontalPodAutoscaler', 'horizontalpodautoscalers'),
  ingresses: networking('Ingress', 'ingresses'),
  networkPolicies: networking('NetworkPolicy', 'networkpolicies'),
  storageClasses: storage('StorageClass', 'storageclasses', 'cluster'),
  priorityClasses: resources('scheduling.k8s.io', 'v1')('PriorityClass', 'priorityclasses', 'cluster'),
  customResourceDefinitions: resources('apiextensions.k8s.io', 'v1')(
    'CustomResourceDefinition',
    'customresourcedefinitions',
    'cluster',
  ),
  roles: rbac('Role', 'roles'),
  roleBindings: rbac('RoleBinding', 'rolebindings'),
  clusterRoles: rbac('ClusterRole', 'clusterroles', 'cluster'),
  clusterRoleBindings: rbac('ClusterRoleBinding', 'clusterrolebindings', 'cluster'),
  tokenReviews: resources('authentication.k8s.io', 'v1')('TokenReview', 'tokenreviews', 'cluster'),
  subjectAccessReviews: authorization('SubjectAccessReview', 'subjectaccessreviews', 'cluster'),
  selfSubjectAccessReviews: authorization('SelfSubjectAccessReview', 'selfsubjectaccessreviews', 'cluster'),
  validatingWebhookConfigurations: admission(
    'ValidatingWebhookConfiguration',
    'validatingwebhookconfigurations',
    'cluster',
  ),
  mutatingWebhookConfigurations: admission('MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', 'cluster'),
} as const satisfies Record<string, ResourceType>;

function resources(group: string, version: string) {
  return (kind: string, plural: string, scope: 'namespace' | 'cluster' = 'namespace'): ResourceType => ({
    group,
    version,
    kind,
    plural,
    namespaced: scope === 'namespace',
  });
}
