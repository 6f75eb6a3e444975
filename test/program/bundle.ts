import { join } from 'node:path';
import { type RolldownOptions, rolldown } from 'rolldown';
import config from '../../rolldown.config.ts';

/** Bundles the program, and the dashboard beside it, into a folder, and returns the file to run. */
export async function bundle(folder: string): Promise<string> {
  const [program, dashboard] = config as readonly RolldownOptions[];
  if (program) await written(program, folder);
  if (dashboard) await written(dashboard, join(folder, 'web'));
  return join(folder, 'cutover.js');
}

async function written({ output, ...input }: RolldownOptions, dir: string): Promise<void> {
  const build = await rolldown({ ...input, logLevel: 'silent' });
  await build.write({ ...(Array.isArray(output) ? output[0] : output), dir });
  await build.close();
}
