import type { AnyObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { Controller } from '../controllers/loop.ts';
import { matches } from '../kinds/label-selector.ts';
import type { LabelSelector } from '../kinds/objects/condition.ts';
import type { World } from '../world.ts';
import { rbacGroup } from './cluster.ts';
import type { PolicyRule } from './rules.ts';

const clusterRoles: ResourceType = {
  group: rbacGroup,
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
};

/** Keeps the rules of ClusterRoles that aggregate others (`admin`, `edit`, `view`) equal to the rules of those. */
export function roleAggregation(world: World): Controller {
  const aggregating = (): readonly AnyObject[] => world.list(clusterRoles).filter((role) => role.aggregationRule);
  return {
    name: 'clusterrole-aggregation-controller',
    // Whatever role changes may be part of any that aggregates.
    sources: [
      {
        type: clusterRoles,
        keys: () => aggregating().map((role) => ({ namespace: '', name: role.metadata.name ?? '' })),
      },
    ],
    async reconcile({ name }) {
      const role = world.get(clusterRoles, undefined, name);
      if (!role || role.metadata.deletionTimestamp) return undefined;
      const rules = aggregatedRules(role, world.list(clusterRoles));
      if (rules && JSON.stringify(rules) !== JSON.stringify(role.rules ?? [])) {
        await world.update(clusterRoles, { ...role, rules });
      }
      return undefined;
    },
  };
}

/**
 * The rules that an aggregating role should have: those of the roles it selects, each rule once, in order of selectors
 * and role names. `undefined` for a role that does not aggregate.
 */
export function aggregatedRules(role: AnyObject, all: readonly AnyObject[]): readonly PolicyRule[] | undefined {
  if (!role.aggregationRule) return undefined;
  const { clusterRoleSelectors = [] } = role.aggregationRule as { clusterRoleSelectors?: readonly LabelSelector[] };
  const sorted = all.toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  const rules = new Map<string, PolicyRule>();
  for (const selector of clusterRoleSelectors) {
    for (const other of sorted) {
      if (other.metadata.name === role.metadata.name || !matches(selector, other.metadata.labels)) continue;
      for (const rule of (other.rules ?? []) as readonly PolicyRule[]) {
        const key = JSON.stringify(rule);
        if (!rules.has(key)) rules.set(key, rule);
      }
    }
  }
  return [...rules.values()];
}
