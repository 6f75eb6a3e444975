import type { AnyObject } from '../../../kube/object.ts';
import type { Printer } from '../../resource.ts';
import { age } from '../age.ts';
import { printer } from '../columns.ts';
import { at, count, isTrue, list, record, text } from '../fields.ts';

const name = (object: AnyObject): string => object.metadata.name ?? '';
const created = (object: AnyObject, now: number): string => age(object.metadata.creationTimestamp, now);
const sizeOf = (object: AnyObject, path: string): number => Object.keys(record(object, path)).length;

const namespace = printer('Name | Status | Age', (object, now) => [
  name(object),
  text(object, 'status.phase'),
  created(object, now),
]);

const node = printer(
  'Name | Status | Roles | Age | Version | Internal-IP+ | External-IP+ | OS-Image+ | Kernel-Version+ | Container-Runtime+',
  (object, now) => {
    const info = record(object, 'status.nodeInfo');
    const architecture = text(info, 'architecture');
    return [
      name(object),
      nodeStatus(object),
      roles(object),
      created(object, now),
      text(info, 'kubeletVersion'),
      address(object, 'InternalIP'),
      address(object, 'ExternalIP'),
      text(info, 'osImage') || '<unknown>',
      `${text(info, 'kernelVersion') || '<unknown>'}${architecture && ` (${architecture})`}`,
      text(info, 'containerRuntimeVersion') || '<unknown>',
    ];
  },
);

function nodeStatus(object: AnyObject): string {
  const known = list(object, 'status.conditions').some((each) => text(each, 'type') === 'Ready');
  const ready = known ? (isTrue(object, 'Ready') ? 'Ready' : 'NotReady') : 'Unknown';
  return at(object, 'spec.unschedulable') === true ? `${ready},SchedulingDisabled` : ready;
}

function roles(object: AnyObject): string {
  const prefix = 'node-role.kubernetes.io/';
  const found = Object.entries(object.metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key === 'kubernetes.io/role') return value ? [value] : [];
    return key.startsWith(prefix) && key.length > prefix.length ? [key.slice(prefix.length)] : [];
  });
  return [...new Set(found)].sort().join(',') || '<none>';
}

function address(object: AnyObject, type: string): string {
  const found = list(object, 'status.addresses').find((each) => text(each, 'type') === type);
  return found ? text(found, 'address') : '<none>';
}

const event = printer(
  'Last Seen | Type | Reason | Object | Subobject+ | Source+ | Message | First Seen+ | Count+ | Name+',
  (object, now) => {
    // events.k8s.io/v1 has the same facts under other names.
    const first =
      text(object, 'firstTimestamp') || text(object, 'deprecatedFirstTimestamp') || text(object, 'eventTime');
    const last = text(object, 'lastTimestamp') || text(object, 'deprecatedLastTimestamp') || first;
    const series = at(object, 'series');
    const about = at(object, 'involvedObject') ?? at(object, 'regarding');
    const kind = text(about, 'kind').toLowerCase();
    const source = at(object, 'source') ?? at(object, 'deprecatedSource');
    const component =
      text(source, 'component') || text(object, 'reportingComponent') || text(object, 'reportingController');
    const host = text(source, 'host') || text(object, 'reportingInstance');
    return [
      age(series ? text(series, 'lastObservedTime') : last, now),
      text(object, 'type'),
      text(object, 'reason'),
      text(about, 'name') ? `${kind}/${text(about, 'name')}` : kind,
      text(about, 'fieldPath'),
      host ? `${component}, ${host}` : component,
      (text(object, 'message') || text(object, 'note')).trim(),
      age(first, now),
      series ? count(series, 'count') : count(object, 'count') || count(object, 'deprecatedCount') || 1,
      name(object),
    ];
  },
);

const configMap = printer('Name | Data | Age', (object, now) => [
  name(object),
  sizeOf(object, 'data') + sizeOf(object, 'binaryData'),
  created(object, now),
]);

const secret = printer('Name | Type | Data | Age', (object, now) => [
  name(object),
  text(object, 'type'),
  sizeOf(object, 'data'),
  created(object, now),
]);

const serviceAccount = printer('Name | Age', (object, now) => [name(object), created(object, now)]);

const quota = printer('Name | Request | Limit | Age', (object, now) => {
  const hard = record(object, 'status.hard');
  const used = record(object, 'status.used');
  const all = Object.keys(hard).sort();
  const show = (names: readonly string[]): string =>
    names.map((each) => `${each}: ${used[each] ?? '0'}/${hard[each]}`).join(', ');
  return [
    name(object),
    show(all.filter((each) => !each.startsWith('limits.'))),
    show(all.filter((each) => each.startsWith('limits.'))),
    created(object, now),
  ];
});

const lease = printer('Name | Holder | Age', (object, now) => [
  name(object),
  text(object, 'spec.holderIdentity'),
  created(object, now),
]);

const priorityClass = printer(
  'Name | Value:integer | Global-Default:boolean | Age | PreemptionPolicy',
  (object, now) => [
    name(object),
    count(object, 'value'),
    at(object, 'globalDefault') === true,
    created(object, now),
    text(object, 'preemptionPolicy'),
  ],
);

const webhooks = printer('Name | Webhooks:integer | Age', (object, now) => [
  name(object),
  list(object, 'webhooks').length,
  created(object, now),
]);

const customResourceDefinition = printer(
  'Name | Scope | Versions | Created At:date | Group+ | Kind+ | ShortNames+ | Established:boolean+',
  (object) => [
    name(object),
    text(object, 'spec.scope'),
    list(object, 'spec.versions')
      .filter((each) => at(each, 'served') === true)
      .map((each) => `${text(each, 'name')}${at(each, 'storage') === true ? '(storage)' : ''}`)
      .sort()
      .join(','),
    object.metadata.creationTimestamp ?? null,
    text(object, 'spec.group'),
    text(object, 'spec.names.kind'),
    list(object, 'spec.names.shortNames').join(','),
    isTrue(object, 'Established'),
  ],
);

const binding = printer('Name | Role | Age | Users+ | Groups+ | ServiceAccounts+', (object, now) => {
  const subjects = (kind: string, show = (each: unknown): string => text(each, 'name')): string =>
    list(object, 'subjects')
      .filter((each) => text(each, 'kind') === kind)
      .map(show)
      .join(', ');
  return [
    name(object),
    `${text(object, 'roleRef.kind')}/${text(object, 'roleRef.name')}`,
    created(object, now),
    subjects('User'),
    subjects('Group'),
    subjects('ServiceAccount', (each) => `${text(each, 'namespace')}/${text(each, 'name')}`),
  ];
});

export const clusterPrinters: Readonly<Record<string, Printer>> = {
  '/Namespace': namespace,
  '/Node': node,
  '/Event': event,
  'events.k8s.io/Event': event,
  '/ConfigMap': configMap,
  '/Secret': secret,
  '/ServiceAccount': serviceAccount,
  '/ResourceQuota': quota,
  'coordination.k8s.io/Lease': lease,
  'scheduling.k8s.io/PriorityClass': priorityClass,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhooks,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhooks,
  'apiextensions.k8s.io/CustomResourceDefinition': customResourceDefinition,
  'rbac.authorization.k8s.io/RoleBinding': binding,
  'rbac.authorization.k8s.io/ClusterRoleBinding': binding,
};
