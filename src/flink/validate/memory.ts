import type { FlinkConfig } from '../config/flink-config.ts';
import { flinkOptions as options } from '../config/flink-options.ts';
import { parsePodMemory } from '../config/memory-size.ts';
import { isSet, keyOf, type Option, read } from '../config/option.ts';
import { quantityAmount } from '../manifests/quantity.ts';
import type { JobManagerSpec, TaskManagerSpec } from '../resources/processes.ts';
import { type Finding, type Rule, shown } from './rule.ts';
import { fieldOfKey } from './setting.ts';
import type { DeploymentSubject } from './subject.ts';

/**
 * Whether a process fits into its memory. The upstream lets such a spec through, and its client or the container then
 * fails; the sums are Flink's own. Where users lay out the memory themselves, nothing is said.
 */
export const memoryFitRules: readonly Rule<DeploymentSubject>[] = [
  {
    rule: 'jobmanager-memory-fit',
    field: 'spec.jobManager.resource.memory',
    says: 'The memory of the JobManager is more than its JVM and its off-heap memory take.',
    check: ({ spec, config }) =>
      unfit(
        'JobManager',
        said('jobManager', spec.jobManager, config, options.jobManagerProcessMemory),
        config,
        jobManagerParts,
      ),
  },
  {
    rule: 'taskmanager-memory-fit',
    field: 'spec.taskManager.resource.memory',
    says: 'The memory of a TaskManager is more than its JVM, the framework, the network and managed memory take.',
    check: ({ spec, config }) =>
      unfit(
        'TaskManager',
        said('taskManager', spec.taskManager, config, options.taskManagerProcessMemory),
        config,
        taskManagerParts,
      ),
  },
];

/** The memory of a process as a whole, and where it is said. */
interface Said {
  readonly field: string;
  readonly value: unknown;
  readonly bytes: number;
}

/** Amounts of Kubernetes come before the short form, and both before the configuration. */
function said(
  name: 'jobManager' | 'taskManager',
  process: JobManagerSpec | TaskManagerSpec | undefined,
  config: FlinkConfig,
  option: Option<number | undefined>,
): Said | undefined {
  const { requests, limits } = process?.resources ?? {};
  const places: readonly (readonly [field: string, value: unknown, bytes: number | undefined])[] = [
    [`spec.${name}.resources.requests.memory`, requests?.memory, quantityAmount(requests?.memory)],
    [`spec.${name}.resources.limits.memory`, limits?.memory, quantityAmount(limits?.memory)],
    [`spec.${name}.resource.memory`, process?.resource?.memory, parsePodMemory(process?.resource?.memory ?? '')],
    [fieldOfKey(keyOf(config, option) ?? option.key), config.get(keyOf(config, option) ?? ''), read(config, option)],
  ];
  const found = places.find(([, value]) => value !== undefined);
  if (!found?.[2]) return undefined;
  const [field, value, bytes] = found;
  return { field, value, bytes };
}

/** Name and bytes of each part of a process's memory; nothing when users lay it out themselves. */
type Parts = (config: FlinkConfig, process: number) => readonly (readonly [name: string, bytes: number])[] | undefined;

const jobManagerParts: Parts = (config, process) => {
  if (isSet(config, options.jobManagerFlinkMemory) || isSet(config, options.jobManagerHeap)) return undefined;
  return [
    ['JVM Metaspace', read(config, options.jobManagerMetaspace)],
    [
      'JVM Overhead',
      share(
        config,
        process,
        options.jobManagerOverheadFraction,
        options.jobManagerOverheadMin,
        options.jobManagerOverheadMax,
      ),
    ],
    ['Off-heap Memory', read(config, options.jobManagerOffHeap)],
  ];
};

const taskManagerParts: Parts = (config, process) => {
  if (isSet(config, options.taskManagerFlinkMemory) || isSet(config, options.taskHeap)) return undefined;
  const metaspace = read(config, options.taskManagerMetaspace);
  const overhead = share(
    config,
    process,
    options.taskManagerOverheadFraction,
    options.taskManagerOverheadMin,
    options.taskManagerOverheadMax,
  );
  const flink = Math.max(0, process - metaspace - overhead);
  return [
    ['JVM Metaspace', metaspace],
    ['JVM Overhead', overhead],
    ['Framework Heap', read(config, options.frameworkHeap)],
    ['Framework Off-heap', read(config, options.frameworkOffHeap)],
    ['Task Off-heap', read(config, options.taskOffHeap)],
    ['Network', share(config, flink, options.networkFraction, options.networkMin, options.networkMax)],
    ['Managed Memory', read(config, options.managedMemory) ?? flink * read(config, options.managedFraction)],
  ];
};

function unfit(title: string, memory: Said | undefined, config: FlinkConfig, partsOf: Parts): Finding {
  const parts = memory && partsOf(config, memory.bytes);
  if (!parts) return undefined;
  const { field, value, bytes } = memory;
  const sum = parts.reduce((total, [, part]) => total + part, 0);
  if (sum < bytes) return undefined;
  const listed = parts.filter(([, part]) => part > 0).map(([name, part]) => `${name} (${megabytes(part)})`);
  const message = `${title} memory configuration failed: Sum of configured ${listed.join(', ')} exceed configured Total Process Memory (${megabytes(bytes)}). ${field} is ${shown(value)}: write more than ${megabytes(sum)}, or lower those in spec.flinkConfiguration.`;
  return { field, message };
}

/** A part of a whole within bounds. */
function share(
  config: FlinkConfig,
  whole: number,
  fraction: Option<number>,
  min: Option<number>,
  max: Option<number>,
): number {
  return Math.max(read(config, min), Math.min(whole * read(config, fraction), read(config, max)));
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)}m`;
}
