import type { AnyObject } from '../../../kube/object.ts';
import type { Printer } from '../../resource.ts';
import { age, humanDuration } from '../age.ts';
import { printer } from '../columns.ts';
import { at, count, isTrue, list, record, text } from '../fields.ts';
import { formatLabels, formatSelector, selectorText } from '../selector.ts';

const name = (object: AnyObject): string => object.metadata.name ?? '';
const created = (object: AnyObject, now: number): string => age(object.metadata.creationTimestamp, now);

function containers(object: AnyObject, path: string): [string, string] {
  const all = list(object, `${path}.containers`);
  return [all.map((each) => text(each, 'name')).join(','), all.map((each) => text(each, 'image')).join(',')];
}

const deployment = printer(
  'Name | Ready | Up-to-date | Available | Age | Containers+ | Images+ | Selector+',
  (object, now) => [
    name(object),
    `${count(object, 'status.readyReplicas')}/${count(object, 'spec.replicas')}`,
    count(object, 'status.updatedReplicas'),
    count(object, 'status.availableReplicas'),
    created(object, now),
    ...containers(object, 'spec.template.spec'),
    selectorText(record(object, 'spec.selector')),
  ],
);

const replicaSet = printer(
  'Name | Desired:integer | Current:integer | Ready:integer | Age | Containers+ | Images+ | Selector+',
  (object, now) => [
    name(object),
    count(object, 'spec.replicas'),
    count(object, 'status.replicas'),
    count(object, 'status.readyReplicas'),
    created(object, now),
    ...containers(object, 'spec.template.spec'),
    formatSelector(at(object, 'spec.selector')),
  ],
);

const statefulSet = printer('Name | Ready | Age | Containers+ | Images+', (object, now) => [
  name(object),
  `${count(object, 'status.readyReplicas')}/${count(object, 'spec.replicas')}`,
  created(object, now),
  ...containers(object, 'spec.template.spec'),
]);

const daemonSet = printer(
  'Name | Desired:integer | Current:integer | Ready:integer | Up-to-date:integer | Available:integer | Node Selector | Age | Containers+ | Images+ | Selector+',
  (object, now) => [
    name(object),
    count(object, 'status.desiredNumberScheduled'),
    count(object, 'status.currentNumberScheduled'),
    count(object, 'status.numberReady'),
    count(object, 'status.updatedNumberScheduled'),
    count(object, 'status.numberAvailable'),
    formatLabels(record(object, 'spec.template.spec.nodeSelector')),
    created(object, now),
    ...containers(object, 'spec.template.spec'),
    formatSelector(at(object, 'spec.selector')),
  ],
);

const controllerRevision = printer('Name | Controller | Revision | Age', (object, now) => [
  name(object),
  controllerOf(object),
  count(object, 'revision'),
  created(object, now),
]);

function controllerOf(object: AnyObject): string {
  const owner = object.metadata.ownerReferences?.find((each) => each.controller);
  if (!owner) return '<none>';
  const [group] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : [''];
  return `${(group ? `${owner.kind}.${group}` : owner.kind).toLowerCase()}/${owner.name}`;
}

const job = printer(
  'Name | Status | Completions | Duration | Age | Containers+ | Images+ | Selector+',
  (object, now) => [
    name(object),
    jobStatus(object),
    completions(object),
    jobDuration(object, now),
    created(object, now),
    ...containers(object, 'spec.template.spec'),
    formatSelector(at(object, 'spec.selector')),
  ],
);

function jobStatus(object: AnyObject): string {
  if (isTrue(object, 'Complete')) return 'Complete';
  if (isTrue(object, 'Failed')) return 'Failed';
  if (object.metadata.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => isTrue(object, type)) ?? 'Running';
}

function completions(object: AnyObject): string {
  const succeeded = count(object, 'status.succeeded');
  const wanted = at(object, 'spec.completions');
  if (typeof wanted === 'number') return `${succeeded}/${wanted}`;
  const parallelism = count(object, 'spec.parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(object: AnyObject, now: number): string {
  const start = Date.parse(text(object, 'status.startTime'));
  if (Number.isNaN(start)) return '';
  const end = Date.parse(text(object, 'status.completionTime'));
  return humanDuration((Number.isNaN(end) ? now : end) - start);
}

const cronJob = printer(
  'Name | Schedule | Timezone | Suspend:boolean | Active:integer | Last Schedule | Age | Containers+ | Images+ | Selector+',
  (object, now) => {
    const last = text(object, 'status.lastScheduleTime');
    const suspend = at(object, 'spec.suspend');
    return [
      name(object),
      text(object, 'spec.schedule'),
      text(object, 'spec.timeZone') || '<none>',
      suspend === undefined ? '<unset>' : suspend === true ? 'True' : 'False',
      list(object, 'status.active').length,
      last ? age(last, now) : '<none>',
      created(object, now),
      ...containers(object, 'spec.jobTemplate.spec.template.spec'),
      formatSelector(at(object, 'spec.jobTemplate.spec.selector')),
    ];
  },
);

const podTemplate = printer('Name | Containers | Images | Pod Labels', (object) => [
  name(object),
  ...containers(object, 'template.spec'),
  formatLabels(record(object, 'template.metadata.labels')),
]);

const budget = printer('Name | Min Available | Max Unavailable | Allowed Disruptions:integer | Age', (object, now) => [
  name(object),
  String(at(object, 'spec.minAvailable') ?? 'N/A'),
  String(at(object, 'spec.maxUnavailable') ?? 'N/A'),
  count(object, 'status.disruptionsAllowed'),
  created(object, now),
]);

export const workloadPrinters: Readonly<Record<string, Printer>> = {
  'apps/Deployment': deployment,
  'apps/ReplicaSet': replicaSet,
  'apps/StatefulSet': statefulSet,
  'apps/DaemonSet': daemonSet,
  'apps/ControllerRevision': controllerRevision,
  'batch/Job': job,
  'batch/CronJob': cronJob,
  '/PodTemplate': podTemplate,
  'policy/PodDisruptionBudget': budget,
};
