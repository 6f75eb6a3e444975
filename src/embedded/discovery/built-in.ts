import { brotliDecompressSync } from 'node:zlib';
import type { ResourceType } from '../../kube/resource-type.ts';
import { documents } from '../generated/documents.ts';
import { resources } from '../generated/resources.ts';
import { schemas as compressed } from '../generated/schemas.ts';
import { openSchemas, type Schemas } from '../schema/open-schemas.ts';
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

let schemas: Schemas | undefined;

/**
 * The schema of a built-in kind, `undefined` for kinds that have none. Kinds that are only ever sent to a subresource
 * (Eviction, Scale, TokenRequest, DeleteOptions) count. The first call unpacks all schemas (a few milliseconds).
 */
export function builtInSchema(group: string, version: string, kind: string): Schema | undefined {
  schemas ??= openSchemas([{ components: { schemas: JSON.parse(unpack(compressed)) } }]);
  return schemas.byKind(group, version, kind);
}

function unpack(text: string): string {
  return brotliDecompressSync(Buffer.from(text, 'base64')).toString('utf8');
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
