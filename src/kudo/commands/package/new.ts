import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { CommandError } from '../../../portrait/text/command-error.ts';
import type { Shell } from '../../../portrait/text/shell.ts';
import { newPackage } from '../../package/new-package.ts';
import { inSession } from '../session.ts';

/** `package new`: a small package that works, to be changed. */
export function packageNewCommand(shell: Shell): Command {
  return new Command('new')
    .description('write a small package that works, to be changed')
    .argument('<name>', 'name of the operator')
    .option('--folder <folder>', 'where to write it (default: a folder of its name)')
    .option('--overwrite', 'also into a folder that has files in it', false)
    .action(
      inSession<{ readonly folder?: string; readonly overwrite: boolean }>(
        shell,
        async (session, { folder, overwrite }, [name = '']) => {
          const files = newPackage(name);
          const root = resolve(shell.cwd, folder ?? name);
          const there = await readdir(root).catch((error: NodeJS.ErrnoException) => {
            if (error.code === 'ENOENT') return [];
            throw error;
          });
          if (there.length > 0 && !overwrite) {
            throw new CommandError(`${root} is not empty; choose another one with --folder, or add --overwrite`);
          }
          for (const [path, text] of files) {
            const file = join(root, path);
            await mkdir(dirname(file), { recursive: true });
            await writeFile(file, text);
          }
          session.say(`package ${name} is in ${root}; try \`package verify\`, \`render\` and \`install\``);
          session.answer({ folder: root, files: [...files.keys()] });
        },
      ),
    );
}
