import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const structure = new Set([
  'description',
  'title',
  'type',
  'format',
  'nullable',
  'default',
  'items',
  'properties',
  'additionalProperties',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
]);
const values = new Set([
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'required',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
]);
const types = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean']);

interface Node {
  readonly [keyword: string]: unknown;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node;
  readonly items?: Node;
}

/**
 * Everything about a schema that the API server would not accept as structural: Kubernetes' rules, written from their
 * documentation and independently of the code that generates the schemas.
 */
function structuralProblems(schema: unknown): string[] {
  return node(schema as Node, '', true);
}

function node(schema: Node, path: string, root = false): string[] {
  const say = (problem: string): string => `${path || '(root)'}: ${problem}`;
  const problems: string[] = [];
  for (const keyword of Object.keys(schema)) {
    if (!structure.has(keyword) && !values.has(keyword)) problems.push(say(`unknown keyword "${keyword}"`));
  }
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  const free = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (problems.length === 0 && schema.type === undefined && !intOrString && !free) problems.push(say('has no type'));
  if (schema.type !== undefined && !types.has(schema.type)) problems.push(say(`unknown type "${schema.type}"`));
  if (schema.type !== undefined && intOrString) problems.push(say('int-or-string has a type'));
  if (root && schema.type !== undefined && schema.type !== 'object') problems.push(say('the root is no object'));
  if (schema.properties && schema.additionalProperties)
    problems.push(say('has both properties and additionalProperties'));
  if (schema.type === 'array' && !schema.items) problems.push(say('is a list without items'));
  if (schema.properties && schema.type !== 'object') problems.push(say('has properties but is no object'));
  for (const junctor of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const branch of (schema[junctor] ?? []) as readonly Node[]) {
      const isTypeOfIntOrString = intOrString && ['integer', 'string'].includes(branch.type ?? '');
      if (!isTypeOfIntOrString) problems.push(...junction(branch, schema, say));
    }
  }
  if (
    root &&
    Object.keys(schema.properties?.metadata?.properties ?? {}).some(
      (name) => name !== 'name' && name !== 'generateName',
    )
  ) {
    return [...problems, 'metadata: may only restrict name and generateName'];
  }
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    problems.push(...node(property, path ? `${path}.${name}` : name));
  if (schema.additionalProperties) problems.push(...node(schema.additionalProperties, `${path}.*`));
  if (schema.items) problems.push(...node(schema.items, `${path}[]`));
  return problems;
}

/** A branch may only restrict values, of fields that the structure has. */
function junction(branch: Node, structural: Node | undefined, say: (problem: string) => string): string[] {
  const said = Object.keys(branch).filter(
    (keyword) => !values.has(keyword) && keyword !== 'properties' && keyword !== 'items',
  );
  return [
    ...said.map((keyword) => say(`a junctor says "${keyword}"`)),
    ...Object.entries(branch.properties ?? {}).flatMap(([name, inner]) => {
      const outer = structural?.properties?.[name];
      return outer ? junction(inner, outer, say) : [say(`a junctor names "${name}", which is not a property`)];
    }),
  ];
}

const root = join(import.meta.dirname, '../..');
const families = readdirSync(root).includes('crds')
  ? readdirSync(join(root, 'crds')).map((name) => `crds/${name}`)
  : [];

interface Crd {
  readonly spec: {
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: unknown } }[];
  };
}

describe('committed CRDs', () => {
  it.each(['test/toy/crd.yaml', ...families])('%s has structural schemas only', (file) => {
    // As Kubernetes reads it: YAML 1.1, where a bare `on` would be a boolean.
    const crd = parse(readFileSync(join(root, file), 'utf8'), { version: '1.1' }) as Crd;
    for (const { schema } of crd.spec.versions) expect(structuralProblems(schema.openAPIV3Schema)).toEqual([]);
    expect(crd).toEqual(parse(readFileSync(join(root, file), 'utf8')));
  });
});

describe('the checker of the test', () => {
  it.each<[object, string]>([
    [{}, '(root): has no type'],
    [{ type: 'object', properties: { a: {} } }, 'a: has no type'],
    [{ type: 'object', properties: { a: { type: 'string', change: 'x' } } }, 'a: unknown keyword "change"'],
    [{ type: 'object', properties: { a: { $ref: '#/x' } } }, 'a: unknown keyword "$ref"'],
    [
      { type: 'object', additionalProperties: { type: 'string' }, properties: {} },
      '(root): has both properties and additionalProperties',
    ],
    [{ type: 'object', anyOf: [{ type: 'string' }] }, '(root): a junctor says "type"'],
    [
      { type: 'object', anyOf: [{ properties: { a: { minimum: 1 } } }] },
      '(root): a junctor names "a", which is not a property',
    ],
    [{ type: 'object', oneOf: [{ description: 'x' }] }, '(root): a junctor says "description"'],
    [{ type: 'object', properties: { a: { type: 'array' } } }, 'a: is a list without items'],
    [
      { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
      'metadata: may only restrict name and generateName',
    ],
  ])('finds what is wrong with %j', (schema, problem) => {
    expect(structuralProblems(schema)).toEqual([problem]);
  });
});
