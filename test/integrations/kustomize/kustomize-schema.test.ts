import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { kustomizeSchema } from './kustomize-schema.ts';

interface Node {
  readonly $ref?: string;
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly [extension: `x-kubernetes-${string}`]: unknown;
}

const { definitions } = JSON.parse(kustomizeSchema()) as { readonly definitions: Readonly<Record<string, Node>> };
const template = 'io.k8s.api.core.v1.PodTemplateSpec';

function at(name: string, ...path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>((node, step) => {
    const { properties, items } = node?.$ref
      ? (definitions[node.$ref.replace('#/definitions/', '')] ?? {})
      : (node ?? {});
    return step === '*' ? items : properties?.[step];
  }, definitions[name]);
}

const keyOf = (node: Node | undefined): unknown => node?.['x-kubernetes-patch-merge-key'];

/** The paths of all templates of pods in a definition. */
function templatesIn(node: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries((node as { readonly properties?: object }).properties ?? {}).flatMap(([name, one]) =>
    name === 'podTemplate' ? [[...path, name].join('.')] : templatesIn(one, [...path, name]),
  );
}

describe('the schema for kustomize', () => {
  it('knows every template of pods in our definitions', () => {
    const folder = join(import.meta.dirname, '..', '..', '..', 'crds');
    const found = readdirSync(folder).flatMap((file) => {
      const { spec } = parse(readFileSync(join(folder, file), 'utf8'));
      const { name, schema } = spec.versions[0];
      const kind = `${spec.group}.${name}.${spec.names.kind}`;
      return templatesIn(schema.openAPIV3Schema).map((path) => [kind, path] as const);
    });
    expect(found).toHaveLength(6);
    for (const [kind, path] of found) expect(at(kind, ...path.split('.')), `${kind} ${path}`).toHaveProperty('$ref');
  });

  it.each([
    ['containers', 'name'],
    ['containers.*.env', 'name'],
    ['containers.*.volumeMounts', 'mountPath'],
    ['containers.*.ports', 'containerPort'],
    ['initContainers', 'name'],
    ['volumes', 'name'],
  ])('merges %s by %s, also in kinds of Kubernetes', (path, key) => {
    const inSpec = ['spec', ...path.split('.')];
    expect(keyOf(at(template, ...inSpec))).toBe(key);
    expect(keyOf(at('io.k8s.apps.v1.Deployment', 'spec', 'template', ...inSpec))).toBe(key);
    expect(keyOf(at('flink.apache.org.v1beta1.FlinkDeployment', 'spec', 'jobManager', 'podTemplate', ...inSpec))).toBe(
      key,
    );
  });

  it('says of each definition which kind it is, and leaves out what is not merged', () => {
    const { [template]: _template, ...kinds } = definitions;
    for (const [name, node] of Object.entries(kinds)) {
      expect(node['x-kubernetes-group-version-kind'], name).toMatchObject([
        { kind: name.slice(name.lastIndexOf('.') + 1) },
      ]);
    }
    expect(at(template, 'spec', 'containers', '*', 'args')).toBeUndefined();
    expect(at(template, 'spec', 'tolerations')).toBeUndefined();
  });
});
