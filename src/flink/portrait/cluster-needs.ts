import { isObject } from '../../change/equal.ts';
import { effectiveConfig } from '../config/effective-config.ts';
import { flinkOptions } from '../config/flink-options.ts';
import type { OperatorConfig } from '../config/operator-config.ts';
import { read } from '../config/option.ts';
import { mainResources } from '../manifests/container-resources.ts';
import { deployConfig } from '../manifests/deploy-config.ts';
import { jobManager, type Process, taskManager } from '../manifests/process.ts';
import { quantityAmount } from '../manifests/quantity.ts';
import { taskManagerReplicas } from '../manifests/task-manager-replicas.ts';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import { counted } from './wording.ts';

/** What a cluster asks of Kubernetes: the sum of what its main containers request. */
export interface ClusterNeeds {
  readonly cpu: number;
  readonly memoryBytes: number;
  readonly jobManagers: number;
  readonly taskManagers: number;
}

/** By the very manifests that would be made. */
export function clusterNeeds(spec: FlinkDeploymentSpec, namespace: string, operator: OperatorConfig): ClusterNeeds {
  const config = deployConfig(
    {
      owner: { name: '', namespace, uid: '', generation: 0 },
      spec,
      operator,
      id: '',
      restore: { mode: 'stateless' },
      haWithCheckpoint: false,
    },
    effectiveConfig(operator, { namespace, flinkVersion: spec.flinkVersion }, spec.flinkConfiguration),
  );
  const [managers, workers] = [read(config, flinkOptions.jobManagerReplicas), taskManagerReplicas(spec, config)];
  const each = (process: Process) => {
    const resources = mainResources(config, process, undefined);
    const requests = isObject(resources) && isObject(resources.requests) ? resources.requests : {};
    return { cpu: quantityAmount(requests.cpu) ?? 0, memory: quantityAmount(requests.memory) ?? 0 };
  };
  const [manager, worker] = [each(jobManager), each(taskManager)];
  return {
    cpu: managers * manager.cpu + workers * worker.cpu,
    memoryBytes: managers * manager.memory + workers * worker.memory,
    jobManagers: managers,
    taskManagers: workers,
  };
}

/** `1.5 CPU and 3 GiB of memory (1 JobManager, 2 TaskManagers)` */
export function needsText({ cpu, memoryBytes, jobManagers, taskManagers }: ClusterNeeds): string {
  const gib = memoryBytes / 2 ** 30;
  const memory = gib >= 1 ? `${round(gib)} GiB` : `${round(memoryBytes / 2 ** 20)} MiB`;
  return `${round(cpu)} CPU and ${memory} of memory (${counted(jobManagers, 'JobManager')}, ${counted(taskManagers, 'TaskManager')})`;
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}
