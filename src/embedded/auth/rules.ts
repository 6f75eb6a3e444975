import type { Attributes } from '../gate.ts';

/** What a role permits. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  /** `pods`, `pods/log`, `*`, `*\/scale`. */
  readonly resources?: readonly string[];
  /** Empty: all names, and requests without one. */
  readonly resourceNames?: readonly string[];
  /** `/healthz`, `/metrics/*`. */
  readonly nonResourceURLs?: readonly string[];
}

type Request = Pick<Attributes, 'verb' | 'resource' | 'path'>;

/** Whether the rule permits the request. */
export function allows(rule: PolicyRule, { verb, resource, path }: Request): boolean {
  if (!has(rule.verbs, verb)) return false;
  if (!resource) return (rule.nonResourceURLs ?? []).some((url) => urlMatches(url, path ?? ''));
  const { group, plural, subresource, name = '' } = resource;
  const whole = subresource ? `${plural}/${subresource}` : plural;
  const resources = rule.resources ?? [];
  const names = rule.resourceNames ?? [];
  return (
    has(rule.apiGroups, group) &&
    (has(resources, whole) || (!!subresource && resources.includes(`*/${subresource}`))) &&
    (names.length === 0 || names.includes(name))
  );
}

const has = (list: readonly string[] | undefined, value: string): boolean =>
  !!list && (list.includes('*') || list.includes(value));

function urlMatches(pattern: string, path: string): boolean {
  return pattern === '*' || pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)));
}

/**
 * What of `wanted` the owner of `owned` may not do, in single verbs and resources that are merged again where they
 * differ in the verb only: nobody may grant more than they have.
 */
export function missing(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  const merged = new Map<string, PolicyRule & { verbs: string[] }>();
  for (const single of wanted.flatMap(singles)) {
    if (owned.some((rule) => covers(rule, single))) continue;
    const { verbs, ...rest } = single;
    const key = single.nonResourceURLs ? JSON.stringify(single) : JSON.stringify(rest);
    const known = merged.get(key);
    if (known) known.verbs.push(...verbs);
    else merged.set(key, { ...single, verbs: [...verbs] });
  }
  return [...merged.values()];
}

function singles({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule) {
  const names = resourceNames.length > 0 ? resourceNames.map((name) => ({ resourceNames: [name] })) : [{}];
  const parts: PolicyRule[] = [];
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        for (const name of names) parts.push({ apiGroups: [group], resources: [resource], ...name, verbs: [verb] });
      }
    }
  }
  for (const url of nonResourceURLs) for (const verb of verbs) parts.push({ nonResourceURLs: [url], verbs: [verb] });
  return parts;
}

function covers(owner: PolicyRule, single: PolicyRule): boolean {
  const all = (have: readonly string[] | undefined, want: readonly string[] | undefined): boolean =>
    !want || want.every((one) => has(have, one));
  if (!all(owner.verbs, single.verbs)) return false;
  if (single.nonResourceURLs) {
    return single.nonResourceURLs.every((url) => (owner.nonResourceURLs ?? []).some((one) => urlMatches(one, url)));
  }
  const names = owner.resourceNames ?? [];
  return (
    all(owner.apiGroups, single.apiGroups) &&
    (single.resources ?? []).every((one) => {
      const sub = one.includes('/') ? one.slice(one.indexOf('/') + 1) : '';
      return has(owner.resources, one) || (sub !== '' && (owner.resources ?? []).includes(`*/${sub}`));
    }) &&
    (names.length === 0 || (!!single.resourceNames && single.resourceNames.every((one) => names.includes(one))))
  );
}

/** A rule as refusals show it: `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`. */
export function ruleText({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceURLs],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs],
  ];
  const shown = parts.filter(([, list]) => list && list.length > 0).map(([name, list]) => `${name}:${quoted(list)}`);
  return `{${shown.join(', ')}}`;
}

/** Go's way to print a list of strings: `["a" "b"]`. */
export function quoted(list: readonly string[] = []): string {
  return `[${list.map((each) => JSON.stringify(each)).join(' ')}]`;
}
