import { join } from 'node:path';
import { rolldown } from 'rolldown';
import config from '../../rolldown.config.ts';

/** Bundles the program into a folder, and returns the file to run. */
export async function bundle(folder: string): Promise<string> {
  const { output, ...input } = config as Exclude<typeof config, readonly unknown[]>;
  const build = await rolldown({ ...input, logLevel: 'silent' });
  await build.write({ ...(Array.isArray(output) ? output[0] : output), dir: folder });
  await build.close();
  return join(folder, 'cutover.js');
}
