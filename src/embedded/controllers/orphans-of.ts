import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { matches } from '../kinds/label-selector.ts';
import type { LabelSelector } from '../kinds/objects/condition.ts';
import type { World } from '../world.ts';
import { keyOf, type Source } from './loop.ts';
import { managerOf } from './pods.ts';

/** For objects of `type` without a manager: every owner whose selector would take them in. */
export const orphansOf = (world: World, type: ResourceType, owners: ResourceType): Source => ({
  type,
  *keys({ after }) {
    if (!after || managerOf(after) || after.metadata.deletionTimestamp) return;
    const where = { namespace: after.metadata.namespace ?? '' };
    for (const owner of world.list<KubeObject & { readonly spec: { readonly selector?: LabelSelector } }>(
      owners,
      where,
    )) {
      if (matches(owner.spec.selector, after.metadata.labels)) yield keyOf(owner);
    }
  },
});
