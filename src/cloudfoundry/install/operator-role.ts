import { cloudFoundryKinds } from '../resources/all.ts';
import { binding, type ClusterRole, clusterRole, groups, type PolicyRule, read, rule, write } from './policy-rule.ts';
import { roleNames } from './user-roles.ts';

/** The ClusterRole of the operator and of the API's own account. */
export const operatorRoleName = 'cutover-cloudfoundry';

/**
 * What the operator must be able to do itself, and the API with the operator's identity. Users' requests are made with their
 * own credentials and need nothing of this.
 *
 * RoleBindings are passed on, which Kubernetes allows only to those who may `bind` the role: the published ones. One of
 * another ClusterRole is passed on when the operator was given `bind` on that as well; until then its place says so.
 */
export function operatorRole(): ClusterRole {
  const plurals = cloudFoundryKinds.map(({ type }) => type.plural);
  const rules: readonly PolicyRule[] = [
    rule(groups.cloudFoundry, plurals, [...read, ...write]),
    rule(
      groups.cloudFoundry,
      plurals.map((plural) => `${plural}/status`),
      ['get', 'update', 'patch'],
    ),
    // Owner references that block deletion are given only by those who may update finalizers.
    rule(
      groups.cloudFoundry,
      plurals.map((plural) => `${plural}/finalizers`),
      ['update'],
    ),
    rule(groups.core, ['namespaces', 'secrets', 'serviceaccounts', 'services'], [...read, ...write]),
    rule(groups.core, ['pods'], [...read, 'delete']),
    rule(groups.core, ['pods/eviction'], ['create']),
    rule(groups.core, ['pods/log'], ['get']),
    rule('events.k8s.io', ['events'], ['create', 'patch', 'update']),
    rule('apps', ['statefulsets'], [...read, ...write]),
    rule('apps', ['controllerrevisions'], read),
    rule('batch', ['jobs'], [...read, ...write]),
    rule('policy', ['poddisruptionbudgets'], [...read, ...write]),
    rule('networking.k8s.io', ['ingresses'], [...read, ...write]),
    rule('networking.k8s.io', ['ingressclasses'], read),
    rule('gateway.networking.k8s.io', ['httproutes'], [...read, ...write]),
    rule(groups.rbac, ['rolebindings'], [...read, ...write]),
    // Who has a role in the whole cluster sees every space.
    rule(groups.rbac, ['clusterrolebindings'], read),
    binding(Object.values(roleNames)),
    rule(groups.metrics, ['pods'], ['get', 'list']),
    rule('coordination.k8s.io', ['leases'], [...read, 'create', 'update', 'patch']),
    rule('apiextensions.k8s.io', ['customresourcedefinitions'], read),
    rule('authentication.k8s.io', ['tokenreviews'], ['create']),
  ];
  return clusterRole(operatorRoleName, rules);
}
