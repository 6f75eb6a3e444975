import type { AnyObject } from '../../kube/object.ts';

/** An object as it can be applied today, and what had to be done about it, for the person who owns the package. */
export interface Repaired {
  readonly object: AnyObject;
  readonly warnings: readonly string[];
}

interface Move {
  readonly kind: string;
  readonly from: readonly string[];
  readonly to: string;
  /** Why this object needs more than another version; nothing: it does not. */
  readonly but?: (object: AnyObject) => string | undefined;
  /** What is said beside the version, where a default is not what it was. */
  readonly note?: (object: AnyObject) => string | undefined;
}

/**
 * Versions that Kubernetes no longer serves, where the same fields mean the same in the one that it serves. What needs more
 * (Ingress, CustomResourceDefinition, webhooks) is in `gone`: guessing the rest would be worse than saying so.
 */
const moves: readonly Move[] = [
  { kind: 'CronJob', from: ['batch/v1beta1', 'batch/v2alpha1'], to: 'batch/v1' },
  {
    kind: 'PodDisruptionBudget',
    from: ['policy/v1beta1'],
    to: 'policy/v1',
    but: (object) =>
      isEmptyMap(field(object, 'spec', 'selector'))
        ? 'its empty selector matched no pod and would now match every pod of the namespace; name the pods, or leave it out'
        : undefined,
  },
  ...['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'].map((kind) => ({
    kind,
    from: ['rbac.authorization.k8s.io/v1beta1'],
    to: 'rbac.authorization.k8s.io/v1',
  })),
  ...['Deployment', 'ReplicaSet'].map((kind) => ({
    kind,
    from: ['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2'],
    to: 'apps/v1',
    but: withoutSelector,
  })),
  {
    kind: 'DaemonSet',
    from: ['extensions/v1beta1', 'apps/v1beta2'],
    to: 'apps/v1',
    but: withoutSelector,
    note: (object) => (object.apiVersion === 'extensions/v1beta1' ? nowRolling(object) : undefined),
  },
  {
    kind: 'StatefulSet',
    from: ['apps/v1beta1', 'apps/v1beta2'],
    to: 'apps/v1',
    but: withoutSelector,
    note: (object) => (object.apiVersion === 'apps/v1beta1' ? nowRolling(object) : undefined),
  },
  { kind: 'NetworkPolicy', from: ['extensions/v1beta1'], to: 'networking.k8s.io/v1' },
  { kind: 'HorizontalPodAutoscaler', from: ['autoscaling/v2beta2'], to: 'autoscaling/v2' },
  { kind: 'StorageClass', from: ['storage.k8s.io/v1beta1'], to: 'storage.k8s.io/v1' },
  { kind: 'CSIDriver', from: ['storage.k8s.io/v1beta1'], to: 'storage.k8s.io/v1' },
  {
    kind: 'PriorityClass',
    from: ['scheduling.k8s.io/v1alpha1', 'scheduling.k8s.io/v1beta1'],
    to: 'scheduling.k8s.io/v1',
  },
  { kind: 'RuntimeClass', from: ['node.k8s.io/v1beta1'], to: 'node.k8s.io/v1' },
  { kind: 'Lease', from: ['coordination.k8s.io/v1beta1'], to: 'coordination.k8s.io/v1' },
  { kind: 'APIService', from: ['apiregistration.k8s.io/v1beta1'], to: 'apiregistration.k8s.io/v1' },
];

/** Versions that are gone and whose successor has other fields: kind, versions, what is to be written instead. */
const gone: readonly { readonly kind: string; readonly from: readonly string[]; readonly instead: string }[] = [
  {
    kind: 'Ingress',
    from: ['extensions/v1beta1', 'networking.k8s.io/v1beta1'],
    instead: 'networking.k8s.io/v1 names its backends by service.name and service.port, and demands a pathType',
  },
  {
    kind: 'CustomResourceDefinition',
    from: ['apiextensions.k8s.io/v1beta1'],
    instead: 'apiextensions.k8s.io/v1 demands a structural schema for each version',
  },
  ...['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'].map((kind) => ({
    kind,
    from: ['admissionregistration.k8s.io/v1beta1'],
    instead: 'admissionregistration.k8s.io/v1 demands sideEffects and admissionReviewVersions',
  })),
  {
    kind: 'HorizontalPodAutoscaler',
    from: ['autoscaling/v2beta1'],
    instead: 'autoscaling/v2 says its targets in another way',
  },
  {
    kind: 'PodSecurityPolicy',
    from: ['policy/v1beta1', 'extensions/v1beta1'],
    instead: 'namespaces have labels of pod security admission instead',
  },
  {
    kind: 'CertificateSigningRequest',
    from: ['certificates.k8s.io/v1beta1'],
    instead: 'certificates.k8s.io/v1 demands a signerName',
  },
  {
    kind: 'EndpointSlice',
    from: ['discovery.k8s.io/v1beta1'],
    instead: 'discovery.k8s.io/v1 has nodeName and zone in place of topology',
  },
];

/**
 * An object of a version that Kubernetes has removed, as one of the version that took its place, if nothing but the version
 * differs. Anything else comes back as it is, with a warning when it is known that the API server will not take it.
 */
export function repairObject(object: AnyObject): Repaired {
  const is = (row: { readonly kind: string; readonly from: readonly string[] }) =>
    row.kind === object.kind && row.from.includes(object.apiVersion);
  const subject = `${object.kind} ${object.metadata?.name ?? '(without a name)'}`;

  const move = moves.find(is);
  if (move) {
    const reason = move.but?.(object);
    if (reason !== undefined)
      return { object, warnings: [`${subject}: ${object.apiVersion} is no longer served, and ${reason}`] };
    const note = move.note?.(object);
    const warning = `${subject}: ${object.apiVersion} is no longer served, applied as ${move.to}${note === undefined ? '' : `; ${note}`}`;
    return { object: { ...object, apiVersion: move.to }, warnings: [warning] };
  }

  const removed = gone.find(is);
  if (!removed) return { object, warnings: [] };
  return { object, warnings: [`${subject}: ${object.apiVersion} is no longer served: ${removed.instead}`] };
}

/** In the old versions the selector was taken from the labels; now it must be written, and can never be changed. */
function withoutSelector(object: AnyObject): string | undefined {
  const selector = field(object, 'spec', 'selector');
  if (typeof selector === 'object' && selector !== null && !isEmptyMap(selector)) return undefined;
  return 'apps/v1 demands a spec.selector, which no longer follows from the labels of the template';
}

function nowRolling(object: AnyObject): string | undefined {
  if (field(object, 'spec', 'updateStrategy') !== undefined) return undefined;
  return 'without an updateStrategy its pods used to wait for their deletion (OnDelete) and now roll (RollingUpdate)';
}

function field(object: AnyObject, ...path: readonly string[]): unknown {
  let value: unknown = object;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value ?? undefined;
}

function isEmptyMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
