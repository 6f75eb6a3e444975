import type { Cached, Caches } from '../../control/caches.ts';
import { openWatched } from '../../control/watched.ts';
import { kinds } from '../../kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { qualifiedName, type ResourceType } from '../../kube/resource-type.ts';
import { heritage, labels } from '../keys.ts';
import { type Instance, instance } from '../resources/instance.ts';
import { type OperatorVersion, operatorVersion } from '../resources/operator-version.ts';

/** All that is watched for the KUDO family. */
export interface KudoCaches {
  /** `version`: `namespace/name` of the OperatorVersions that it refers to, wanted or accepted. */
  readonly instances: Cached<Instance, 'version'>;
  readonly versions: Cached<OperatorVersion>;
  /** What plans make, by `deployments.apps`: whole, with who wrote it. Objects of other kinds are read when a plan needs them. */
  readonly objects: ReadonlyMap<string, Cached<AnyObject, 'instance'>>;
  /** ReplicaSets that plans made, for `Ready`: those of Deployments are not in the index. */
  readonly replicaSets: Cached<AnyObject, 'instance'>;
  /** Pods with the labels of an Instance, as far as `Ready` speaks of them. */
  readonly pods: Cached<AnyObject, 'instance'>;
  /** Whether Instances of this namespace are seen: of others nobody can tell whether they are there. */
  sees(namespace: string): boolean;
}

/** Kinds that most packages are made of. Secrets are not among them: nobody should have to let us list them all. */
const watched: readonly ResourceType[] = [
  kinds.configMaps,
  kinds.services,
  kinds.serviceAccounts,
  kinds.persistentVolumeClaims,
  kinds.deployments,
  kinds.statefulSets,
  kinds.daemonSets,
  kinds.jobs,
  kinds.cronJobs,
  kinds.podDisruptionBudgets,
  kinds.roles,
  kinds.roleBindings,
];

/** Opens them in these namespaces; in all of them when none is named. */
export function openKudoCaches(caches: Caches, namespaces: readonly string[]): KudoCaches {
  const ours = { labelSelector: `${labels.heritage}=${heritage}`, optional: true };
  const indexes = { instance: instanceByLabel };
  return {
    instances: openWatched<Instance, 'version'>(caches, namespaces, {
      type: instance.type,
      managedFields: true,
      indexes: { version: versionsOf },
    }),
    versions: openWatched(caches, namespaces, { type: operatorVersion.type }),
    objects: new Map(
      watched.map((type) => [
        qualifiedName(type),
        openWatched<AnyObject, 'instance'>(caches, namespaces, { type, ...ours, managedFields: true, indexes }),
      ]),
    ),
    replicaSets: openWatched<AnyObject, 'instance'>(caches, namespaces, {
      type: kinds.replicaSets,
      ...ours,
      keep: ofPlan,
      indexes: { instance: instanceByOwner },
    }),
    pods: openWatched<AnyObject, 'instance'>(caches, namespaces, {
      type: kinds.pods,
      ...ours,
      keep: statusOnly,
      indexes,
    }),
    sees: (namespace) => namespaces.length === 0 || namespaces.includes(namespace),
  };
}

/** The key of the Instance that an object says it belongs to. */
export function instanceByLabel({ metadata }: KubeObject): readonly string[] {
  const name = metadata.labels?.[labels.instance];
  return name === undefined ? [] : [`${metadata.namespace ?? ''}/${name}`];
}

/** The key of the Instance that controls an object itself. */
export function instanceByOwner(object: KubeObject): readonly string[] {
  return isOfInstance(object) ? instanceByLabel(object) : [];
}

function isOfInstance({ metadata }: KubeObject): boolean {
  const { kind } = instance.type;
  return metadata.ownerReferences?.some((owner) => owner.controller && owner.kind === kind) ?? false;
}

/** Keys of the OperatorVersions that an Instance refers to. */
function versionsOf({ metadata, spec, status }: Instance): readonly string[] {
  const references = [spec?.operatorVersion, status?.accepted?.operatorVersion];
  return [...new Set(references.flatMap((one) => (one?.name ? [versionKey(one, metadata.namespace ?? '')] : [])))];
}

/** The key of the OperatorVersion that a reference names; in the namespace of the Instance, unless it says another. */
export function versionKey(
  reference: { readonly namespace?: string | undefined; readonly name?: string | undefined },
  namespace: string,
): string {
  return `${reference.namespace || namespace}/${reference.name ?? ''}`;
}

function statusOnly({ status }: AnyObject): object {
  return { status };
}

/** Every Deployment has a few ReplicaSets, each with a copy of its annotations: nobody looks at those. */
function ofPlan(object: AnyObject): object {
  if (isOfInstance(object)) return { spec: object.spec, status: object.status };
  const { annotations: _copied, ...metadata } = object.metadata;
  return { metadata };
}
