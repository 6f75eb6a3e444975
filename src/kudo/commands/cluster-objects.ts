import { isKubeError } from '../../kube/error.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Resource } from '../../kube/resource.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { CommandError } from '../../portrait/text/command-error.ts';
import { didYouMean } from '../../portrait/text/near-names.ts';
import type { OpenedCluster } from '../../portrait/text/shell.ts';
import { type Instance, instance } from '../resources/instance.ts';
import { type Operator, operator } from '../resources/operator.ts';
import { type OperatorVersion, operatorVersion } from '../resources/operator-version.ts';

/** The kinds of KUDO in one cluster. */
export function kudoOf({ client }: Pick<OpenedCluster, 'client'>) {
  return {
    instances: client.resource<Instance>(instance.type),
    operators: client.resource<Operator>(operator.type),
    operatorVersions: client.resource<OperatorVersion>(operatorVersion.type),
  };
}

/** The object; undefined when there is none of this name. */
export async function find<T extends KubeObject>(
  resource: Resource<T>,
  namespace: string,
  name: string,
): Promise<T | undefined> {
  try {
    return await resource.get({ namespace, name });
  } catch (error) {
    // A missing kind is another matter, and says so.
    if (isKubeError(error, 'not-found') && error.status?.details?.name) return undefined;
    throw error;
  }
}

/** The Instance, or an error that names those which may be meant. */
export async function theInstance(cluster: OpenedCluster, name: string): Promise<Instance> {
  const { namespace } = cluster;
  const { instances } = kudoOf(cluster);
  const found = await find(instances, namespace, name);
  if (found) return found;
  throw new CommandError(
    `instance ${quoted(name)} does not exist in namespace ${quoted(namespace)}.${await hint(instances, namespace, name)}`,
  );
}

/** The OperatorVersion that an Instance names; undefined when it is gone. */
export async function operatorVersionOf(
  cluster: OpenedCluster,
  { spec, metadata }: Instance,
): Promise<OperatorVersion | undefined> {
  const { name = '', namespace } = spec?.operatorVersion ?? {};
  if (name === '') return undefined;
  return find(kudoOf(cluster).operatorVersions, namespace || (metadata.namespace ?? cluster.namespace), name);
}

/** As `operatorVersionOf`, or an error. */
export async function theOperatorVersionOf(cluster: OpenedCluster, one: Instance): Promise<OperatorVersion> {
  const found = await operatorVersionOf(cluster, one);
  if (found) return found;
  const { name = '', namespace = '' } = one.metadata;
  throw new CommandError(
    `OperatorVersion ${quoted(one.spec?.operatorVersion?.name ?? '')} of instance ${namespace}/${name} does not exist; install its package again with --skip-instance`,
  );
}

async function hint(instances: Resource<Instance>, namespace: string, name: string): Promise<string> {
  const all = await everywhere(instances, namespace);
  const elsewhere = all.find(({ metadata }) => metadata.name === name)?.metadata.namespace;
  if (elsewhere !== undefined) return ` There is one in namespace ${quoted(elsewhere)}: add -n ${elsewhere}`;
  const names = all
    .filter(({ metadata }) => metadata.namespace === namespace)
    .map(({ metadata }) => `${metadata.name}`);
  if (names.length === 0) return ' There is none in it at all';
  return didYouMean(name, names) || ` There are: ${names.slice(0, 10).join(', ')}`;
}

/** All Instances that the person may see. */
async function everywhere(instances: Resource<Instance>, namespace: string): Promise<readonly Instance[]> {
  try {
    return (await instances.list({ metadataOnly: true })).items;
  } catch (error) {
    if (!isKubeError(error, 'forbidden')) throw error;
    return (await instances.list({ namespace, metadataOnly: true })).items;
  }
}

/** The words that KUDO's command line uses for an object. */
export function titleOf(type: ResourceType, namespace: string, name: string): string {
  return `${type.kind.toLowerCase()} ${namespace}/${name}`;
}

export function quoted(text: string): string {
  return JSON.stringify(text);
}
