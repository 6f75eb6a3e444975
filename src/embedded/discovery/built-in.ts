import { brotliDecompressSync } from 'node:zlib';
import type { ResourceType } from '../../kube/resource-type.ts';
import { documents } from '../generated/documents.ts';
import { resources } from '../generated/resources.ts';
import { schemas as compressed } from '../generated/schemas.ts';
import type { Schema } from '../schema/schema.ts';

/** A subresource as discovery shows it. Its kind may live in another group (`autoscaling/v1` Scale). */
export interface Subresource {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** A built-in resource, with the facts of the real server. */
export interface BuiltInResource extends ResourceType {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
}

/** Every built-in resource, one entry per version, in the real server's order of groups and versions. */
export function builtInResources(): readonly BuiltInResource[] {
  return resources;
}

type Published = { [key: string]: unknown };

let graph: Map<string, Published> | undefined;

/**
 * The schema of a built-in kind, `undefined` for kinds that have none. Kinds that are only ever sent to a subresource
 * (Eviction, Scale, TokenRequest, DeleteOptions) count. The first call unpacks all schemas (a few milliseconds).
 */
export function builtInSchema(group: string, version: string, kind: string): Schema | undefined {
  graph ??= unpack();
  return graph.get(`${group}/${version}/${kind}`) as Schema | undefined;
}

/** Turns the references of the published schemas into the things they refer to. Recursive kinds become cycles. */
function unpack(): Map<string, Published> {
  const named: Record<string, Published> = JSON.parse(
    brotliDecompressSync(Buffer.from(compressed, 'base64')).toString('utf8'),
  );
  const resolve = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(resolve);
    const { $ref, ...rest } = node as Published;
    if (typeof $ref === 'string') {
      const target = named[$ref.slice($ref.lastIndexOf('/') + 1)];
      // Siblings of a reference (a default, a list type) belong to the place, not to the type.
      return Object.keys(rest).length === 0 ? target : { ...target, ...rest };
    }
    for (const [key, value] of Object.entries(rest)) (node as Published)[key] = resolve(value);
    return node;
  };

  const byKind = new Map<string, Published>();
  for (const schema of Object.values(named)) {
    resolve(schema);
    const kinds = schema['x-kubernetes-group-version-kind'];
    if (!Array.isArray(kinds)) continue;
    for (const { group, version, kind } of kinds as readonly Record<string, string>[]) {
      byKind.set(`${group}/${version}/${kind}`, schema);
    }
  }
  return byKind;
}

/** Paths below `/openapi/v3/` of the built-in documents, with the hash of each: `apis/apps/v1`. */
export function builtInDocuments(): ReadonlyMap<string, string> {
  return new Map(Object.entries(documents).map(([path, { hash }]) => [path, hash]));
}

/** The OpenAPI v3 document at `path` (`apis/apps/v1`) as JSON text, descriptions included. Loaded on demand, not kept. */
export async function builtInDocument(path: string): Promise<Uint8Array | undefined> {
  if (!Object.hasOwn(documents, path)) return undefined;
  const { document } = await documents[path as keyof typeof documents].load();
  return brotliDecompressSync(Buffer.from(document, 'base64'));
}
