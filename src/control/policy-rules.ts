import type { Grant, PolicyRule } from './access.ts';

/**
 * The rules of a role that gives what is granted in one place. Grants that differ only in their resources are one rule; the order
 * is that of the grants, so that whoever compares two versions sees what was added.
 */
export function policyRules(grants: readonly Grant[], where: Grant['where']): readonly PolicyRule[] {
  const rules = new Map<string, { readonly grant: Grant; readonly resources: Set<string> }>();
  for (const grant of grants) {
    if (grant.where !== where) continue;
    const key = JSON.stringify([grant.group, grant.verbs, grant.names ?? []]);
    const rule = rules.get(key) ?? { grant, resources: new Set() };
    for (const resource of grant.resources) rule.resources.add(resource);
    rules.set(key, rule);
  }
  return [...rules.values()].map(({ grant: { group, verbs, names }, resources }) => ({
    apiGroups: [group],
    resources: [...resources],
    ...(names && { resourceNames: names }),
    verbs,
  }));
}
