import type { AnyObject } from '../../../kube/object.ts';
import type { Around } from '../../../portrait/workload.ts';
import type { BlueGreenView } from '../../blue-green-view.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { colors } from '../../resources/blue-green-transition.ts';
import { aroundOf } from '../around.fixture.ts';

export const operator: OperatorConfig = { settings: {}, logFiles: {} };

/** What the API server would show of a view. */
export function aroundView(view: BlueGreenView, more: Readonly<Record<string, readonly AnyObject[]>> = {}): Around {
  const deployments = colors.flatMap((color): AnyObject[] => {
    const side = view.sides[color];
    if (!side) return [];
    const { ref, owners, id, terminating, generation, labels, annotations, spec, status } = side;
    return [
      {
        apiVersion: ref.apiVersion,
        kind: ref.kind,
        metadata: {
          name: ref.name,
          namespace: ref.namespace ?? '',
          uid: ref.uid,
          resourceVersion: ref.resourceVersion,
          generation,
          labels,
          annotations: { ...annotations, ...(id !== undefined && { 'cutover.dev/id': id }) },
          ownerReferences: owners.map((uid) => ({
            apiVersion: 'flink.apache.org/v1beta1',
            kind: 'FlinkBlueGreenDeployment',
            name: view.resource.metadata.name ?? '',
            uid,
          })),
          ...(terminating && { deletionTimestamp: new Date(view.now).toISOString() }),
        },
        spec,
        status,
      },
    ];
  });
  return aroundOf(view.now, {
    'flinkdeployments.flink.apache.org': deployments,
    'flinkstatesnapshots.flink.apache.org': view.snapshots.map((one) => ({ ...one })),
    ...more,
  });
}
