import type { Attributes, Authorizer, User } from '../gate.ts';
import { BindingIndex, type Found, type RoleRef } from './bindings.ts';
import { rbacGroup, type WatchedCluster } from './cluster.ts';
import { allows, type PolicyRule } from './rules.ts';

/** What someone may do, and which roles could not be found on the way. */
export interface Permissions {
  readonly rules: readonly PolicyRule[];
  readonly errors: readonly string[];
}

/**
 * Kubernetes' role-based access control: whoever is bound to a role may do what its rules say; nothing is ever
 * forbidden by a rule. Members of `system:masters` may do everything, whatever the roles say.
 */
export class Rbac implements Authorizer {
  readonly #cluster: WatchedCluster;
  readonly #bindings: BindingIndex;

  constructor(cluster: WatchedCluster) {
    this.#cluster = cluster;
    this.#bindings = new BindingIndex(cluster);
  }

  authorize(attributes: Attributes): { readonly allowed: boolean; readonly reason: string } {
    const { user, resource } = attributes;
    if (isMaster(user)) return { allowed: true, reason: '' };
    const errors: string[] = [];
    for (const { found, rules, error } of this.#visit(user, resource?.namespace)) {
      if (error) errors.push(error);
      if (rules.some((rule) => allows(rule, attributes))) {
        return { allowed: true, reason: `RBAC: allowed by ${source(found)}` };
      }
    }
    if (errors.length === 0) return { allowed: false, reason: '' };
    return { allowed: false, reason: `rbac: RBAC: ${errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`}` };
  }

  /** All rules that apply to the user, in one namespace and in the whole cluster. */
  permissions(user: User, namespace: string | undefined): Permissions {
    const visited = [...this.#visit(user, namespace)];
    return {
      rules: visited.flatMap((each) => each.rules),
      errors: visited.flatMap((each) => each.error ?? []),
    };
  }

  /** The rules of a role as a binding in `namespace` sees it; `undefined` when there is no such role. */
  rulesOf({ kind, name }: RoleRef, namespace: string | undefined): readonly PolicyRule[] | undefined {
    const role =
      kind === 'ClusterRole'
        ? this.#cluster.read(rbacGroup, 'clusterroles', undefined, name)
        : namespace && this.#cluster.read(rbacGroup, 'roles', namespace, name);
    return role ? ((role.rules ?? []) as readonly PolicyRule[]) : undefined;
  }

  *#visit(user: User, namespace: string | undefined) {
    for (const scope of namespace ? [undefined, namespace] : [undefined]) {
      for (const found of this.#bindings.of(user, scope)) {
        const { kind, name } = found.roleRef;
        const rules = this.rulesOf(found.roleRef, scope);
        const error = rules ? undefined : `${kind.toLowerCase()}.${rbacGroup} "${name}" not found`;
        yield { found, rules: rules ?? [], error };
      }
    }
  }
}

export function isMaster(user: User): boolean {
  return user.groups.includes('system:masters');
}

/** By which binding: `RoleBinding "rb/ns" of ClusterRole "view" to User "ann"`. */
function source({ binding, roleRef, subject }: Found): string {
  const { name, namespace } = binding.metadata;
  const home = subject.namespace || namespace;
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${home}` : subject.name;
  const kind = namespace ? 'RoleBinding' : 'ClusterRoleBinding';
  return `${kind} "${namespace ? `${name}/${namespace}` : name}" of ${roleRef.kind} "${roleRef.name}" to ${subject.kind} "${who}"`;
}
