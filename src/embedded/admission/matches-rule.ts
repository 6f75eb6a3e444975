import type { Attempt } from '../gate.ts';
import type { Rule } from './webhook.ts';

type Asked = Pick<Attempt, 'operation' | 'subresource'> & {
  readonly resource: Pick<Attempt['resource'], 'group' | 'version' | 'plural' | 'namespaced'>;
};

/** Whether a webhook's rule covers the request. */
export function matchesRule(rule: Rule, { operation, resource, subresource }: Asked): boolean {
  return (
    has(rule.operations, operation) &&
    has(rule.apiGroups, resource.group) &&
    has(rule.apiVersions, resource.version) &&
    inScope(rule.scope, resource) &&
    (rule.resources ?? []).some((pattern) => matchesResource(pattern, resource.plural, subresource ?? ''))
  );
}

const has = (list: readonly string[] | undefined, value: string): boolean =>
  !!list && (list.includes('*') || list.includes(value));

/** Namespaces are cluster-scoped objects, whatever they contain. */
function inScope(scope: string | undefined, { namespaced }: Asked['resource']): boolean {
  return scope === undefined || scope === '*' || scope === (namespaced ? 'Namespaced' : 'Cluster');
}

/** `*` means all resources but no subresources; a subresource must be asked for. */
function matchesResource(pattern: string, plural: string, subresource: string): boolean {
  const [main = '', sub = ''] = pattern.split('/');
  return (main === '*' || main === plural) && (sub === '*' || sub === subresource);
}
