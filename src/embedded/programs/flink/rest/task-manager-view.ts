import type { TaskManagerPort } from '../flink-world.ts';
import type { JobManager } from '../job-manager.ts';

const mebi = 1024 * 1024;

/** A TaskManager as `/taskmanagers` shows it. Memory is divided roughly as Flink does. */
export function taskManagerView(
  manager: JobManager,
  { port, free }: { readonly port: TaskManagerPort; readonly free: number },
): Readonly<Record<string, unknown>> {
  const { configuration, version, here } = manager;
  const cpus = configuration.number('kubernetes.taskmanager.cpu.amount', port.slots);
  const total = configuration.mebibytes('taskmanager.memory.process.size', 1728);
  const [metaspace, overhead, framework, network] = [96, 64, 48, 64];
  const flink = Math.max(0, total - metaspace - overhead);
  const managed = Math.floor(flink * 0.4);
  const heap = Math.max(0, flink - managed - 2 * framework - network);
  const resource = (share: number): object => ({
    cpuCores: cpus * share,
    taskHeapMemory: Math.floor(heap * share),
    taskOffHeapMemory: 0,
    managedMemory: Math.floor(managed * share),
    networkMemory: Math.floor(network * share),
    extendedResources: {},
  });
  return {
    id: port.id,
    path: `pekko.tcp://flink@${port.address}:6122/user/rpc/taskmanager_0`,
    dataPort: 37775,
    jmxPort: -1,
    timeSinceLastHeartbeat: here.clock.now(),
    slotsNumber: port.slots,
    freeSlots: free,
    ...(!version.startsWith('1.') && { assignedTasks: (port.slots - free) * 2 }),
    totalResource: resource(1),
    freeResource: resource(free / port.slots),
    hardware: {
      cpuCores: Math.max(1, Math.round(cpus)),
      physicalMemory: total * mebi,
      freeMemory: heap * mebi,
      managedMemory: managed * mebi,
    },
    memoryConfiguration: {
      frameworkHeap: framework * mebi,
      taskHeap: heap * mebi,
      frameworkOffHeap: framework * mebi,
      taskOffHeap: 0,
      networkMemory: network * mebi,
      managedMemory: managed * mebi,
      jvmMetaspace: metaspace * mebi,
      jvmOverhead: overhead * mebi,
      totalFlinkMemory: flink * mebi,
      totalProcessMemory: total * mebi,
    },
  };
}
