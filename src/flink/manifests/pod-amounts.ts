import { parseMemorySize, parsePodMemory, showMemorySize } from '../config/memory-size.ts';
import type { ResourceRequirements } from '../resources/pod-template.ts';
import type { JobManagerSpec, TaskManagerSpec } from '../resources/processes.ts';
import { quantityAmount } from './quantity.ts';

/** What users ask for each pod of a process, in the short form (`resource`) or that of Kubernetes (`resources`). */
export interface PodAmounts {
  readonly cpu: number | undefined;
  /** As Flink's configuration has it. */
  readonly memory: string | undefined;
  /** Limit divided by request, where both are given. */
  readonly cpuLimit: number | undefined;
  readonly memoryLimit: number | undefined;
  /** Everything but CPU and memory; Flink knows nothing of it. */
  readonly others: ResourceRequirements | undefined;
}

type Amounts = Readonly<Record<string, unknown>>;

/** `resources` takes precedence over `resource`, amount by amount. */
export function podAmounts(process: JobManagerSpec | TaskManagerSpec | undefined): PodAmounts {
  const { resource, resources } = process ?? {};
  const [requests, limits]: readonly [Amounts, Amounts] = [resources?.requests ?? {}, resources?.limits ?? {}];
  const memory = amount(requests, limits, 'memory');
  const disk = podDisk(resource?.ephemeralStorage);
  const others = {
    requests: { ...(disk && { 'ephemeral-storage': disk }), ...withoutBasics(requests) },
    limits: { ...(disk && { 'ephemeral-storage': disk }), ...withoutBasics(limits) },
    ...(resources?.claims?.length && { claims: resources.claims }),
  };
  const more = Object.values(others).some((amounts) => Object.keys(amounts).length > 0);
  return {
    cpu: amount(requests, limits, 'cpu') ?? resource?.cpu ?? undefined,
    memory: memory === undefined ? flinkMemory(resource?.memory) : showMemorySize(Math.ceil(memory)),
    cpuLimit: ratio(limits, requests, 'cpu'),
    memoryLimit: ratio(limits, requests, 'memory'),
    others: more ? others : undefined,
  };
}

/** A size that Flink reads. In the notation of Kubernetes it is written in bytes. */
function flinkMemory(written: string | undefined): string | undefined {
  if (!written) return undefined;
  const flink = parseMemorySize(written);
  return flink === undefined ? String(parsePodMemory(written) ?? written) : showMemorySize(flink);
}

/** A size as Kubernetes reads it, which would refuse `2g` and take `2048m` for two bytes: those are written in bytes. */
function podDisk(written: string | undefined): string | undefined {
  const text = written?.trim();
  if (!text) return undefined;
  const isKubernetes = quantityAmount(text) !== undefined && !text.endsWith('m');
  return isKubernetes ? text : String(parsePodMemory(text) ?? text);
}

/** What is only limited is requested in the same amount, as Kubernetes has it. */
function amount(requests: Amounts, limits: Amounts, name: string): number | undefined {
  return quantityAmount(requests[name]) ?? quantityAmount(limits[name]);
}

function ratio(limits: Amounts, requests: Amounts, name: string): number | undefined {
  const [limit, request] = [quantityAmount(limits[name]), quantityAmount(requests[name])];
  return limit === undefined || !request ? undefined : limit / request;
}

function withoutBasics(amounts: Amounts): Record<string, string> {
  const kept = Object.entries(amounts).filter(([name]) => name !== 'cpu' && name !== 'memory');
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}
