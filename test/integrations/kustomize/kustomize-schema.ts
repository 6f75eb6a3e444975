import { cloudFoundryKinds } from '../../../src/cloudfoundry/resources/all.ts';
import { builtInResources, builtInSchema } from '../../../src/embedded/discovery/built-in.ts';
import type { Schema } from '../../../src/embedded/schema/schema.ts';
import { flinkBlueGreenDeployment } from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import { flinkSessionJob } from '../../../src/flink/resources/flink-session-job.ts';
import { flinkStateSnapshot } from '../../../src/flink/resources/flink-state-snapshot.ts';
import { kudoKinds } from '../../../src/kudo/resources/all.ts';
import { crd } from '../../../src/schema/crd.ts';

/** What is left of a schema when only lists that are merged by a key matter. */
interface Merging {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Merging>>;
  readonly items?: Merging;
  readonly additionalProperties?: Merging;
  readonly [extension: `x-kubernetes-${string}`]: unknown;
}

const podTemplate = 'io.k8s.api.core.v1.PodTemplateSpec';

const ourKinds = [
  ...[flinkDeployment, flinkBlueGreenDeployment, flinkSessionJob, flinkStateSnapshot],
  ...cloudFoundryKinds,
  ...kudoKinds,
];

/**
 * A schema for the field `openapi` of a kustomization: which lists of our kinds are merged, and by what. Kustomize forgets its own
 * schema when it is given one, so the kinds of Kubernetes are in it, too; of all of them only what merging takes.
 */
export function kustomizeSchema(): string {
  const template = builtInSchema('', 'v1', 'PodTemplate')?.properties?.template ?? {};
  const ours = ourKinds.map((kind) => {
    const { group, version, kind: name } = kind.type;
    return [`${group}.${version}.${name}`, schemaOf(crd(kind)), kind.type] as const;
  });
  const theirs = builtInResources().flatMap((type) => {
    const schema = builtInSchema(type.group, type.version, type.kind);
    return schema ? [[`io.k8s.${type.group || 'core'}.${type.version}.${type.kind}`, schema, type] as const] : [];
  });
  const definitions = [...ours, ...theirs].flatMap(([name, schema, { group, version, kind }]) => {
    const merging = mergingOf(schema, template);
    if (!merging) return [];
    return [[name, { ...merging, 'x-kubernetes-group-version-kind': [{ group, kind, version }] }] as const];
  });
  const all = { [podTemplate]: mergingOf(template, undefined), ...Object.fromEntries(definitions) };
  return `${JSON.stringify({ definitions: all }, undefined, 1)}\n`;
}

function schemaOf({ spec }: ReturnType<typeof crd>): Schema {
  const { versions } = spec as unknown as {
    readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
  return versions[0]?.schema.openAPIV3Schema ?? {};
}

/** `undefined` when there is nothing in it that is merged by a key. `template`: the schema that is referred to, not repeated. */
function mergingOf(schema: Schema, template: Schema | undefined, within: readonly Schema[] = []): Merging | undefined {
  if (within.includes(schema)) return undefined;
  if (template && (schema === template || isPodTemplate(schema))) return { $ref: `#/definitions/${podTemplate}` };
  const inside = [...within, schema];
  const items = schema.items && mergingOf(schema.items, template, inside);
  const key = mergeKeyOf(schema);
  if (schema.type === 'array') {
    if (key === undefined) return undefined;
    return {
      type: 'array',
      items: { type: 'object', ...items },
      'x-kubernetes-patch-merge-key': key,
      'x-kubernetes-patch-strategy': 'merge',
    };
  }
  const { additionalProperties } = schema;
  const others =
    typeof additionalProperties === 'object' ? mergingOf(additionalProperties, template, inside) : undefined;
  const properties = Object.entries(schema.properties ?? {})
    .filter(([name]) => inside.length > 1 || (name !== 'status' && name !== 'metadata'))
    .flatMap(([name, property]) => {
      const merging = mergingOf(property, template, inside);
      return merging ? [[name, merging] as const] : [];
    });
  if (properties.length === 0 && !others) return undefined;
  return {
    type: 'object',
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(others && { additionalProperties: others }),
  };
}

/** Our definitions know of a template what they judge, and keep the rest as it is. */
function isPodTemplate({ properties = {}, ...rest }: Schema): boolean {
  return (
    rest['x-kubernetes-preserve-unknown-fields'] === true &&
    properties.spec?.properties?.containers !== undefined &&
    properties.metadata !== undefined
  );
}

function mergeKeyOf(schema: Schema): string | undefined {
  const strategy = schema['x-kubernetes-patch-strategy']?.split(',') ?? [];
  if (strategy.includes('merge')) return schema['x-kubernetes-patch-merge-key'];
  const [key, ...more] = schema['x-kubernetes-list-map-keys'] ?? [];
  return schema['x-kubernetes-list-type'] === 'map' && more.length === 0 ? key : undefined;
}
