import type { AnyObject } from '../../kube/object.ts';
import type { Strategy } from '../resource.ts';
import { invalidValue, requiredValue, unsupportedValue } from '../schema/field-error.ts';
import type { FieldError } from '../status-error.ts';
import { same } from './checks.ts';
import { each, fields, fillEmpty } from './draft.ts';
import { validateBuiltIn } from './object-meta.ts';
import { dns1123Subdomain, pathSegment } from './syntax.ts';

interface Rule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

interface RoleReference {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
}

interface Subject {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly apiGroup?: string;
}

const group = 'rbac.authorization.k8s.io';

function validateRule(field: string, rule: Rule, namespaced: boolean): readonly FieldError[] {
  const urls = rule.nonResourceURLs ?? [];
  const wrong: FieldError[] = [];
  const withoutVerbs = (rule.verbs ?? []).length === 0 ? [requiredValue(`${field}.verbs`)] : [];
  if (urls.length > 0) {
    if (namespaced) {
      const detail = 'namespaced rules cannot apply to non-resource URLs';
      wrong.push(invalidValue(`${field}.nonResourceURLs`, urls, detail));
    }
    if ((rule.apiGroups ?? []).length + (rule.resources ?? []).length + (rule.resourceNames ?? []).length > 0) {
      const detail = 'rules cannot apply to both regular resources and non-resource URLs';
      wrong.push(invalidValue(`${field}.nonResourceURLs`, urls, detail));
    }
    return [...wrong, ...withoutVerbs];
  }
  if ((rule.apiGroups ?? []).length === 0) {
    wrong.push(requiredValue(`${field}.apiGroups`, 'resource rules must supply at least one api group'));
  }
  if ((rule.resources ?? []).length === 0) {
    wrong.push(requiredValue(`${field}.resources`, 'resource rules must supply at least one resource'));
  }
  return [...wrong, ...withoutVerbs];
}

export const roleStrategy = (namespaced: boolean): Strategy => ({
  defaults(draft) {
    draft.rules ??= null;
  },
  validate(object, before) {
    const rules = (object.rules ?? []) as readonly Rule[];
    return [
      ...validateBuiltIn(object, before, pathSegment),
      ...rules.flatMap((rule, index) => validateRule(`rules[${index}]`, rule, namespaced)),
    ];
  },
});

export const bindingStrategy = (namespaced: boolean): Strategy => ({
  defaults(draft) {
    fillEmpty(fields(draft.roleRef), { apiGroup: group });
    for (const subject of each(draft.subjects)) {
      if (subject.kind === 'User' || subject.kind === 'Group') fillEmpty(subject, { apiGroup: group });
    }
  },
  validate(object, before) {
    const reference = (object.roleRef ?? {}) as RoleReference;
    const subjects = (object.subjects ?? []) as readonly Subject[];
    return [
      ...validateBuiltIn(object, before, pathSegment),
      ...validateReference(reference, namespaced),
      ...subjects.flatMap((subject, index) => validateSubject(`subjects[${index}]`, subject, namespaced)),
      ...(before ? validateReferenceKept(reference, before) : []),
    ];
  },
});

function validateReferenceKept(reference: RoleReference, before: AnyObject): readonly FieldError[] {
  if (same(reference, before.roleRef)) return [];
  // The real server shows its internal form here, whose field names are Go's.
  const shown = { APIGroup: reference.apiGroup, Kind: reference.kind, Name: reference.name };
  return [invalidValue('roleRef', shown, 'field is immutable')];
}

function validateReference(reference: RoleReference, namespaced: boolean): readonly FieldError[] {
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const wrong: FieldError[] = [];
  if (reference.apiGroup !== group) wrong.push(unsupportedValue('roleRef.apiGroup', reference.apiGroup ?? '', [group]));
  if (!kinds.includes(reference.kind ?? '')) {
    wrong.push(unsupportedValue('roleRef.kind', reference.kind ?? '', kinds));
  }
  if (!reference.name) wrong.push(requiredValue('roleRef.name'));
  return wrong;
}

function validateSubject(field: string, subject: Subject, namespaced: boolean): readonly FieldError[] {
  const nameless = subject.name ? [] : [requiredValue(`${field}.name`)];
  const wrong: FieldError[] = [...nameless];
  switch (subject.kind) {
    case 'ServiceAccount':
      for (const message of subject.name ? dns1123Subdomain(subject.name) : []) {
        wrong.push(invalidValue(`${field}.name`, subject.name, message));
      }
      if (subject.apiGroup) wrong.push(unsupportedValue(`${field}.apiGroup`, subject.apiGroup, ['']));
      if (!namespaced && !subject.namespace) wrong.push(requiredValue(`${field}.namespace`));
      return wrong;
    case 'User':
    case 'Group':
      if (subject.apiGroup !== group)
        wrong.push(unsupportedValue(`${field}.apiGroup`, subject.apiGroup ?? '', [group]));
      return wrong;
    default:
      return [unsupportedValue(`${field}.kind`, subject.kind ?? '', ['ServiceAccount', 'User', 'Group']), ...nameless];
  }
}
