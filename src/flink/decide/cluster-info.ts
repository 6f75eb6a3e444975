import type { FlinkConfig } from '../config/flink-config.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { parseMemorySize } from '../config/memory-size.ts';
import { read } from '../config/option.ts';
import { podAmounts } from '../manifests/pod-amounts.ts';
import { jobManagerMemory, taskManagerMemory } from '../manifests/process-memory.ts';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import { javaDouble } from '../resources/java-double.ts';
import type { Rest } from '../rest.ts';

/** What is told of a cluster that answers, under the keys of the Java operator. What is not known now stays as it was. */
export function clusterInfo(
  before: Readonly<Record<string, string>> | undefined,
  rest: Rest,
  spec: FlinkDeploymentSpec,
  config: FlinkConfig,
): Readonly<Record<string, string>> {
  const { version, taskManagers, job } = rest;
  const stateSize = job.checkpoints?.value.lastCompleted?.sizeBytes;
  return {
    ...before,
    ...(version && { 'flink-version': version.value.version, 'flink-revision': version.value.revision }),
    ...(taskManagers && totals(taskManagers.value, spec, config)),
    ...(stateSize !== undefined && { 'state-size': String(stateSize) }),
  };
}

/** Of all JobManagers that are asked for, and of all TaskManagers that there are. */
function totals(
  taskManagers: number,
  spec: FlinkDeploymentSpec,
  config: FlinkConfig,
): Readonly<Record<string, string>> {
  const [jobManager, taskManager] = [podAmounts(spec.jobManager), podAmounts(spec.taskManager)];
  const replicas = spec.jobManager?.replicas ?? 1;
  const slots = read(config, flinkOptions.taskSlots);
  const configured = read(config, flinkOptions.taskManagerCpu);
  const cpu = {
    jobManager: jobManager.cpu ?? read(config, flinkOptions.jobManagerCpu),
    taskManager: taskManager.cpu ?? (configured < 0 ? slots : configured),
  };
  const memory = {
    jobManager: parseMemorySize(jobManager.memory ?? '') ?? jobManagerMemory(config) ?? 0,
    taskManager: parseMemorySize(taskManager.memory ?? '') ?? taskManagerMemory(config) ?? 0,
  };
  return {
    'total-cpu': javaDouble(cpu.jobManager * replicas + cpu.taskManager * taskManagers),
    'total-memory': String(memory.jobManager * replicas + memory.taskManager * taskManagers),
  };
}
