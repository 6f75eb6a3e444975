import type { Strategy } from '../resource.ts';
import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../schema/field-error.ts';
import type { FieldError } from '../status-error.ts';
import { immutable, nonNegative, same } from './checks.ts';
import { each, fields, fill, inside } from './draft.ts';
import { validateBuiltIn } from './object-meta.ts';
import { canonicalResources } from './quantity.ts';
import { dns1123Subdomain } from './syntax.ts';
import { withStatus } from './with-status.ts';

/** Kinds of which the server knows little more than the name. */
export const plainStrategy: Strategy = {
  validate: (object, before) => validateBuiltIn(object, before, dns1123Subdomain),
};

export const leaseStrategy: Strategy = {
  ...plainStrategy,
  defaults(draft) {
    inside(draft, 'spec');
  },
};

const oneOf = (field: string, value: unknown, supported: readonly string[]): readonly FieldError[] =>
  value === undefined || supported.includes(String(value)) ? [] : [unsupportedValue(field, value, supported)];

export const storageClassStrategy: Strategy = {
  defaults(draft) {
    fill(draft, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
  },
  validate: (object, before) => [
    ...validateBuiltIn(object, before, dns1123Subdomain),
    ...(object.provisioner ? [] : [requiredValue('provisioner')]),
    ...oneOf('reclaimPolicy', object.reclaimPolicy, ['Delete', 'Retain']),
    ...oneOf('volumeBindingMode', object.volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']),
    ...(before
      ? ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode']
          .filter((name) => !same(object[name], before[name]))
          .map((name) => invalidValue(name, null, 'field is immutable'))
      : []),
  ],
};

export const priorityClassStrategy: Strategy = {
  generation: true,
  defaults(draft) {
    fill(draft, { preemptionPolicy: 'PreemptLowerPriority' });
  },
  validate: (object, before) => [
    ...validateBuiltIn(object, before, dns1123Subdomain),
    ...(before && object.value !== before.value ? [forbiddenValue('value', 'may not be changed in an update.')] : []),
  ],
};

export const controllerRevisionStrategy: Strategy = {
  validate: (object, before) => [
    ...validateBuiltIn(object, before, dns1123Subdomain),
    ...(object.data === undefined ? [requiredValue('data', 'data is mandatory')] : []),
    ...nonNegative('revision', Number(object.revision ?? 0)),
    ...(before ? immutable('data', object.data, before.data) : []),
  ],
};

export const resourceQuotaStrategy: Strategy = {
  ...plainStrategy,
  prepareForCreate(draft) {
    draft.status = {};
  },
  prepareForUpdate(draft, before) {
    draft.status = structuredClone(before.status);
  },
  defaults(draft) {
    canonicalResources(inside(draft, 'spec')?.hard);
  },
};

export const limitRangeStrategy: Strategy = {
  ...plainStrategy,
  defaults(draft) {
    for (const item of each(inside(draft, 'spec')?.limits)) {
      for (const list of ['max', 'min', 'default', 'defaultRequest']) canonicalResources(item[list]);
      if (item.type !== 'Container') continue;
      const [max, min] = [fields(item.max) ?? {}, fields(item.min) ?? {}];
      if (Object.keys(max).length > 0) fill(inside(item, 'default'), max);
      const limits = fields(item.default) ?? {};
      if (Object.keys({ ...limits, ...min }).length > 0) fill(inside(item, 'defaultRequest'), { ...min, ...limits });
    }
  },
};

export const autoscalerStrategy: Strategy = {
  ...withStatus(() => ({ currentMetrics: null, desiredReplicas: 0 })),
  defaults(draft) {
    const spec = inside(draft, 'spec');
    fill(spec, { minReplicas: 1 });
    if (draft.apiVersion === 'autoscaling/v2') {
      const target = { type: 'Utilization', averageUtilization: 80 };
      fill(spec, { metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }] });
    }
  },
  validate: (object, before) => validateBuiltIn(object, before, dns1123Subdomain),
};
