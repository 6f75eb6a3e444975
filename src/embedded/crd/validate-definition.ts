import { immutable, invalidFor } from '../kinds/checks.ts';
import { validateMeta } from '../kinds/object-meta.ts';
import { dns1035Label, dns1123Subdomain } from '../kinds/syntax.ts';
import { equal } from '../schema/equal.ts';
import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../schema/field-error.ts';
import type { FieldError } from '../status-error.ts';
import { type Definition, isEstablished, type Names, type Version } from './definition.ts';
import { validateSchema } from './validate-schema.ts';
import { validateColumns, validateScale, validateSelectable } from './validate-version.ts';

/** What is wrong with a definition, in the API server's words. `before` makes it an update. */
export function validateDefinition(definition: Definition, before?: Definition): readonly FieldError[] {
  const { spec } = definition;
  const required = `${spec.names.plural}.${spec.group}`;
  const named = (name: string): readonly string[] => [
    ...dns1123Subdomain(name),
    ...(name === required ? [] : ['must be spec.names.plural+"."+spec.group']),
  ];
  return [
    ...validateMeta(definition as never, before as never, named),
    ...validateGroup(spec.group),
    ...validateScope(spec.scope),
    ...validateVersions(definition),
    ...validateNames(spec.names),
    ...validateConversion(spec.conversion),
    ...(before ? validateChange(definition, before) : []),
    ...validateStored(definition),
    ...validateApproval(definition, before),
    ...validatePreservation(definition, before),
  ];
}

function validateGroup(group = ''): readonly FieldError[] {
  if (group === '') return [requiredValue('spec.group')];
  const wrong = dns1123Subdomain(group);
  if (wrong.length > 0) return [invalidValue('spec.group', group, wrong.join(','))];
  return group.includes('.') ? [] : [invalidValue('spec.group', group, 'should be a domain with at least one dot')];
}

function validateScope(scope = ''): readonly FieldError[] {
  if (scope === '') return [requiredValue('spec.scope')];
  const known = ['Cluster', 'Namespaced'];
  return known.includes(scope) ? [] : [unsupportedValue('spec.scope', scope, known)];
}

/**
 * The server keeps what all versions share in one place and reports it there: a definition with one version is told
 * about `spec.validation`, not about `spec.versions[0].schema`.
 */
function validateVersions({ spec }: Definition): readonly FieldError[] {
  const { versions = [] } = spec;
  const at = <K extends keyof Version>(field: K, shared: string): ((index: number) => string | undefined) => {
    const [first] = versions;
    const common = first?.[field] !== undefined && versions.every((one) => equal(one[field], first[field]));
    if (!common) return (index) => `spec.versions[${index}].${field}`;
    return (index) => (index === 0 ? `spec.${shared}` : undefined);
  };
  const schemaAt = at('schema', 'validation');
  const subresourcesAt = at('subresources', 'subresources');
  const columnsAt = at('additionalPrinterColumns', 'additionalPrinterColumns');
  const selectableAt = at('selectableFields', 'selectableFields');
  const errors: FieldError[] = [];
  for (const [i, version] of versions.entries()) {
    const path = `spec.versions[${i}]`;
    if (!version.schema?.openAPIV3Schema) errors.push(requiredValue(`${path}.schema.openAPIV3Schema`));
  }
  for (const [i, version] of versions.entries()) {
    const path = `spec.versions[${i}]`;
    const wrong = dns1035Label(version.name ?? '');
    if (wrong.length > 0) {
      errors.push(invalidValue(`${path}.name`, version.name ?? '', wrong.join(',')));
      if (i === 0) errors.push(invalidValue('spec.version', version.name ?? '', wrong.join(',')));
    }
    errors.push(...validateDeprecation(version, path));
    const [schemaPath, scalePath, columnPath, selectablePath] = [
      schemaAt(i),
      subresourcesAt(i),
      columnsAt(i),
      selectableAt(i),
    ];
    const schema = version.schema?.openAPIV3Schema;
    if (schema && schemaPath !== undefined) {
      const status = versions.some((one) => one.subresources?.status !== undefined);
      errors.push(...validateSchema(schema, `${schemaPath}.openAPIV3Schema`, status));
    }
    if (scalePath !== undefined) errors.push(...validateScale(version, scalePath));
    if (columnPath !== undefined) errors.push(...validateColumns(version, columnPath));
    if (selectablePath !== undefined) errors.push(...validateSelectable(version, selectablePath));
  }
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    errors.push(invalidValue('spec.versions', versions, 'must contain unique version names'));
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    errors.push(invalidValue('spec.versions', versions, 'must have exactly one version marked as storage version'));
  }
  return errors;
}

