import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generateBootstrapRoles } from './bootstrap-roles.ts';
import { type FetchJson, generateOpenApi } from './openapi.ts';
import { generateProtobuf } from './protobuf.ts';

export interface GenerateOptions {
  /** Reads from a fresh, real API server as its administrator. */
  readonly fetchJson: FetchJson;
  /** Directories of the Go modules k8s.io/api and k8s.io/apimachinery of the same version. */
  readonly modules: { readonly api: string; readonly apimachinery: string };
  /** `src/embedded/generated`. */
  readonly directory: string;
}

/** Writes everything that the embedded server takes from a real one. Returns the paths that were written. */
export async function generate({ fetchJson, modules, directory }: GenerateOptions): Promise<readonly string[]> {
  const files = [
    ...(await generateOpenApi({ fetchJson })),
    ...(await generateBootstrapRoles({ fetchJson })),
    ...generateProtobuf(modules),
  ];
  return files.map(([name, text]) => {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  });
}
