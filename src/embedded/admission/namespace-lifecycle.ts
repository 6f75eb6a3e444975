import type { Cluster } from '../auth/cluster.ts';
import type { Attempt } from '../gate.ts';
import { forbidden, notFound, StatusError } from '../status-error.ts';

const immortal = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Nothing comes into a namespace that is not there or is going away, and the namespaces that the cluster itself lives
 * in stay.
 *
 * @throws StatusError 403, 404
 */
export function guardNamespace(cluster: Cluster, { operation, resource, namespace, name }: Attempt): void {
  const about = { group: resource.group, plural: resource.plural, name };
  if (resource.group === '' && resource.plural === 'namespaces') {
    if (operation === 'DELETE' && immortal.has(name)) throw forbidden(about, 'this namespace may not be deleted');
    return;
  }
  if (!namespace || operation !== 'CREATE') return;
  const home = cluster.read('', 'namespaces', undefined, namespace);
  if (!home) throw notFound({ group: '', plural: 'namespaces', name: namespace });
  if (!home.metadata.deletionTimestamp) return;
  const { status } = forbidden(
    about,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  throw new StatusError(403, 'Forbidden', status.message ?? '', { ...status.details, causes: [cause] });
}
