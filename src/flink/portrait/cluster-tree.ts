import { isObject } from '../../change/equal.ts';
import type { AnyObject } from '../../kube/object.ts';
import { podNode } from '../../portrait/of-pod.ts';
import type { PodPortrait, TreeNode } from '../../portrait/portrait.ts';
import type { Phase } from '../../portrait/summary.ts';
import { type ClusterParts, componentOf } from './cluster-parts.ts';

/** The Deployments of a cluster with their pods. In native mode the JobManager's has the TaskManagers too: Flink makes them. */
export function clusterNodes(
  { processes, pods }: ClusterParts,
  portraits: readonly PodPortrait[],
): readonly TreeNode[] {
  const nodeOf = (pod: AnyObject): TreeNode[] =>
    portraits.filter(({ name }) => name === pod.metadata.name).map((portrait) => podNode(portrait));
  const homes = processes.map((process) => componentOf(process) ?? 'jobmanager');
  const home = (pod: AnyObject): number => {
    const own = homes.indexOf(componentOf(pod) ?? '');
    return own >= 0 ? own : homes.indexOf('jobmanager');
  };
  return [
    ...processes.map((process, index) =>
      deploymentNode(process, pods.filter((pod) => home(pod) === index).flatMap(nodeOf)),
    ),
    ...pods.filter((pod) => home(pod) < 0).flatMap(nodeOf),
  ];
}

function deploymentNode({ metadata, spec, status }: AnyObject, children: readonly TreeNode[]): TreeNode {
  const wanted = isObject(spec) && typeof spec.replicas === 'number' ? spec.replicas : 1;
  const there = isObject(status) && typeof status.availableReplicas === 'number' ? status.availableReplicas : 0;
  const going = metadata.deletionTimestamp !== undefined;
  const phase: Phase = going ? 'deleting' : there >= wanted ? 'healthy' : 'progressing';
  return {
    kind: 'Deployment',
    name: metadata.name ?? '',
    phase,
    status: going ? 'Terminating' : `${there}/${wanted} available`,
    ...(metadata.creationTimestamp !== undefined && { createdAt: metadata.creationTimestamp }),
    children,
  };
}
