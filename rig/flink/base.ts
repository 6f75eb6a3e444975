import { readFileSync } from 'node:fs';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recipe } from '../cache.ts';
import { runCommand } from '../command.ts';
import { installPackages } from '../debian.ts';
import { findJdk } from '../java.ts';
import type { Progress } from '../progress.ts';

/** The user that Flink's own image runs as. */
export const FLINK_USER = 9999;

/** What Flink's scripts call, and the libraries these need. */
const PACKAGES = [
  ...['bash', 'coreutils', 'sed', 'grep', 'mawk', 'findutils', 'hostname'],
  ...['libc6', 'libc-bin', 'libtinfo6', 'libpcre2-8-0', 'libacl1', 'libattr1', 'libselinux1', 'libgmp10', 'zlib1g'],
  ...['libgcc-s1', 'libstdc++6'],
] as const;

/** Of a package that is otherwise too large: Flink's `config.sh` reverses lines. */
const SINGLE_FILES = ['/usr/bin/rev'] as const;

/** The modules of Java that Flink, its Kubernetes client and `jcmd` use. */
const JAVA_MODULES = [
  ...['java.se', 'jdk.unsupported', 'jdk.crypto.ec', 'jdk.management', 'jdk.management.agent', 'jdk.zipfs'],
  ...['jdk.naming.dns', 'jdk.net', 'jdk.security.jgss', 'jdk.jcmd', 'jdk.attach'],
] as const;

const ENTRYPOINT = join(import.meta.dirname, 'image', 'docker-entrypoint.sh');
const PASSWD = `root:x:0:0:root:/root:/bin/bash\nflink:x:${FLINK_USER}:${FLINK_USER}::/opt/flink:/bin/bash\n`;
const GROUP = `root:x:0:\nflink:x:${FLINK_USER}:\n`;

/**
 * `root/`: the file system on which every Flink image stands: this machine's own shell and tools, taken package by package,
 * and in `opt/java` a Java 17 of the modules that Flink uses, which also runs Flink outside of containers.
 */
export function flinkBaseRecipe(progress: Progress): Recipe {
  return {
    name: 'flink-base',
    version: '1',
    inputs: [process.arch, ...[import.meta.filename, ENTRYPOINT].map((file) => readFileSync(file, 'utf8'))],
    async make(directory) {
      await installPackages(PACKAGES, progress);
      const jdk = await findJdk(progress);
      const root = join(directory, 'root');
      await progress.step('making the file system for Flink images', async () => {
        await copyPackages(root);
        await linkJava(jdk, join(root, 'opt', 'java'));
      });
    },
  };
}

async function copyPackages(root: string): Promise<void> {
  for (const folder of ['bin', 'sbin', 'lib', 'lib64']) {
    await mkdir(join(root, 'usr', folder), { recursive: true });
    await symlink(`usr/${folder}`, join(root, folder));
  }
  for (const folder of ['etc', 'opt', 'root', 'home']) await mkdir(join(root, folder));
  for (const folder of ['tmp', 'var/tmp']) {
    await mkdir(join(root, folder), { recursive: true });
    await runCommand('chmod', ['1777', join(root, folder)]);
  }
  const listed = (await runCommand('dpkg', ['--listfiles', ...PACKAGES])).split('\n');
  const files = [...listed.filter(isWanted), ...SINGLE_FILES];
  const copy = 'tar -C / --create --no-recursion --files-from=- | tar --extract --keep-directory-symlink -C "$1"';
  await runCommand('bash', ['-ec', `set -o pipefail; ${copy}`, 'bash', root], {
    input: files.map((path) => `${path.slice(1)}\n`).join(''),
  });
  await rm(join(root, 'usr', 'share'), { recursive: true, force: true });
  for (const [name, target] of [
    ['sh', 'bash'],
    ['awk', 'mawk'],
  ] as const) {
    await rm(join(root, 'usr', 'bin', name), { force: true });
    await symlink(target, join(root, 'usr', 'bin', name));
  }
  await writeFile(join(root, 'etc', 'passwd'), PASSWD);
  await writeFile(join(root, 'etc', 'group'), GROUP);
  await writeFile(join(root, 'etc', 'nsswitch.conf'), 'hosts: files dns\n');
  await cp(ENTRYPOINT, join(root, 'docker-entrypoint.sh'));
}

/** Documentation and whatever the package database lists that is no file of its own. */
function isWanted(path: string): boolean {
  return path.startsWith('/') && path !== '/.' && !path.startsWith('/usr/share/');
}

/** A Java of its own with its class data archived, so that it starts as fast as an installed one. */
async function linkJava(jdk: string, home: string): Promise<void> {
  await runCommand(join(jdk, 'bin', 'jlink'), [
    ...['--module-path', join(jdk, 'jmods'), '--add-modules', JAVA_MODULES.join()],
    ...['--strip-java-debug-attributes', '--no-header-files', '--no-man-pages', '--output', home],
  ]);
  await runCommand(join(home, 'bin', 'java'), ['-Xshare:dump']);
}
