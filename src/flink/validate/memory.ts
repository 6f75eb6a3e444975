import type { FlinkConfig } from '../config/flink-config.ts';
import { flinkOptions as options } from '../config/flink-options.ts';
import { parsePodMemory } from '../config/memory-size.ts';
import { isSet, type Option, read } from '../config/option.ts';
import { decimal } from '../config/value-kind.ts';
import type { Rule } from './rule.ts';
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
        'spec.jobManager.resource.memory',
        spec.jobManager?.resource?.memory,
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
        'spec.taskManager.resource.memory',
        spec.taskManager?.resource?.memory,
        config,
        taskManagerParts,
      ),
  },
];

const managedFraction: Option<number> = {
  key: 'taskmanager.memory.managed.fraction',
  otherKeys: [],
  kind: decimal,
  otherwise: 0.4,
  scope: 'resource',
  says: 'Memory that Flink manages, as a part of its own.',
};

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
    ['Managed Memory', read(config, options.managedMemory) ?? flink * read(config, managedFraction)],
  ];
};

function unfit(
  title: string,
  field: string,
  text: string | undefined,
  config: FlinkConfig,
  partsOf: Parts,
): string | undefined {
  const process = text === undefined ? undefined : parsePodMemory(text);
  const parts = process && partsOf(config, process);
  if (!process || !parts) return undefined;
  const sum = parts.reduce((total, [, bytes]) => total + bytes, 0);
  if (sum < process) return undefined;
  const listed = parts.filter(([, bytes]) => bytes > 0).map(([name, bytes]) => `${name} (${megabytes(bytes)})`);
  return `${title} memory configuration failed: Sum of configured ${listed.join(', ')} exceed configured Total Process Memory (${megabytes(process)}). ${field} is ${JSON.stringify(text)}: write more than ${megabytes(sum)}, or lower those in spec.flinkConfiguration.`;
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
