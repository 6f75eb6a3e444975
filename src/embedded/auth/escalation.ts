import type { AnyObject } from '../../kube/object.ts';
import type { Attempt } from '../gate.ts';
import { forbidden, notFound } from '../status-error.ts';
import type { RoleRef } from './bindings.ts';
import { rbacGroup } from './cluster.ts';
import { isMaster, type Rbac } from './rbac.ts';
import { missing, type PolicyRule, quoted, ruleText } from './rules.ts';

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * Refuses roles and bindings by which someone would grant what they may not do themselves, unless they may
 * `escalate` roles, or `bind` that very role.
 *
 * @throws StatusError 403; 404 when a binding's role does not exist
 */
export function refuseEscalation(rbac: Rbac, attempt: Attempt): void {
  const { resource, operation, object, oldObject, user, subresource } = attempt;
  if (resource.group !== rbacGroup || subresource || !object) return;
  if (operation !== 'CREATE' && operation !== 'UPDATE') return;
  if (isMaster(user) || (oldObject && !grantChanged(object, oldObject))) return;
  if (object.kind === 'Role' || object.kind === 'ClusterRole') checkRole(rbac, attempt, object);
  else checkBinding(rbac, attempt, object);
}

/** Metadata may be changed by whoever may update, else nobody could clean up after others. */
function grantChanged(object: AnyObject, before: AnyObject): boolean {
  return ['rules', 'aggregationRule', 'roleRef', 'subjects'].some(
    (field) => JSON.stringify(object[field] ?? null) !== JSON.stringify(before[field] ?? null),
  );
}

function checkRole(rbac: Rbac, attempt: Attempt, role: AnyObject): void {
  if (mayDo(rbac, attempt, 'escalate', attempt.resource.plural, attempt.name)) return;
  refuseMore(rbac, attempt, (role.rules ?? []) as readonly PolicyRule[]);
  if (!role.aggregationRule && !attempt.oldObject?.aggregationRule) return;
  if (missing(rbac.permissions(attempt.user, undefined).rules, everything).length > 0) {
    throw forbidden(about(attempt), 'must have cluster-admin privileges to use the aggregationRule');
  }
}

function checkBinding(rbac: Rbac, attempt: Attempt, binding: AnyObject): void {
  const roleRef = binding.roleRef as RoleRef;
  const plural = roleRef.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
  if (mayDo(rbac, attempt, 'bind', plural, roleRef.name)) return;
  const rules = rbac.rulesOf(roleRef, attempt.namespace);
  if (!rules) throw notFound({ group: rbacGroup, plural: attempt.resource.plural, name: roleRef.name });
  refuseMore(rbac, attempt, rules);
}

function mayDo(rbac: Rbac, { user, namespace }: Attempt, verb: string, plural: string, name: string): boolean {
  const resource = { group: rbacGroup, version: '*', plural, ...(namespace && { namespace }), name };
  return rbac.authorize({ user, verb, resource }).allowed;
}

function refuseMore(rbac: Rbac, attempt: Attempt, wanted: readonly PolicyRule[]): void {
  const { user, namespace } = attempt;
  const lacking = missing(rbac.permissions(user, namespace).rules, wanted);
  if (lacking.length === 0) return;
  const lines = [...new Set(lacking.map(ruleText))].sort().join('\n');
  const who = `user ${JSON.stringify(user.name)} (groups=${quoted(user.groups)})`;
  throw forbidden(about(attempt), `${who} is attempting to grant RBAC permissions not currently held:\n${lines}`);
}

const about = ({ resource, name }: Attempt) => ({ group: resource.group, plural: resource.plural, name });
