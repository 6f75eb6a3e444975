import type { PolicyRule } from '../../control/access.ts';
import { binding, type ClusterRole, clusterRole, groups, read, rule, write } from './policy-rule.ts';

/** The ClusterRole of each role that Cloud Foundry has. The names are published: people bind them by hand. */
export const roleNames = {
  admin: 'korifi-controllers-admin',
  admin_read_only: 'korifi-controllers-admin-read-only',
  global_auditor: 'korifi-controllers-global-auditor',
  /** In the root namespace: whoever has any role in an organization. */
  cf_user: 'korifi-controllers-root-namespace-user',
  organization_manager: 'korifi-controllers-organization-manager',
  organization_auditor: 'korifi-controllers-organization-auditor',
  organization_billing_manager: 'korifi-controllers-organization-billing-manager',
  organization_user: 'korifi-controllers-organization-user',
  space_manager: 'korifi-controllers-space-manager',
  space_developer: 'korifi-controllers-space-developer',
  space_supporter: 'korifi-controllers-space-supporter',
  space_auditor: 'korifi-controllers-space-auditor',
} as const;

/** What a space holds; the last two are of service brokers, which others may run beside us. */
const inSpaces = [
  'cfapps',
  'cfprocesses',
  'cfpackages',
  'cfbuilds',
  'cftasks',
  'cfroutes',
  'cfdeployments',
  'cfserviceinstances',
  'cfservicebindings',
] as const;

const readSpace: readonly PolicyRule[] = [rule(groups.cloudFoundry, inSpaces, read)];

/** Pods and their logs: whoever may find out what is wrong with an app. */
const observeInstances: readonly PolicyRule[] = [
  rule(groups.core, ['pods'], read),
  rule(groups.core, ['pods/log'], ['get']),
  rule(groups.metrics, ['pods'], read),
  rule(groups.cloudFoundry, ['appworkloads'], read),
];

/**
 * All that `cf` does in a space. Secrets hold environment variables and credentials of packages; they are read by name only,
 * for a list would show those of every app at once.
 */
const develop: readonly PolicyRule[] = [
  rule(groups.cloudFoundry, inSpaces, [...read, ...write]),
  rule(groups.core, ['secrets'], ['get', 'create', 'update', 'patch']),
  ...observeInstances,
  rule(groups.core, ['pods'], ['delete']),
];

const readOrg: readonly PolicyRule[] = [
  rule(groups.cloudFoundry, ['cforgs', 'cfspaces'], read),
  rule(groups.rbac, ['rolebindings'], read),
];

const readRoot: readonly PolicyRule[] = [
  rule(groups.cloudFoundry, ['cforgs', 'cfdomains', 'builderinfos', 'runnerinfos'], read),
];

const giveRoles = (roles: readonly string[]): readonly PolicyRule[] => [
  rule(groups.rbac, ['rolebindings'], [...read, 'create', 'delete']),
  binding(roles),
];

const spaceRoles = [
  roleNames.space_manager,
  roleNames.space_developer,
  roleNames.space_supporter,
  roleNames.space_auditor,
];

const orgRoles = [
  roleNames.organization_manager,
  roleNames.organization_auditor,
  roleNames.organization_billing_manager,
  roleNames.organization_user,
];

/**
 * What each role allows in the namespaces that it is bound in. Nobody but an administrator may do anything outside of the
 * namespaces of Cloud Foundry, and a role that gives others away names them: an organization's manager makes no administrator.
 */
export function userRoles(): readonly ClusterRole[] {
  const everywhere = [...readRoot, ...readOrg, ...readSpace];
  return [
    clusterRole(roleNames.admin, [
      rule(groups.cloudFoundry, ['cforgs', 'cfspaces', 'cfdomains'], [...read, ...write]),
      rule(groups.cloudFoundry, ['builderinfos', 'runnerinfos'], read),
      ...develop,
      ...giveRoles(Object.values(roleNames)),
    ]),
    clusterRole(roleNames.admin_read_only, everywhere),
    clusterRole(roleNames.global_auditor, everywhere),
    clusterRole(roleNames.cf_user, readRoot),
    clusterRole(roleNames.organization_manager, [
      rule(groups.cloudFoundry, ['cforgs', 'cfspaces'], read),
      rule(groups.cloudFoundry, ['cfspaces'], write),
      ...readSpace,
      ...giveRoles([...orgRoles, ...spaceRoles]),
    ]),
    clusterRole(roleNames.organization_auditor, readOrg),
    clusterRole(roleNames.organization_billing_manager, readOrg),
    clusterRole(roleNames.organization_user, readOrg),
    clusterRole(roleNames.space_manager, [...readSpace, ...giveRoles(spaceRoles)]),
    clusterRole(roleNames.space_developer, [...develop, rule(groups.rbac, ['rolebindings'], read)]),
    clusterRole(roleNames.space_supporter, [
      ...readSpace,
      ...observeInstances,
      rule(groups.rbac, ['rolebindings'], read),
    ]),
    clusterRole(roleNames.space_auditor, [...readSpace, rule(groups.rbac, ['rolebindings'], read)]),
  ];
}
