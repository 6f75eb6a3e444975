import type { AnyObject } from '../../../kube/object.ts';
import type { Strategy } from '../../resource.ts';
import { forbiddenValue, invalidValue, unsupportedValue } from '../../schema/field-error.ts';
import type { FieldError } from '../../status-error.ts';
import { immutable, nonNegative } from '../checks.ts';
import { fill, fillEmpty, inside } from '../draft.ts';
import { bareNumber, validateAtMostAll, validateIntOrPercent } from '../int-or-string.ts';
import { validateBuiltIn } from '../object-meta.ts';
import type { Deployment } from '../objects/workload.ts';
import { dns1123Subdomain } from '../syntax.ts';
import { withStatus } from '../with-status.ts';
import { defaultTemplate, validateEndless, validateSelecting } from './template.ts';

const asDeployment = (object: AnyObject): Deployment => object as unknown as Deployment;

export const deploymentStrategy: Strategy = {
  ...withStatus(() => ({})),
  defaults(draft) {
    const spec = inside(draft, 'spec');
    if (!spec) return;
    fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
    const strategy = inside(spec, 'strategy');
    fillEmpty(strategy, { type: 'RollingUpdate' });
    if (strategy?.type === 'RollingUpdate') {
      fill(inside(strategy, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' });
    }
    defaultTemplate(spec);
  },
  validate(object, before) {
    const { spec } = asDeployment(object);
    const { minReadySeconds = 0, progressDeadlineSeconds: deadline } = spec;
    return [
      ...validateBuiltIn(object, before, dns1123Subdomain),
      ...nonNegative('spec.replicas', spec.replicas),
      ...validateSelecting(spec, 'deployment'),
      ...validateEndless(spec.template, 'ReplicaSet'),
      ...validateStrategy(spec.strategy),
      ...nonNegative('spec.minReadySeconds', spec.minReadySeconds),
      ...nonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
      ...nonNegative('spec.progressDeadlineSeconds', deadline),
      ...(deadline !== undefined && deadline <= minReadySeconds
        ? [invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
        : []),
      ...(before ? immutable('spec.selector', spec.selector, asDeployment(before).spec.selector) : []),
    ];
  },
};

function validateStrategy(strategy: Deployment['spec']['strategy'] = {}): readonly FieldError[] {
  const field = 'spec.strategy';
  const { type, rollingUpdate } = strategy;
  switch (type) {
    case 'Recreate':
      return rollingUpdate
        ? [forbiddenValue(`${field}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")]
        : [];
    case 'RollingUpdate': {
      const { maxSurge, maxUnavailable } = rollingUpdate ?? {};
      const at = `${field}.rollingUpdate`;
      const both = bareNumber(maxSurge) === 0 && bareNumber(maxUnavailable) === 0;
      return [
        ...validateIntOrPercent(`${at}.maxUnavailable`, maxUnavailable),
        ...validateIntOrPercent(`${at}.maxSurge`, maxSurge),
        ...(both ? [invalidValue(`${at}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')] : []),
        ...validateAtMostAll(`${at}.maxUnavailable`, maxUnavailable),
      ];
    }
    default:
      return [unsupportedValue(field, { Type: type, RollingUpdate: null }, ['Recreate', 'RollingUpdate'])];
  }
}
