import type { AnyObject } from '../../../kube/object.ts';
import type { Strategy } from '../../resource.ts';
import { immutable, nonNegative } from '../checks.ts';
import { fill, inside } from '../draft.ts';
import { validateBuiltIn } from '../object-meta.ts';
import type { ReplicaSet } from '../objects/workload.ts';
import { dns1123Subdomain } from '../syntax.ts';
import { withStatus } from '../with-status.ts';
import { defaultTemplate, validateEndless, validateSelecting } from './template.ts';

const asReplicaSet = (object: AnyObject): ReplicaSet => object as unknown as ReplicaSet;

export const replicaSetStrategy: Strategy = {
  ...withStatus(() => ({ replicas: 0 })),
  defaults(draft) {
    const spec = inside(draft, 'spec');
    fill(spec, { replicas: 1 });
    defaultTemplate(spec);
  },
  validate(object, before) {
    const { spec } = asReplicaSet(object);
    return [
      ...validateBuiltIn(object, before, dns1123Subdomain),
      ...nonNegative('spec.replicas', spec.replicas),
      ...nonNegative('spec.minReadySeconds', spec.minReadySeconds),
      ...validateSelecting(spec, 'deployment'),
      ...validateEndless(spec.template, 'ReplicaSet'),
      ...(before ? immutable('spec.selector', spec.selector, asReplicaSet(before).spec.selector) : []),
    ];
  },
  fields: (object) => ({ 'status.replicas': String(asReplicaSet(object).status?.replicas ?? 0) }),
};
