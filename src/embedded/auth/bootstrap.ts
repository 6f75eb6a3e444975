import { brotliDecompressSync } from 'node:zlib';
import type { AnyObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { bootstrapRoles as compressed } from '../generated/bootstrap-roles.ts';
import { StatusError } from '../status-error.ts';
import type { World } from '../world.ts';
import { rbacGroup } from './cluster.ts';

const plurals: Readonly<Record<string, { readonly plural: string; readonly namespaced: boolean }>> = {
  ClusterRole: { plural: 'clusterroles', namespaced: false },
  ClusterRoleBinding: { plural: 'clusterrolebindings', namespaced: false },
  Role: { plural: 'roles', namespaced: true },
  RoleBinding: { plural: 'rolebindings', namespaced: true },
};

/** The roles and bindings that every cluster is born with: `cluster-admin`, `admin`, `edit`, `view`, discovery … */
export function bootstrapRoles(): readonly AnyObject[] {
  return JSON.parse(brotliDecompressSync(Buffer.from(compressed, 'base64')).toString('utf8'));
}

/** Creates those of them that are missing. The namespace `kube-system` must exist. */
export async function ensureBootstrapRoles(world: World): Promise<void> {
  for (const object of bootstrapRoles()) {
    const type = typeOf(object.kind);
    const { namespace, name = '' } = object.metadata;
    if (world.get(type, namespace, name)) continue;
    await world.create(type, object).catch((error) => {
      if (!(error instanceof StatusError && error.status.reason === 'AlreadyExists')) throw error;
    });
  }
}

function typeOf(kind: string): ResourceType {
  return { group: rbacGroup, version: 'v1', kind, ...(plurals[kind] as { plural: string; namespaced: boolean }) };
}
