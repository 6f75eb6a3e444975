import type { AnyObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { type Controller, itself } from '../controllers/loop.ts';
import {
  claims,
  configMaps,
  cronJobs,
  daemonSets,
  deployments,
  jobs,
  pods,
  replicaSets,
  secrets,
  serviceAccounts,
  services,
  statefulSets,
} from '../kinds/resource-types.ts';
import { record } from '../table/fields.ts';
import type { World } from '../world.ts';
import { type Amounts, amountsIn, amountText, things } from './amounts.ts';
import { concerns, totalOf } from './quota-usage.ts';

const quotas: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
};

const followed = [
  pods,
  services,
  claims,
  configMaps,
  secrets,
  serviceAccounts,
  deployments,
  replicaSets,
  statefulSets,
  daemonSets,
  jobs,
  cronJobs,
];

/** Writes into each ResourceQuota's status how much of it is used. */
export function quotaStatus(world: World): Controller {
  return {
    name: 'resourcequota-controller',
    sources: [
      itself(quotas),
      ...followed.map((type) => ({
        type,
        *keys({ before, after }: { before: AnyObject | undefined; after: AnyObject | undefined }) {
          const { namespace = '' } = (after ?? before)?.metadata ?? {};
          for (const quota of world.list(quotas, { namespace })) {
            yield { namespace, name: quota.metadata.name ?? '' };
          }
        },
      })),
    ],
    async reconcile({ namespace, name }) {
      const quota = world.get(quotas, namespace, name);
      if (!quota || quota.metadata.deletionTimestamp) return undefined;
      const hard = record(quota, 'spec.hard');
      const types = world.types().filter((type) => type.namespaced);
      const used = Object.fromEntries(
        Object.keys(hard).map((resource) => {
          const type = types.find((each) => concerns(each, resource));
          const total: Amounts = type ? totalOf(quota, type, world.list(type, { namespace })) : {};
          const zero = { ...things(0), binary: amountsIn(hard)[resource]?.binary ?? false };
          return [resource, amountText(total[resource] ?? zero)];
        }),
      );
      const status = { hard, used };
      if (JSON.stringify(quota.status) !== JSON.stringify(status))
        await world.updateStatus(quotas, { ...quota, status });
      return undefined;
    },
  };
}
