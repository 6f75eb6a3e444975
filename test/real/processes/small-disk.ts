import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../rig/command.ts';

/** A disk of so many megabytes, for as long as it is held. */
export interface SmallDisk extends AsyncDisposable {
  readonly folder: string;
}

/** Rejects where this process may not mount one. */
export async function smallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'cutover-disk-'));
  try {
    await runCommand('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder]);
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  return {
    folder,
    async [Symbol.asyncDispose]() {
      await runCommand('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}
