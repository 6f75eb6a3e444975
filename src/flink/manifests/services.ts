import type { AnyObject } from '../../kube/object.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { read } from '../config/option.ts';
import type { Blueprint } from './blueprint.ts';
import { commonLabels, metadata, ownedByDeployment, podLabels } from './metadata.ts';

/** The Service under which REST and the web interface are reached. */
export function restService(blueprint: Blueprint, deploymentUid: string): AnyObject {
  const { plan, config } = blueprint;
  const port = read(config, flinkOptions.restPort);
  const type = read(config, flinkOptions.restServiceType);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(blueprint, {
      name: `${plan.owner.name}-rest`,
      owner: ownedByDeployment(blueprint, deploymentUid),
      labels: { ...Object.fromEntries(read(config, flinkOptions.restServiceLabels)), ...commonLabels(blueprint) },
      annotations: Object.fromEntries(read(config, flinkOptions.restServiceAnnotations)),
    }),
    spec: {
      ...(type === 'Headless_ClusterIP' ? { type: 'ClusterIP', clusterIP: 'None' } : { type }),
      ports: [{ name: 'rest', port, targetPort: read(config, flinkOptions.restBindPort) || port }],
      selector: podLabels(blueprint, 'jobmanager'),
    },
  };
}

/**
 * The Service under which TaskManagers find the JobManager. With high availability native Flink finds it in its own
 * metadata.
 */
export function internalService(blueprint: Blueprint, deploymentUid: string): AnyObject | undefined {
  const { plan, config, mode, ha } = blueprint;
  if (mode === 'native' && ha) return undefined;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(blueprint, {
      name: plan.owner.name,
      owner: ownedByDeployment(blueprint, deploymentUid),
      labels: commonLabels(blueprint),
    }),
    spec: {
      clusterIP: 'None',
      ports: [
        { name: 'jobmanager-rpc', port: read(config, flinkOptions.rpcPort) || 6123 },
        { name: 'blobserver', port: read(config, flinkOptions.blobPort) || 6124 },
      ],
      selector: podLabels(blueprint, 'jobmanager'),
    },
  };
}
