import type { FlinkConfig } from '../config/flink-config.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { read } from '../config/option.ts';
import type { Container, PodSpec } from './kube-types.ts';
import type { Process } from './process.ts';
import { canonicalQuantity } from './quantity.ts';

const megabyte = 2 ** 20;

/**
 * What the main container requests and is limited to. CPU and memory follow from Flink's configuration, because the
 * process inside is sized by it; whatever else a template asks for stays.
 */
export function mainResources(config: FlinkConfig, process: Process, template: Container['resources']): unknown {
  const slots = read(config, flinkOptions.taskSlots);
  const configured = read(config, process.cpu);
  const cpu = configured >= 0 ? configured : slots;
  const memory = Math.floor((process.memory(config) ?? 0) / megabyte);
  return {
    ...template,
    requests: { ...template?.requests, ...amounts(cpu, memory) },
    limits: {
      ...template?.limits,
      ...amounts(cpu * read(config, process.cpuLimit), Math.floor(memory * read(config, process.memoryLimit))),
    },
  };
}

function amounts(cpu: number, memory: number): Record<string, string> {
  // Six digits, so that 0.1 × 3 is 0.3.
  return { cpu: String(Number(cpu.toFixed(6))), memory: `${memory}Mi` };
}

/** A pod whose amounts are written as the API server writes them. */
export function canonicalAmounts(pod: PodSpec): PodSpec {
  const { containers, initContainers, volumes } = pod;
  return {
    ...pod,
    ...(Array.isArray(containers) && { containers: containers.map(canonicalContainer) }),
    ...(Array.isArray(initContainers) && { initContainers: initContainers.map(canonicalContainer) }),
    ...(Array.isArray(volumes) && { volumes: volumes.map(canonicalVolume) }),
  };
}

function canonicalContainer<T>(container: T): T {
  const { resources } = (container ?? {}) as { resources?: Container['resources'] };
  if (!resources) return container;
  return {
    ...container,
    resources: {
      ...resources,
      ...(resources.requests && { requests: canonicalAll(resources.requests) }),
      ...(resources.limits && { limits: canonicalAll(resources.limits) }),
    },
  };
}

function canonicalVolume<T>(volume: T): T {
  const { emptyDir } = (volume ?? {}) as { emptyDir?: { sizeLimit?: unknown } };
  if (emptyDir?.sizeLimit === undefined) return volume;
  return { ...volume, emptyDir: { ...emptyDir, sizeLimit: canonicalQuantity(emptyDir.sizeLimit) } };
}

function canonicalAll(amounts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, canonicalQuantity(amount)]));
}
