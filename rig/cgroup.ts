import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';
const CONTROLLERS = ['cpu', 'cpuacct', 'cpuset', 'memory', 'devices', 'freezer', 'blkio', 'pids', 'systemd'] as const;

/** The kubelet's cgroup root of a run. */
export function cgroupOf(run: string): string {
  return `/cutover-rig-${run}`;
}

/**
 * Makes the run's cgroup in every hierarchy.
 *
 * Errors: refuses cgroup v2, on which this node has never been proven.
 */
export async function createCgroups(run: string): Promise<void> {
  if (!existsSync(join(ROOT, 'memory'))) throw new Error('the node level needs cgroup v1; this machine has cgroup v2');
  for (const controller of present()) await mkdir(join(ROOT, controller, cgroupOf(run)), { recursive: true });
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    const all = await readFile(join(ROOT, 'cpuset', file), 'utf8');
    await writeFile(join(ROOT, 'cpuset', cgroupOf(run), file), all);
  }
}

/** Removes the run's cgroups in every hierarchy, also those that a runtime made. The run's processes have ended. */
export async function removeCgroups(run: string): Promise<void> {
  if (!existsSync(ROOT)) return;
  for (const hierarchy of readdirSync(ROOT)) await removeTree(join(ROOT, hierarchy, cgroupOf(run)));
}

function present(): readonly string[] {
  return CONTROLLERS.filter((controller) => existsSync(join(ROOT, controller)));
}

async function removeTree(directory: string): Promise<void> {
  if (!existsSync(directory)) return;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeTree(join(directory, entry.name));
  }
  for (let n = 1; ; n++) {
    try {
      return await rmdir(directory);
    } catch (error) {
      if (n === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20)); // the kernel is still taking leave of a killed process
    }
  }
}
