import type { AnyObject } from '../../kube/object.ts';
import type { Around } from '../../portrait/workload.ts';
import { flinkBlueGreenDeployment } from '../resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../resources/flink-deployment.ts';
import { clusterOf } from './cluster-parts.ts';
import { metadataOf } from './resource.ts';

/** The FlinkDeployment whose cluster a pod belongs to, by its labels. Where FlinkDeployments can be read, it must be there. */
export function deploymentOfPod(pod: AnyObject, around: Around): string | undefined {
  const name = clusterOf({ ...pod, metadata: metadataOf(pod) });
  const all = around.list(flinkDeployment.type);
  return name === undefined || all === undefined || find(all, name) ? name : undefined;
}

/** The FlinkBlueGreenDeployment that made the FlinkDeployment of a pod. */
export function blueGreenOfPod(pod: AnyObject, around: Around): string | undefined {
  const name = clusterOf({ ...pod, metadata: metadataOf(pod) });
  const deployment = name === undefined ? undefined : find(around.list(flinkDeployment.type) ?? [], name);
  return deployment && blueGreenOwner(deployment);
}

/** The name of the FlinkBlueGreenDeployment that an object belongs to. */
export function blueGreenOwner(object: AnyObject): string | undefined {
  return metadataOf(object).ownerReferences?.find(
    ({ kind, apiVersion }) =>
      kind === flinkBlueGreenDeployment.type.kind && apiVersion === flinkBlueGreenDeployment.apiVersion,
  )?.name;
}

function find(objects: readonly AnyObject[], name: string): AnyObject | undefined {
  return objects.find((one) => metadataOf(one).name === name);
}
