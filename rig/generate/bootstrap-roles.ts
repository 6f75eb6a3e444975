import { brotliCompressSync } from 'node:zlib';
import type { FetchJson, GeneratedFiles } from './openapi.ts';

interface Item {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> } & Record<
    string,
    unknown
  >;
  readonly [field: string]: unknown;
}

const heading = '// Generated from a Kubernetes API server by `npm run rig -- generate`. Do not edit.\n';

/** Roles of components that the embedded server does not have, or whose work is done inside it. */
const foreign =
  /^system::?(controller:|kube-|node|volume-|certificates|heapster|persistent-|kubelet|cluster-trust|leader-)/;

/** Makes the roles and bindings that every cluster is born with from those of a real, fresh cluster. */
export async function generateBootstrapRoles({
  fetchJson,
}: {
  readonly fetchJson: FetchJson;
}): Promise<GeneratedFiles> {
  const objects: unknown[] = [];
  for (const [plural, kind] of [
    ['clusterroles', 'ClusterRole'],
    ['clusterrolebindings', 'ClusterRoleBinding'],
    ['roles', 'Role'],
    ['rolebindings', 'RoleBinding'],
  ]) {
    const list = await fetchJson(`/apis/rbac.authorization.k8s.io/v1/${plural}`);
    for (const { metadata, ...rest } of (list as { readonly items: readonly Item[] }).items) {
      if (metadata.labels?.['kubernetes.io/bootstrapping'] !== 'rbac-defaults' || foreign.test(metadata.name)) continue;
      const { name, namespace, labels, annotations } = metadata;
      const kept = { name, ...(namespace ? { namespace } : {}), ...(annotations ? { annotations } : {}), labels };
      objects.push({ ...rest, apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: kept });
    }
  }
  const text = brotliCompressSync(JSON.stringify(objects)).toString('base64');
  return new Map([['bootstrap-roles.ts', `${heading}export const bootstrapRoles =\n  '${text}';\n`]]);
}
