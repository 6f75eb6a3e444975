import type { AnyObject } from '../../kube/object.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { read } from '../config/option.ts';
import type { Blueprint } from './blueprint.ts';
import { flinkPod } from './flink-pod.ts';
import { metadata, ownedByResource, podLabels } from './metadata.ts';
import { taskManager } from './process.ts';
import { taskManagerReplicas } from './task-manager-replicas.ts';

/** The Deployment of the TaskManagers, in standalone mode. It outlives the JobManager's: its pods look for the next one. */
export function taskManagerDeployment(blueprint: Blueprint): AnyObject | undefined {
  const { plan, mode, config } = blueprint;
  if (mode === 'native') return undefined;
  const labels = podLabels(blueprint, 'taskmanager');
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(blueprint, {
      name: `${plan.owner.name}-taskmanager`,
      owner: ownedByResource(blueprint, false),
      labels: { ...Object.fromEntries(read(config, taskManager.labels)), ...labels },
      annotations: Object.fromEntries(read(config, taskManager.annotations)),
    }),
    spec: {
      replicas: taskManagerReplicas(plan.spec, config),
      selector: { matchLabels: labels },
      template: flinkPod(blueprint, taskManager, {
        args: ['taskmanager'],
        ports: [{ name: 'taskmanager-rpc', containerPort: read(config, flinkOptions.taskManagerRpcPort) }],
        variables: [],
        first: [],
        last: [],
      }),
    },
  };
}
