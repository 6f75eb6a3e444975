import type { KubeObject } from '../../kube/object.ts';
import { same } from '../kinds/checks.ts';
import type { Namespace } from '../kinds/objects/cluster.ts';
import type { ConfigMap } from '../kinds/objects/storage.ts';
import { configMaps, namespaces, serviceAccounts } from '../kinds/resource-types.ts';
import { StatusError } from '../status-error.ts';
import type { World } from '../world.ts';
import { type Controller, itself, type Source } from './loop.ts';

const caName = 'kube-root-ca.crt';

/** Keeps what every namespace contains: the ServiceAccount `default` and the certificate of the cluster. */
export const namespaceContents =
  (ca: string) =>
  (world: World): Controller => ({
    name: 'namespace-contents',
    sources: [itself(namespaces), kept(serviceAccounts, 'default'), kept(configMaps, caName)],
    async reconcile({ name: namespace }) {
      const found = world.get<Namespace>(namespaces, undefined, namespace);
      if (!found || found.metadata.deletionTimestamp) return undefined;
      if (!world.get(serviceAccounts, namespace, 'default')) {
        const account: KubeObject = {
          apiVersion: 'v1',
          kind: 'ServiceAccount',
          metadata: { name: 'default', namespace },
        };
        await world.create(serviceAccounts, account).catch(ignoreExisting);
      }
      const data = { 'ca.crt': ca };
      const stored = world.get<ConfigMap>(configMaps, namespace, caName);
      if (!stored) await world.create(configMaps, certificate(namespace, data)).catch(ignoreExisting);
      else if (!same(stored.data, data)) await world.update(configMaps, { ...stored, data });
      return undefined;
    },
  });

const certificate = (namespace: string, data: Readonly<Record<string, string>>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: caName,
    namespace,
    annotations: {
      'kubernetes.io/description':
        'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
    },
  },
  data,
});

/** The namespace of an object of this name that changed or vanished. */
const kept = (type: Source['type'], name: string): Source => ({
  type,
  *keys({ before, after }) {
    const object = after ?? before;
    if (object?.metadata.name === name) yield { namespace: '', name: object.metadata.namespace ?? '' };
  },
});

function ignoreExisting(error: unknown): void {
  if (!(error instanceof StatusError) || error.status.reason !== 'AlreadyExists') throw error;
}
