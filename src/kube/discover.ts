import type { Client } from './client.ts';
import { KubeError } from './error.ts';
import type { CallOptions } from './options.ts';
import type { ResourceType } from './resource-type.ts';

interface ResourceList {
  readonly resources?: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/** Where a server keeps objects of this `apiVersion` and `kind`, as the server itself says. */
export async function discover(
  client: Client,
  apiVersion: string,
  kind: string,
  options: CallOptions = {},
): Promise<ResourceType> {
  const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/', 2) as [string, string]) : ['', apiVersion];
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const list = await client.json<ResourceList>({ method: 'GET', path, ...options });
  const found = list.resources?.find((resource) => resource.kind === kind && !resource.name.includes('/'));
  if (!found) throw new KubeError('not-found', `the server does not know the kind ${kind} of ${apiVersion}`);
  return { group, version, kind, plural: found.name, namespaced: found.namespaced };
}
