import { kinds } from '../../../kube/kinds.ts';
import type { AnyObject } from '../../../kube/object.ts';
import type { Around } from '../../../portrait/workload.ts';
import type { BlueGreenView } from '../../blue-green-view.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { blueGreenLabel } from '../../decide/bluegreen/savepoint-object.ts';
import { blueGreenView } from '../../observe/blue-green-view.ts';
import type { FlinkBlueGreenDeployment } from '../../resources/flink-blue-green-deployment.ts';
import { type FlinkDeployment, flinkDeployment } from '../../resources/flink-deployment.ts';
import { type FlinkStateSnapshot, flinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import { isStored, metadataOf, resource as shaped } from '../resource.ts';

/** What would be decided on, were the resource like this: the controller's own look, at what is known around. */
export function viewAround(
  resource: FlinkBlueGreenDeployment,
  around: Around,
  operator: OperatorConfig,
): BlueGreenView {
  const { namespace = 'default', name = '' } = resource.metadata;
  const deployments = listed(around, flinkDeployment.type).map((one) =>
    shaped<FlinkDeployment & AnyObject>(flinkDeployment, one),
  );
  const snapshots = listed(around, flinkStateSnapshot.type)
    .map((one) => shaped<FlinkStateSnapshot & AnyObject>(flinkStateSnapshot, one))
    .filter((one) => isStored(one) && one.metadata.labels?.[blueGreenLabel] === name);
  const ingresses = listed(around, kinds.ingresses).map((one) => ({ ...one, metadata: metadataOf(one) }));
  const key = `${namespace}/${name}`;
  return blueGreenView(
    key,
    { object: { ...resource, metadata: { ...resource.metadata, namespace } }, now: around.now, outcomes: {} },
    {
      caches: {
        deployments: { get: (wanted) => byKey(deployments, namespace, wanted) },
        ingresses: { get: (wanted) => byKey(ingresses, namespace, wanted) },
        snapshots: { by: () => snapshots },
      },
      operator: () => operator,
    },
  );
}

/** The objects of a kind around; none when they could not be read. */
export function listed(around: Around, type: Parameters<Around['list']>[0]): readonly AnyObject[] {
  return around.list(type) ?? [];
}

function byKey<T extends AnyObject>(objects: readonly T[], namespace: string, key: string): T | undefined {
  return objects.find((one) => isStored(one) && `${one.metadata.namespace ?? namespace}/${one.metadata.name}` === key);
}
