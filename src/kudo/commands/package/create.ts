import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { CommandError } from '../../../portrait/text/command-error.ts';
import { harmless } from '../../../portrait/text/harmless.ts';
import type { Shell } from '../../../portrait/text/shell.ts';
import { createPackage, packageFileName } from '../../package/create-package.ts';
import { loadPackage, readFolder } from '../../package/load-package.ts';
import { PACKAGE_LIMITS } from '../../package/package-files.ts';
import { parsePackage } from '../../package/parse-package.ts';
import { verificationFailure, verificationText, verifyPackage } from '../../package/verify/verify-package.ts';
import { inSession } from '../session.ts';

interface CreateOptions {
  readonly destination: string;
  readonly overwrite: boolean;
}

/** `package create`: the archive of a folder. Only a package that verifies becomes one. */
export function packageCreateCommand(shell: Shell): Command {
  return new Command('create')
    .description('make an archive of a package; the same files always give the same bytes')
    .argument('<folder>', 'the package')
    .option('-d, --destination <folder>', 'where to write it', '.')
    .option('-w, --overwrite', 'replace an archive that is there', false)
    .action(
      inSession<CreateOptions>(shell, async (session, { destination, overwrite }, [path = '']) => {
        const folder = resolve(shell.cwd, path);
        const info = await stat(folder).catch(() => undefined);
        if (!info) throw new CommandError(`there is no folder ${folder}`);
        if (!info.isDirectory()) throw new CommandError(`${folder} is not a folder: only one can be packed`);
        const found = parsePackage(await loadPackage(folder));
        const findings = verifyPackage(found);
        const failure = verificationFailure(findings);
        if (failure !== undefined) {
          shell.writeError(verificationText(findings, harmless));
          throw new CommandError(`invalid operator in path: ${folder}: ${failure}`);
        }
        const { name, appVersion, operatorVersion } = found.operator;
        const target = resolve(shell.cwd, destination);
        const file = join(target, packageFileName(name, appVersion, operatorVersion));
        const packed = createPackage(await readFolder(folder, PACKAGE_LIMITS, (top) => !top.startsWith('.')));
        await mkdir(target, { recursive: true });
        await writeFile(file, packed, { flag: overwrite ? 'w' : 'wx' }).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
          throw new CommandError(`${file} exists; raise the operatorVersion of the package, or add --overwrite`);
        });
        session.say(`package created: ${file}`);
        session.answer({ file, bytes: packed.length });
      }),
    );
}
