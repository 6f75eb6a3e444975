import { DefinitionError } from './definition-error.ts';
import type { Annotations, Field } from './field.ts';
import type { Json } from './json.ts';
import type { Kind } from './kind.ts';

/** A CustomResourceDefinition as it is sent to the API server. */
export interface Crd {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: { readonly [key: string]: Json };
}

/**
 * The CustomResourceDefinition of a kind, from the definitions of all its versions, newest first. The same definitions
 * give the same object, key for key.
 */
export function crd(...versions: readonly [Kind, ...Kind[]]): Crd {
  const [{ definition: first }] = versions;
  const { group, kind, plural, scope, shortNames = [], categories = [] } = first;
  for (const { definition } of versions) {
    for (const name of ['group', 'kind', 'plural', 'scope'] as const) {
      if (definition[name] !== first[name]) {
        throw new DefinitionError(
          kind,
          `version ${definition.version} has another ${name} than version ${first.version}`,
        );
      }
    }
  }
  if (versions.filter(isStored).length !== 1)
    throw new DefinitionError(kind, 'exactly one version must be the stored one');
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: first.singular ?? kind.toLowerCase(),
        ...(shortNames.length > 0 && { shortNames }),
        ...(categories.length > 0 && { categories }),
      },
      scope,
      versions: versions.map(version),
    },
  };
}

function isStored({ definition }: Kind): boolean {
  return definition.storage ?? true;
}

function version(kind: Kind): Json {
  const { definition } = kind;
  const { columns = [], scale } = definition;
  return {
    name: definition.version,
    served: definition.served ?? true,
    storage: isStored(kind),
    ...(definition.deprecation && { deprecated: true, deprecationWarning: definition.deprecation }),
    ...(columns.length > 0 && {
      additionalPrinterColumns: columns.map(({ name, type, path, description, format, wide }) => ({
        name,
        type,
        ...(format && { format }),
        ...(description && { description }),
        ...(wide && { priority: 1 }),
        jsonPath: path,
      })),
    }),
    ...((definition.status || scale) && {
      subresources: {
        ...(definition.status && { status: {} }),
        ...(scale && {
          scale: {
            specReplicasPath: scale.spec,
            statusReplicasPath: scale.status,
            ...(scale.selector && { labelSelectorPath: scale.selector }),
          },
        }),
      },
    }),
    schema: { openAPIV3Schema: schemaOf(rootOf(kind)) },
  };
}

function rootOf({ definition, spec, status }: Kind): Field {
  return {
    type: 'object',
    ...(definition.description && { description: definition.description }),
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: spec.field,
      ...(definition.status && { status: status.field }),
    },
    ...(definition.spec._zod.optin === undefined && { required: ['spec'] }),
    ...(definition.rules && { 'x-kubernetes-validations': definition.rules }),
  };
}

/** The order of keywords in a generated schema: what a reader looks for first comes first. */
const order = [
  'description',
  'title',
  'type',
  'format',
  'nullable',
  'default',
  'enum',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
  'allOf',
  'anyOf',
  'oneOf',
  'required',
  'properties',
  'additionalProperties',
  'items',
] as const satisfies Exclude<keyof Field, keyof Annotations>[];

/** The schema without our annotations, keywords in a fixed order, properties in the order of the definition. */
function schemaOf(field: Field): Json {
  const schema: Record<string, Json> = {};
  for (const keyword of order) {
    const value = field[keyword];
    if (value === undefined) continue;
    if (keyword === 'properties') schema[keyword] = mapValues(field.properties ?? {});
    else if (keyword === 'items' || keyword === 'additionalProperties') schema[keyword] = schemaOf(value as Field);
    else schema[keyword] = value as Json;
  }
  return schema;
}

function mapValues(properties: Readonly<Record<string, Field>>): Json {
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, schemaOf(field)]));
}
