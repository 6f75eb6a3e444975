import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { KubeObject } from '../../kube/object.ts';
import { CommandError } from '../../portrait/text/command-error.ts';
import type { OpenedCluster } from '../../portrait/text/shell.ts';
import type { PackageResources } from '../package/to-resources.ts';
import { renderObjects } from '../render/render-objects.ts';
import type { Instance } from '../resources/instance.ts';
import { commandManager } from './command-manager.ts';
import type { Session } from './session.ts';

/** Creates the namespace that a package is installed in, as its manifest says if it has one. One that is there stays as it is. */
export async function createNamespace(
  session: Session,
  { client, namespace }: OpenedCluster,
  resources: PackageResources,
  instance: Instance,
): Promise<readonly KubeObject[]> {
  const object = manifestOf(resources, instance, namespace);
  try {
    const created = await client
      .resource<KubeObject>(kinds.namespaces)
      .create(object, { fieldManager: commandManager });
    session.say(`namespace ${namespace} created`);
    return [created];
  } catch (error) {
    if (isKubeError(error, 'exists')) return [];
    throw error;
  }
}

function manifestOf({ operator, operatorVersion }: PackageResources, instance: Instance, name: string): KubeObject {
  const plain = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  const { namespaceManifest } = operator.spec;
  if (!namespaceManifest) return plain;
  const rendered = renderObjects(
    {
      instance: { name: instance.metadata.name ?? '', namespace: name, uid: '' },
      operatorVersion,
      parameters: instance.spec.parameters ?? {},
      plan: '',
      phase: '',
      step: '',
      pipes: {},
    },
    [namespaceManifest],
  );
  if ('complaint' in rendered) throw new CommandError(`the manifest of the namespace: ${rendered.complaint.message}`);
  const [manifest, ...more] = rendered.objects;
  if (manifest?.kind !== 'Namespace' || more.length > 0) {
    throw new CommandError(
      `the manifest of the namespace, ${namespaceManifest}, must yield one Namespace and nothing else`,
    );
  }
  return { ...manifest, metadata: { ...manifest.metadata, name } };
}
