import type { AnyObject } from '../../../kube/object.ts';
import type { Strategy } from '../../resource.ts';
import { invalidValue, requiredValue, unsupportedValue } from '../../schema/field-error.ts';
import type { Fields } from '../../schema/json.ts';
import type { FieldError } from '../../status-error.ts';
import { immutable, nonNegative } from '../checks.ts';

import { fields, fill, inside } from '../draft.ts';
import { isUsable, matches, validateSelector } from '../label-selector.ts';
import { validateBuiltIn } from '../object-meta.ts';
import type { Job, JobSpec } from '../objects/workload.ts';
import { validateTemplate } from '../pod/validate.ts';
import { dns1123Subdomain } from '../syntax.ts';
import { withStatus } from '../with-status.ts';
import { defaultTemplate } from './template.ts';

const asJob = (object: AnyObject): Job => object as unknown as Job;
const status = withStatus(() => ({}));

/** More pods at once than this would need status fields that Kubernetes does not have. */
const mostIndexes = 100_000;

export const jobStrategy: Strategy = {
  ...status,
  defaults(draft) {
    const spec = inside(draft, 'spec');
    if (!spec) return;
    if (spec.completions == null && spec.parallelism == null) spec.completions = 1;
    fill(spec, {
      parallelism: 1,
      backoffLimit: spec.backoffLimitPerIndex != null ? 2147483647 : 6,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: spec.podFailurePolicy != null ? 'Failed' : 'TerminatingOrFailed',
      manualSelector: false,
    });
    defaultTemplate(spec);
    labelAsTemplate(draft.metadata, spec);
  },
  prepareForCreate(draft, context) {
    status.prepareForCreate(draft);
    draft.metadata.uid ??= context.random.uuid();
    const spec = fields(draft.spec);
    if (spec && spec.manualSelector !== true) selectByUid(spec, String(draft.metadata.name), draft.metadata.uid);
    if (spec) labelAsTemplate(draft.metadata, spec);
  },
  validate(object, before) {
    const { spec } = asJob(object);
    return [
      ...validateBuiltIn(object, before, dns1123Subdomain),
      ...(before ? [] : validateGenerated(asJob(object))),
      ...validateJobSpec('spec', spec),
      ...validateLabelled(asJob(object)),
      ...(before ? validateUpdate(asJob(object), asJob(before)) : []),
    ];
  },
  fields: (object) => ({ 'status.successful': String(asJob(object).status?.succeeded ?? 0) }),
};

/** A Job without labels takes those of its pods. */
function labelAsTemplate(metadata: Fields, spec: Fields): void {
  const labels = fields(fields(fields(spec.template)?.metadata)?.labels);
  if (!labels || Object.keys(labels).length === 0) return;
  if (Object.keys(fields(metadata.labels) ?? {}).length === 0) metadata.labels = { ...labels };
}

/** Marks the pods with the Job's uid and selects exactly those. */
function selectByUid(spec: Fields, name: string, uid: string): void {
  const template = inside(spec, 'template');
  const metadata = template && inside(template, 'metadata');
  fill(metadata && inside(metadata, 'labels'), {
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'batch.kubernetes.io/controller-uid': uid,
  });
  const selector = inside(spec, 'selector');
  fill(selector && inside(selector, 'matchLabels'), { 'batch.kubernetes.io/controller-uid': uid });
}

