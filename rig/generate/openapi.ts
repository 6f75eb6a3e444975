import { createHash } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import { served } from './served.ts';

/** Reads a JSON document of a running API server by its absolute path. */
export type FetchJson = (path: string) => Promise<unknown>;

/** Files to write, by their path below `src/embedded/generated/`. */
export type GeneratedFiles = ReadonlyMap<string, string>;

interface ApiResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

type Node = { readonly [key: string]: unknown };

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Node>>;
  readonly components: { readonly schemas: Readonly<Record<string, Node>> } & Node;
}

const heading = `// Generated from a Kubernetes API server by \`npm run rig -- generate\`. Do not edit.\n`;

/**
 * Makes what the embedded server knows of the built-in kinds from a real API server: the table of resources, the
 * schemas that validate (one small file, no descriptions), and the documents for `kubectl explain` (one compressed
 * module per group and version, loaded only when someone asks).
 */
export async function generateOpenApi({ fetchJson }: { readonly fetchJson: FetchJson }): Promise<GeneratedFiles> {
  const files = new Map<string, string>();
  const resources: Node[] = [];
  const documents: string[] = [];
  const schemas = new Map<string, Node>();

  for (const { group, version, resources: wanted } of served) {
    const root = group === '' ? `api/${version}` : `apis/${group}/${version}`;
    const list = (await fetchJson(`/${root}`)) as { readonly resources: readonly ApiResource[] };
    for (const [plural, subresources] of Object.entries(wanted)) {
      resources.push(describe(list.resources, group, version, plural, subresources));
    }

    const whole = (await fetchJson(`/openapi/v3/${root}`)) as OpenApiDocument;
    const document = prune(whole, root, wanted);
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      schemas.set(name, special[name] ?? (bare(schema) as Node));
    }

    const text = JSON.stringify(document);
    const hash = createHash('sha512').update(text).digest('hex').toUpperCase();
    const file = `${group || 'core'}.${version}.ts`;
    files.set(`explain/${file}`, `${heading}export const document =\n  '${compress(text)}';\n`);
    documents.push(`  '${root}': { hash: '${hash}', load: () => import('./explain/${file}') },`);
  }

  const sorted = Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  files.set('schemas.ts', `${heading}export const schemas =\n  '${compress(JSON.stringify(sorted))}';\n`);
  files.set('resources.ts', `${heading}export const resources = ${JSON.stringify(resources, null, 1)} as const;\n`);
  files.set('documents.ts', `${heading}export const documents = {\n${documents.join('\n')}\n} as const;\n`);
  return files;
}

function describe(
  list: readonly ApiResource[],
  group: string,
  version: string,
  plural: string,
  subresources: readonly string[],
): Node {
  const find = (name: string): ApiResource => {
    const found = list.find((resource) => resource.name === name);
    if (!found) throw new Error(`the server does not serve ${name} in ${group || 'core'}/${version}`);
    return found;
  };
  const main = find(plural);
  return {
    group,
    version,
    kind: main.kind,
    plural,
    singular: main.singularName,
    namespaced: main.namespaced,
    shortNames: main.shortNames ?? [],
    categories: main.categories ?? [],
    verbs: main.verbs,
    subresources: subresources.map((name) => {
      const sub = find(`${plural}/${name}`);
      return {
        name,
        group: sub.group ?? group,
        version: sub.version ?? version,
        kind: sub.kind,
        verbs: sub.verbs,
      };
    }),
  };
}

/** Only the paths of what is served, and only the schemas that these paths and each other refer to. */
function prune(
  document: OpenApiDocument,
  root: string,
  wanted: Readonly<Record<string, readonly string[]>>,
): OpenApiDocument {
  const keep = new Set<string>([`/${root}/`]);
  for (const [plural, subresources] of Object.entries(wanted)) {
    for (const base of [`/${root}/${plural}`, `/${root}/namespaces/{namespace}/${plural}`]) {
      keep.add(base).add(`${base}/{name}`);
      for (const sub of subresources) keep.add(`${base}/{name}/${sub}`).add(`${base}/{name}/${sub}/{path}`);
    }
  }
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => keep.has(path)));

  const reached = new Set<string>();
  const pending: unknown[] = [paths];
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if (key !== '$ref' || typeof value !== 'string') {
        pending.push(value);
        continue;
      }
      const name = value.slice(value.lastIndexOf('/') + 1);
      if (!reached.has(name)) {
        reached.add(name);
        pending.push(document.components.schemas[name]);
      }
    }
  }
  const schemas = Object.fromEntries(Object.entries(document.components.schemas).filter(([name]) => reached.has(name)));
  return { ...document, paths, components: { ...document.components, schemas } };
}

/** Types whose published schema says less, or says it in another dialect, than what the server does with them. */
const special: Readonly<Record<string, Node>> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { 'x-kubernetes-int-or-string': true },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': {
    format: 'quantity',
    oneOf: [{ type: 'string' }, { type: 'number' }],
  },
  'io.k8s.apimachinery.pkg.runtime.RawExtension': { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

/**
 * A schema without what only people read and without defaults that merely spell Go's zero values. The default `{}` stays:
 * it marks structs that every object has. Names of properties are data and are kept whatever they spell.
 */
function bare(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bare);
  if (typeof schema !== 'object' || schema === null) return schema;
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'description' || key === 'x-kubernetes-unions') continue;
    if (key === 'default' && ['""', '0', 'false'].includes(JSON.stringify(value))) continue;
    if (key === 'properties') {
      out[key] = Object.fromEntries(Object.entries(value as Node).map(([name, property]) => [name, bare(property)]));
    } else if (key === 'default' || key === 'enum' || key === 'x-kubernetes-group-version-kind') {
      out[key] = value;
    } else {
      out[key] = bare(value);
    }
  }
  if (Object.keys(out).length === 0) out['x-kubernetes-preserve-unknown-fields'] = true;
  // OpenAPI's way to hang a description on a reference: without one it is just the reference.
  const { allOf, ...siblings } = out;
  const plain = Array.isArray(allOf) && allOf.length === 1 && Object.keys(siblings).length === 0;
  return plain ? allOf[0] : out;
}

function compress(text: string): string {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 22,
    [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
  };
  return brotliCompressSync(text, { params }).toString('base64');
}
