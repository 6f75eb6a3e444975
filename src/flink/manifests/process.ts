import { flinkOptions } from '../config/flink-options.ts';
import { jobManagerMemory, taskManagerMemory } from './process-memory.ts';

/** What the two processes of a cluster are configured with. */
export const jobManager = {
  component: 'jobmanager',
  template: 'jobManager',
  account: flinkOptions.jobManagerAccount,
  labels: flinkOptions.jobManagerLabels,
  annotations: flinkOptions.jobManagerAnnotations,
  nodeSelector: flinkOptions.jobManagerNodeSelector,
  tolerations: flinkOptions.jobManagerTolerations,
  cpu: flinkOptions.jobManagerCpu,
  cpuLimit: flinkOptions.jobManagerCpuLimit,
  memory: jobManagerMemory,
  memoryLimit: flinkOptions.jobManagerMemoryLimit,
  variables: 'containerized.master.env.',
} as const;

export const taskManager = {
  component: 'taskmanager',
  template: 'taskManager',
  account: flinkOptions.taskManagerAccount,
  labels: flinkOptions.taskManagerLabels,
  annotations: flinkOptions.taskManagerAnnotations,
  nodeSelector: flinkOptions.taskManagerNodeSelector,
  tolerations: flinkOptions.taskManagerTolerations,
  cpu: flinkOptions.taskManagerCpu,
  cpuLimit: flinkOptions.taskManagerCpuLimit,
  memory: taskManagerMemory,
  memoryLimit: flinkOptions.taskManagerMemoryLimit,
  variables: 'containerized.taskmanager.env.',
} as const;

export type Process = typeof jobManager | typeof taskManager;
