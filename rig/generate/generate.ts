import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connectApi } from '../api.ts';
import { startControlPlane } from '../control-plane.ts';
import { cacheDirectory } from '../directories.ts';
import { findGo } from '../go.ts';
import { KUBERNETES_MODULE } from '../parts.ts';
import type { Progress } from '../progress.ts';
import { generateBootstrapRoles } from './bootstrap-roles.ts';
import { type FetchJson, generateOpenApi } from './openapi.ts';
import { generateProtobuf } from './protobuf.ts';

const directory = join(import.meta.dirname, '..', '..', 'src', 'embedded', 'generated');

/**
 * Writes everything that the embedded server takes from a real one, which is started for it. Returns the paths that were
 * written.
 */
export async function generate(progress: Progress): Promise<readonly string[]> {
  const go = await findGo(cacheDirectory(), progress);
  const module = async (name: string): Promise<string> =>
    (await go.run(KUBERNETES_MODULE, ['list', '-m', '-f', '{{.Dir}}', name])).trim();
  const modules = { api: await module('k8s.io/api'), apimachinery: await module('k8s.io/apimachinery') };
  const plane = await startControlPlane({ progress });
  const api = connectApi(plane.url, plane.pki);
  const fetchJson: FetchJson = async (path) => JSON.parse((await api.send('GET', path)).body);
  try {
    const files = [
      ...(await generateOpenApi({ fetchJson })),
      ...(await generateBootstrapRoles({ fetchJson })),
      ...generateProtobuf(modules),
    ];
    return files.map(([name, text]) => write(join(directory, name), text));
  } finally {
    api.close();
    await plane.stop();
  }
}

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
