import type { FlinkConfig } from '../config/flink-config.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { atLeast } from '../config/flink-version.ts';
import { isSet, type Option, read } from '../config/option.ts';

const gigabyte = 2 ** 30;

/**
 * All memory of a JobManager in bytes, as Flink adds it up: said as a whole, or as Flink's own memory or its heap, to which
 * the JVM's is added. Undefined when none of these is said.
 */
export function jobManagerMemory(config: FlinkConfig): number | undefined {
  const heap = read(config, flinkOptions.jobManagerHeap);
  const ofFlink =
    read(config, flinkOptions.jobManagerFlinkMemory) ??
    (heap === undefined ? undefined : heap + read(config, flinkOptions.jobManagerOffHeap));
  return (
    read(config, flinkOptions.jobManagerProcessMemory) ??
    withJvm(config, ofFlink, {
      metaspace: flinkOptions.jobManagerMetaspace,
      fraction: flinkOptions.jobManagerOverheadFraction,
      min: flinkOptions.jobManagerOverheadMin,
      max: flinkOptions.jobManagerOverheadMax,
    })
  );
}

/** The same of a TaskManager; its parts are the heap of user code and the memory that Flink manages. */
export function taskManagerMemory(config: FlinkConfig): number | undefined {
  return (
    read(config, flinkOptions.taskManagerProcessMemory) ??
    withJvm(config, read(config, flinkOptions.taskManagerFlinkMemory) ?? sumOfTaskManager(config), {
      metaspace: flinkOptions.taskManagerMetaspace,
      fraction: flinkOptions.taskManagerOverheadFraction,
      min: flinkOptions.taskManagerOverheadMin,
      max: flinkOptions.taskManagerOverheadMax,
    })
  );
}

function sumOfTaskManager(config: FlinkConfig): number | undefined {
  const [heap, managed] = [read(config, flinkOptions.taskHeap), read(config, flinkOptions.managedMemory)];
  if (heap === undefined || managed === undefined) return undefined;
  const withoutNetwork =
    heap +
    managed +
    read(config, flinkOptions.taskOffHeap) +
    read(config, flinkOptions.frameworkHeap) +
    read(config, flinkOptions.frameworkOffHeap);
  const limited = isSet(config, flinkOptions.networkMax) || atLeast(config.get('$internal.flink.version'), 'v1_17');
  return (
    withoutNetwork +
    share(
      withoutNetwork,
      read(config, flinkOptions.networkFraction),
      read(config, flinkOptions.networkMin),
      limited ? read(config, flinkOptions.networkMax) : gigabyte,
    )
  );
}

interface JvmOptions {
  readonly metaspace: Option<number>;
  readonly fraction: Option<number>;
  readonly min: Option<number>;
  readonly max: Option<number>;
}

function withJvm(config: FlinkConfig, ofFlink: number | undefined, options: JvmOptions): number | undefined {
  if (ofFlink === undefined) return undefined;
  const sum = ofFlink + read(config, options.metaspace);
  return sum + share(sum, read(config, options.fraction), read(config, options.min), read(config, options.max));
}

/** What must be added to the rest so that it is this fraction of the whole, within its bounds. */
function share(rest: number, fraction: number, min: number, max: number): number {
  const wanted = fraction < 1 ? Math.floor((rest * fraction) / (1 - fraction)) : max;
  return Math.max(min, Math.min(max, wanted));
}