function validateDeprecation(version: Version, path: string): readonly FieldError[] {
  const { deprecated, deprecationWarning: text } = version;
  if (text === undefined) return [];
  const field = `${path}.deprecationWarning`;
  if (!deprecated) return [invalidValue(field, text, 'can only be set for deprecated versions')];
  return [
    ...(text.length > 256 ? [invalidValue(field, text, 'must be <= 256 characters long')] : []),
    ...(text === '' ? [invalidValue(field, text, 'must not be an empty string')] : []),
  ];
}

function validateNames(names: Names, path = 'spec.names'): readonly FieldError[] {
  const required = (['plural', 'singular', 'kind', 'listKind'] as const).flatMap((field) =>
    names[field] ? [] : [requiredValue(`${path}.${field}`)],
  );
  const label = (field: string, value: string | undefined): readonly FieldError[] => {
    const wrong = value ? dns1035Label(value) : [];
    return wrong.length > 0 ? [invalidValue(`${path}.${field}`, value, wrong.join(','))] : [];
  };
  const mixed = (field: string, value: string | undefined): readonly FieldError[] => {
    const wrong = value ? dns1035Label(value.toLowerCase()) : [];
    const detail = `may have mixed case, but should otherwise match: ${wrong.join(',')}`;
    return wrong.length > 0 ? [invalidValue(`${path}.${field}`, value, detail)] : [];
  };
  return [
    ...required,
    ...label('plural', names.plural),
    ...label('singular', names.singular),
    ...mixed('kind', names.kind),
    ...mixed('listKind', names.listKind),
    ...(names.shortNames ?? []).flatMap((name, i) => label(`shortNames[${i}]`, name)),
    ...(names.kind && names.kind === names.listKind
      ? [invalidValue(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same')]
      : []),
    ...(names.categories ?? []).flatMap((name, i) => label(`categories[${i}]`, name)),
  ];
}

function validateConversion(conversion: Definition['spec']['conversion']): readonly FieldError[] {
  if (!conversion) return [];
  const { strategy = '', webhook } = conversion;
  const path = 'spec.conversion';
  if (strategy === '') return [requiredValue(`${path}.strategy`)];
  if (strategy === 'Webhook') {
    const why = 'conversion webhooks are not supported by the embedded server: serve versions that need no conversion';
    return [forbiddenValue(`${path}.strategy`, why)];
  }
  if (strategy !== 'None') return [unsupportedValue(`${path}.strategy`, strategy, ['None', 'Webhook'])];
  const unfit = 'should not be set when strategy is not set to Webhook';
  return [
    ...(webhook?.clientConfig ? [forbiddenValue(`${path}.webhookClientConfig`, unfit)] : []),
    ...(webhook?.conversionReviewVersions?.length ? [forbiddenValue(`${path}.conversionReviewVersions`, unfit)] : []),
  ];
}

/** Objects are stored under group and plural for ever, and under scope and kind once there can be any. */
function validateChange({ spec }: Definition, before: Definition): readonly FieldError[] {
  const { spec: old } = before;
  return [
    ...(isEstablished(before)
      ? [
          ...immutable('spec.scope', spec.scope, old.scope),
          ...immutable('spec.names.kind', spec.names.kind, old.names.kind),
        ]
      : []),
    ...immutable('spec.group', spec.group, old.group),
    ...immutable('spec.names.plural', spec.names.plural, old.names.plural),
  ];
}

function validateStored({ spec, status }: Definition): readonly FieldError[] {
  const path = 'status.storedVersions';
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) return [invalidValue(path, null, 'must have at least one stored version')];
  const names = new Set((spec.versions ?? []).map(({ name }) => name));
  const unstored = (spec.versions ?? [])
    .filter(({ name, storage }) => storage && !stored.includes(name))
    .map(({ name }) => invalidValue(path, stored, `must have the storage version ${name}`));
  const lost = stored.flatMap((version, i) => {
    if (names.has(version)) return [];
    const why = `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`;
    return invalidFor(`${path}[${i}]`, version, [why]);
  });
  return [...unstored, ...lost];
}

const approval = 'api-approved.kubernetes.io';

/** Kubernetes' own groups may not be extended by anyone without a public approval. */
function validateApproval({ spec, metadata }: Definition, before: Definition | undefined): readonly FieldError[] {
  const { group = '' } = spec;
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return [];
  const value = metadata.annotations?.[approval];
  if (before && before.metadata.annotations?.[approval] === value) return [];
  const path = `metadata.annotations[${approval}]`;
  if (!value) {
    return [
      requiredValue(
        path,
        'protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
      ),
    ];
  }
  if (value.startsWith('unapproved') || /^https?:\/\/[^/]+/.test(value)) return [];
  const why = `protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111`;
  return [invalidValue(path, value, why)];
}

function validatePreservation({ spec }: Definition, before: Definition | undefined): readonly FieldError[] {
  if (!spec.preserveUnknownFields || before?.spec.preserveUnknownFields) return [];
  const why = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalidValue('spec.preserveUnknownFields', true, why)];
}
