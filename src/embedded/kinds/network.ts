import type { Strategy } from '../resource.ts';
import { invalidValue, requiredValue, unsupportedValue } from '../schema/field-error.ts';
import type { FieldError } from '../status-error.ts';
import { immutable } from './checks.ts';
import { each, fields, fill, fillEmpty, inside } from './draft.ts';
import { validateSelector } from './label-selector.ts';
import { validateBuiltIn } from './object-meta.ts';
import type { LabelSelector } from './objects/condition.ts';
import { dns1123Subdomain } from './syntax.ts';
import { withStatus } from './with-status.ts';

interface IngressPath {
  readonly path?: string;
  readonly pathType?: string;
}

interface IngressSpec {
  readonly defaultBackend?: unknown;
  readonly rules?: readonly { readonly host?: string; readonly http?: { readonly paths?: readonly IngressPath[] } }[];
}

export const ingressStrategy: Strategy = {
  ...withStatus(() => ({ loadBalancer: {} })),
  validate(object, before) {
    const { defaultBackend, rules = [] } = (object.spec ?? {}) as IngressSpec;
    const wrong: FieldError[] = [...validateBuiltIn(object, before, dns1123Subdomain)];
    if (!defaultBackend && rules.length === 0) {
      wrong.push(invalidValue('spec', null, 'either `defaultBackend` or `rules` must be specified'));
    }
    for (const [i, rule] of rules.entries()) {
      for (const [j, path] of (rule.http?.paths ?? []).entries()) {
        wrong.push(...validatePath(`spec.rules[${i}].http.paths[${j}]`, path));
      }
    }
    return wrong;
  },
};

function validatePath(field: string, path: IngressPath): readonly FieldError[] {
  const types = ['Exact', 'ImplementationSpecific', 'Prefix'];
  if (path.pathType === undefined) return [requiredValue(`${field}.pathType`, 'pathType must be specified')];
  if (!types.includes(path.pathType)) return [unsupportedValue(`${field}.pathType`, path.pathType, types)];
  if (path.pathType !== 'ImplementationSpecific' && !path.path?.startsWith('/')) {
    return [invalidValue(`${field}.path`, path.path ?? '', 'must be an absolute path')];
  }
  return [];
}

export const ingressClassStrategy: Strategy = {
  generation: true,
  defaults(draft) {
    fill(fields(fields(draft.spec)?.parameters), { scope: 'Cluster' });
  },
  validate(object, before) {
    const spec = (object.spec ?? {}) as { readonly controller?: string };
    const old = (before?.spec ?? {}) as { readonly controller?: string };
    return [
      ...validateBuiltIn(object, before, dns1123Subdomain),
      ...(before ? immutable('spec.controller', spec.controller, old.controller) : []),
    ];
  },
};

export const networkPolicyStrategy: Strategy = {
  generation: true,
  defaults(draft) {
    const spec = inside(draft, 'spec');
    if (!spec) return;
    inside(spec, 'podSelector');
    for (const rule of [...each(spec.ingress), ...each(spec.egress)]) {
      for (const port of each(rule.ports)) fill(port, { protocol: 'TCP' });
    }
    const egress = Array.isArray(spec.egress) && spec.egress.length > 0;
    fill(spec, { policyTypes: egress ? ['Ingress', 'Egress'] : ['Ingress'] });
  },
  validate(object, before) {
    const spec = (object.spec ?? {}) as { readonly podSelector?: LabelSelector };
    return [
      ...validateBuiltIn(object, before, dns1123Subdomain),
      ...validateSelector('spec.podSelector', spec.podSelector),
    ];
  },
};

export const endpointsStrategy: Strategy = {
  defaults(draft) {
    for (const subset of each(draft.subsets)) {
      for (const port of each(subset.ports)) fillEmpty(port, { protocol: 'TCP' });
    }
  },
  validate: (object, before) => validateBuiltIn(object, before, dns1123Subdomain),
  warnings: () => ['v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
};

export const endpointSliceStrategy: Strategy = {
  generation: true,
  defaults(draft) {
    draft.endpoints ??= null;
    draft.ports ??= null;
    for (const endpoint of each(draft.endpoints)) inside(endpoint, 'conditions');
    for (const port of each(draft.ports)) fill(port, { name: '', protocol: 'TCP' });
  },
  validate(object, before) {
    const families = ['FQDN', 'IPv4', 'IPv6'];
    const wrong: FieldError[] = [...validateBuiltIn(object, before, dns1123Subdomain)];
    const type = object.addressType;
    if (!type) wrong.push(requiredValue('addressType'));
    else if (!families.includes(String(type))) wrong.push(unsupportedValue('addressType', type, families));
    if (before && type !== before.addressType) wrong.push(invalidValue('addressType', null, 'field is immutable'));
    return wrong;
  },
};
