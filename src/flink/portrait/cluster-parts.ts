import { kinds } from '../../kube/kinds.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Around } from '../../portrait/workload.ts';
import { metadataOf } from './resource.ts';

/** What runs a Flink cluster, as far as it could be read. */
export interface ClusterParts {
  /** Of the JobManager, and in standalone mode of the TaskManagers. */
  readonly processes: readonly AnyObject[];
  /** The oldest first. */
  readonly pods: readonly AnyObject[];
}

/** What of a namespace belongs to the cluster of one FlinkDeployment, by the labels that every part of it carries. */
export function clusterParts(name: string, around: Around): ClusterParts {
  const ours = (object: AnyObject) => clusterOf(object) === name;
  return {
    processes: whole(around.list(kinds.deployments)).filter(ours).toSorted(byName),
    pods: whole(around.list(kinds.pods)).filter(ours).toSorted(byAge),
  };
}

/** The FlinkDeployment whose cluster an object belongs to; undefined when it is of none. */
export function clusterOf({ metadata }: AnyObject): string | undefined {
  const { app, type } = metadata.labels ?? {};
  return type === 'flink-native-kubernetes' || type === 'flink-standalone-kubernetes' ? app : undefined;
}

/** `jobmanager` or `taskmanager`, as labelled. */
export function componentOf({ metadata }: AnyObject): string | undefined {
  return metadata.labels?.component;
}

function whole(objects: readonly AnyObject[] | undefined): readonly AnyObject[] {
  return (objects ?? []).map((one) => ({ ...one, metadata: metadataOf(one) }));
}

function byName(a: AnyObject, b: AnyObject): number {
  return nameOf(a).localeCompare(nameOf(b));
}

function byAge(a: AnyObject, b: AnyObject): number {
  const [left, right] = [a, b].map((one) => Date.parse(one.metadata.creationTimestamp ?? '') || 0);
  return (left ?? 0) - (right ?? 0) || byName(a, b);
}

function nameOf({ metadata }: AnyObject): string {
  return metadata.name ?? '';
}