/** What is wrong with a Job's specification, in a Job or in a CronJob's template. */
export function validateJobSpec(field: string, spec: JobSpec): readonly FieldError[] {
  const wrong: FieldError[] = [];
  for (const name of [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ] as const) {
    wrong.push(...nonNegative(`${field}.${name}`, spec[name]));
  }
  const modes = ['NonIndexed', 'Indexed'];
  if (spec.completionMode !== undefined && !modes.includes(spec.completionMode)) {
    wrong.push(unsupportedValue(`${field}.completionMode`, spec.completionMode, modes));
  }
  if (spec.completionMode === 'Indexed') {
    if (spec.completions === undefined) {
      wrong.push(requiredValue(`${field}.completions`, 'when completion mode is Indexed'));
    }
    if ((spec.parallelism ?? 0) > mostIndexes) {
      const detail = `must be less than or equal to ${mostIndexes} when completion mode is Indexed`;
      wrong.push(invalidValue(`${field}.parallelism`, spec.parallelism, detail));
    }
  } else if (spec.backoffLimitPerIndex !== undefined) {
    const detail = 'requires indexed completion mode';
    wrong.push(invalidValue(`${field}.backoffLimitPerIndex`, spec.backoffLimitPerIndex, detail));
  }
  wrong.push(...validateTemplate(`${field}.template`, spec.template));
  const policy = spec.template?.spec?.restartPolicy ?? '';
  if (policy !== 'OnFailure' && policy !== 'Never') {
    const at = `${field}.template.spec.restartPolicy`;
    wrong.push(
      policy === 'Always' || policy === ''
        ? requiredValue(at, 'valid values: "OnFailure", "Never"')
        : unsupportedValue(at, policy, ['OnFailure', 'Never']),
    );
  }
  return wrong;
}

function validateLabelled({ spec }: Job): readonly FieldError[] {
  const labels = spec.template?.metadata?.labels;
  const wrong: FieldError[] = spec.selector
    ? [...validateSelector('spec.selector', spec.selector)]
    : [requiredValue('spec.selector')];
  if (!spec.selector || (isUsable(spec.selector) && !matches(spec.selector, labels))) {
    const detail = '`selector` does not match template `labels`';
    wrong.push(invalidValue('spec.template.metadata.labels', labels ?? null, detail));
  }
  return wrong;
}

/** A selector that was to be generated must be the generated one, and so must the labels. */
function validateGenerated({ spec, metadata }: Job): readonly FieldError[] {
  if (spec.manualSelector === true || !spec.selector) return [];
  const labels = spec.template?.metadata?.labels ?? {};
  const expected: Readonly<Record<string, string>> = {
    'controller-uid': metadata.uid ?? '',
    'job-name': metadata.name ?? '',
    'batch.kubernetes.io/controller-uid': metadata.uid ?? '',
    'batch.kubernetes.io/job-name': metadata.name ?? '',
  };
  const wrong: FieldError[] = [];
  for (const [name, value] of Object.entries(expected)) {
    const field = `spec.template.metadata.labels[${name}]`;
    if (labels[name] === undefined) wrong.push(requiredValue(field, `must be '${value}'`));
    else if (labels[name] !== value) wrong.push(invalidValue(field, labels, `must be '${value}'`));
  }
  if (!matches(spec.selector, expected)) {
    wrong.push(invalidValue('spec.selector', spec.selector, '`selector` not auto-generated'));
  }
  return wrong;
}

function validateUpdate(after: Job, before: Job): readonly FieldError[] {
  const elastic = after.spec.completionMode === 'Indexed' && after.spec.completions === after.spec.parallelism;
  const suspended = before.spec.suspend === true && before.status?.startTime === undefined;
  return [
    ...(elastic ? [] : immutable('spec.completions', after.spec.completions, before.spec.completions)),
    ...immutable('spec.selector', after.spec.selector, before.spec.selector),
    ...(suspended
      ? immutable('spec.template', frozenTemplate(after), frozenTemplate(before))
      : immutable('spec.template', after.spec.template, before.spec.template)),
    ...immutable('spec.completionMode', after.spec.completionMode, before.spec.completionMode),
    ...immutable('spec.podFailurePolicy', after.spec.podFailurePolicy, before.spec.podFailurePolicy),
    ...immutable('spec.backoffLimitPerIndex', after.spec.backoffLimitPerIndex, before.spec.backoffLimitPerIndex),
    ...immutable('spec.managedBy', after.spec.managedBy, before.spec.managedBy),
    ...immutable('spec.successPolicy', after.spec.successPolicy, before.spec.successPolicy),
  ];
}

/** The template without what may still change in a Job that is suspended and has not started: where and how big. */
function frozenTemplate({ spec }: Job): unknown {
  const { metadata, ...template } = spec.template;
  const { nodeSelector, tolerations, affinity, schedulingGates, containers, ...rest } = template.spec;
  return { ...template, spec: { ...rest, containers: containers.map(({ resources, ...one }) => one) } };
}
