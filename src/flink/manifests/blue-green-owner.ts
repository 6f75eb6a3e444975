import type { OwnerReference } from '../../kube/object.ts';
import { type FlinkBlueGreenDeployment, flinkBlueGreenDeployment } from '../resources/flink-blue-green-deployment.ts';

/** Owned by the resource, and gone with it. Only of Ingresses is it the controller, as in the upstream. */
export function ownedByBlueGreen({ metadata }: FlinkBlueGreenDeployment, controller: boolean): OwnerReference {
  return {
    apiVersion: flinkBlueGreenDeployment.apiVersion,
    kind: flinkBlueGreenDeployment.type.kind,
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    controller,
    blockOwnerDeletion: true,
  };
}
