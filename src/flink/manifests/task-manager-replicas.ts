import type { FlinkConfig } from '../config/flink-config.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { read } from '../config/option.ts';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';

/** How many TaskManagers a cluster needs: as many as users ask for, else enough for the parallelism of the job. */
export function taskManagerReplicas(spec: FlinkDeploymentSpec, config: FlinkConfig): number {
  const asked = spec.taskManager?.replicas;
  if (asked) return asked;
  if (!spec.job) return read(config, flinkOptions.taskManagerReplicas) ?? 1;
  return Math.max(1, Math.ceil(jobParallelism(spec, config) / Math.max(1, read(config, flinkOptions.taskSlots))));
}

/**
 * The parallelism of an application's job. TaskManagers that users ask for are used to the full; in standalone mode, where
 * nobody makes further ones, the widest vertex counts.
 */
export function jobParallelism(spec: FlinkDeploymentSpec, config: FlinkConfig): number {
  const replicas = spec.taskManager?.replicas;
  if (replicas) return replicas * read(config, flinkOptions.taskSlots);
  const written = spec.job?.parallelism ?? 0;
  if (spec.mode !== 'standalone') return written;
  const overrides = [...read(config, flinkOptions.parallelismOverrides).values()].map(Number).filter(Number.isInteger);
  return overrides.reduce((widest, one) => Math.max(widest, one), 0) || written;
}
