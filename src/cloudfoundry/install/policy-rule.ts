import type { PolicyRule } from '../../control/access.ts';
import type { KubeObject } from '../../kube/object.ts';

export interface ClusterRole extends KubeObject {
  readonly rules: readonly PolicyRule[];
}

export const groups = {
  core: '',
  cloudFoundry: 'korifi.cloudfoundry.org',
  rbac: 'rbac.authorization.k8s.io',
  metrics: 'metrics.k8s.io',
} as const;

export const read = ['get', 'list', 'watch'] as const;
export const write = ['create', 'update', 'patch', 'delete'] as const;

export function rule(group: string, resources: readonly string[], verbs: readonly string[]): PolicyRule {
  return { apiGroups: [group], resources, verbs };
}

/** Giving away these roles, also where one does not have all that they allow. */
export function binding(roles: readonly string[]): PolicyRule {
  return { apiGroups: [groups.rbac], resources: ['clusterroles'], resourceNames: roles, verbs: ['bind'] };
}

export function clusterRole(name: string, rules: readonly PolicyRule[]): ClusterRole {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules };
}
