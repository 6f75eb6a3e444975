/** What the embedded server serves of one group and version: each resource with its subresources. */
export interface Served {
  readonly group: string;
  readonly version: string;
  readonly resources: Readonly<Record<string, readonly string[]>>;
}

/**
 * The built-in part of the embedded server's API, in the order in which the real server lists the groups. What is not
 * here has nothing behind it in the embedded server (no controller, no enforcement), so it is not offered at all.
 */
export const served: readonly Served[] = [
  {
    group: '',
    version: 'v1',
    resources: {
      configmaps: [],
      endpoints: [],
      events: [],
      limitranges: [],
      namespaces: ['finalize', 'status'],
      nodes: ['status'],
      persistentvolumeclaims: ['status'],
      persistentvolumes: ['status'],
      pods: ['binding', 'eviction', 'exec', 'log', 'proxy', 'status'],
      podtemplates: [],
      resourcequotas: ['status'],
      secrets: [],
      serviceaccounts: ['token'],
      services: ['proxy', 'status'],
    },
  },
  {
    group: 'apps',
    version: 'v1',
    resources: {
      controllerrevisions: [],
      daemonsets: ['status'],
      deployments: ['scale', 'status'],
      replicasets: ['scale', 'status'],
      statefulsets: ['scale', 'status'],
    },
  },
  { group: 'events.k8s.io', version: 'v1', resources: { events: [] } },
  { group: 'authentication.k8s.io', version: 'v1', resources: { selfsubjectreviews: [], tokenreviews: [] } },
  {
    group: 'authorization.k8s.io',
    version: 'v1',
    resources: {
      localsubjectaccessreviews: [],
      selfsubjectaccessreviews: [],
      selfsubjectrulesreviews: [],
      subjectaccessreviews: [],
    },
  },
  { group: 'autoscaling', version: 'v2', resources: { horizontalpodautoscalers: ['status'] } },
  { group: 'autoscaling', version: 'v1', resources: { horizontalpodautoscalers: ['status'] } },
  { group: 'batch', version: 'v1', resources: { cronjobs: ['status'], jobs: ['status'] } },
  {
    group: 'networking.k8s.io',
    version: 'v1',
    resources: { ingressclasses: [], ingresses: ['status'], networkpolicies: [] },
  },
  { group: 'policy', version: 'v1', resources: { poddisruptionbudgets: ['status'] } },
  {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    resources: { clusterrolebindings: [], clusterroles: [], rolebindings: [], roles: [] },
  },
  { group: 'storage.k8s.io', version: 'v1', resources: { storageclasses: [] } },
  {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    resources: { mutatingwebhookconfigurations: [], validatingwebhookconfigurations: [] },
  },
  { group: 'apiextensions.k8s.io', version: 'v1', resources: { customresourcedefinitions: ['status'] } },
  { group: 'scheduling.k8s.io', version: 'v1', resources: { priorityclasses: [] } },
  { group: 'coordination.k8s.io', version: 'v1', resources: { leases: [] } },
  { group: 'discovery.k8s.io', version: 'v1', resources: { endpointslices: [] } },
];
