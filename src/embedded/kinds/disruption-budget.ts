import type { AnyObject } from '../../kube/object.ts';
import type { Strategy } from '../resource.ts';
import { invalidValue, unsupportedValue } from '../schema/field-error.ts';
import { inside } from './draft.ts';
import { validateAtMostAll, validateIntOrPercent } from './int-or-string.ts';
import { validateSelector } from './label-selector.ts';
import { validateBuiltIn } from './object-meta.ts';
import type { PodDisruptionBudget } from './objects/cluster.ts';
import { dns1123Subdomain } from './syntax.ts';
import { withStatus } from './with-status.ts';

const asBudget = (object: AnyObject): PodDisruptionBudget => object as unknown as PodDisruptionBudget;

export const disruptionBudgetStrategy: Strategy = {
  ...withStatus(() => ({ currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 })),
  defaults(draft) {
    inside(draft, 'spec');
  },
  validate(object, before) {
    const { spec } = asBudget(object);
    const { minAvailable: least, maxUnavailable: most, unhealthyPodEvictionPolicy: policy } = spec;
    const policies = ['AlwaysAllow', 'IfHealthyBudget'];
    return [
      ...validateBuiltIn(object, before, dns1123Subdomain),
      ...(least !== undefined && most !== undefined
        ? [invalidValue('spec', spec, 'minAvailable and maxUnavailable cannot be both set')]
        : []),
      ...validateIntOrPercent('spec.minAvailable', least),
      ...validateAtMostAll('spec.minAvailable', least),
      ...validateIntOrPercent('spec.maxUnavailable', most),
      ...validateAtMostAll('spec.maxUnavailable', most),
      ...validateSelector('spec.selector', spec.selector),
      ...(policy !== undefined && !policies.includes(policy)
        ? [unsupportedValue('spec.unhealthyPodEvictionPolicy', policy, policies)]
        : []),
    ];
  },
};
