import type { Cached, Caches } from '../../control/caches.ts';
import { openWatched } from '../../control/watched.ts';
import { kinds } from '../../kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { blueGreenLabel } from '../decide/bluegreen/savepoint-object.ts';
import { childName } from '../manifests/blue-green-child.ts';
import { previewName } from '../manifests/blue-green-ingress.ts';
import { colors } from '../resources/blue-green-transition.ts';
import { type FlinkBlueGreenDeployment, flinkBlueGreenDeployment } from '../resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../resources/flink-deployment.ts';
import { type FlinkStateSnapshot, flinkStateSnapshot } from '../resources/flink-state-snapshot.ts';
import type { FlinkCaches, WatchScope } from './flink-caches.ts';

/** What is watched for blue/green deployments: of their sides and savepoints the same objects as everybody watches. */
export interface BlueGreenCaches extends Pick<FlinkCaches, 'deployments' | 'ingresses'> {
  readonly blueGreens: Cached<FlinkBlueGreenDeployment>;
  readonly snapshots: Cached<FlinkStateSnapshot, 'blueGreen'>;
}

/** Only this: who runs the sides may be another process, or the Java operator. */
export function openBlueGreenCaches(caches: Caches, { namespaces, labelSelector }: WatchScope): BlueGreenCaches {
  const resources = { ...(labelSelector && { labelSelector }), managedFields: true };
  return {
    deployments: openWatched(caches, namespaces, { type: flinkDeployment.type, ...resources }),
    // Nobody needs them to run jobs.
    ingresses: openWatched<AnyObject>(caches, namespaces, {
      type: kinds.ingresses,
      labelSelector: 'component=ingress',
      optional: true,
    }),
    // Older installations have neither of these kinds.
    blueGreens: openWatched(caches, namespaces, {
      type: flinkBlueGreenDeployment.type,
      ...resources,
      optional: true,
    }),
    snapshots: openWatched(caches, namespaces, {
      type: flinkStateSnapshot.type,
      ...resources,
      optional: true,
      indexes: { blueGreen: blueGreenOf },
    }),
  };
}

/** The key of the resource that a savepoint was taken for, by its label. */
export function blueGreenOf({ metadata }: FlinkStateSnapshot): readonly string[] {
  const name = metadata.labels?.[blueGreenLabel];
  return name ? [`${metadata.namespace}/${name}`] : [];
}

/**
 * The keys of the resources that an object with this name may matter to, whoever owns it: as one of their sides, or as
 * something that stands in the way of one. Only of resources that there are.
 */
export function concerned(
  { blueGreens }: BlueGreenCaches,
  { metadata }: KubeObject,
  names: (resource: string) => readonly string[],
): readonly string[] {
  const { namespace, name = '' } = metadata;
  return stems(name)
    .filter((stem) => names(stem).includes(name))
    .map((stem) => `${namespace}/${stem}`)
    .filter((key) => blueGreens.get(key) !== undefined);
}

/** The names that FlinkDeployments have that matter to a resource: its sides, and its namesake. */
export function sideNames(resource: string): readonly string[] {
  return [resource, ...colors.map((color) => childName(resource, color))];
}

/** The names that Ingresses have that matter to a resource. */
export function ingressNames(resource: string): readonly string[] {
  return [resource, previewName(resource)];
}

/** The name, and what is before its last hyphen. */
function stems(name: string): readonly string[] {
  const hyphen = name.lastIndexOf('-');
  return hyphen > 0 ? [name, name.slice(0, hyphen)] : [name];
}
