import { attempt } from './attempt.ts';
import { runCommand } from './command.ts';
import type { Progress } from './progress.ts';

/**
 * Installs the Debian packages that are missing.
 *
 * Errors: without root, or where there is no apt, it refuses in one line that names what to install.
 */
export async function installPackages(packages: readonly string[], progress: Progress): Promise<void> {
  const missing: string[] = [];
  for (const name of packages) if (!(await isInstalled(name))) missing.push(name);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0) throw new Error(`missing packages; install them or run as root: ${missing.join(' ')}`);
  await progress.step(`installing ${missing.join(' ')}`, () =>
    attempt('apt-get', progress, async () => {
      const env = { DEBIAN_FRONTEND: 'noninteractive' };
      await runCommand('apt-get', ['update', '-qq'], { env });
      await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { env });
    }),
  );
}

async function isInstalled(name: string): Promise<boolean> {
  try {
    return (await runCommand('dpkg', ['--status', name])).includes('\nStatus: install ok installed\n');
  } catch {
    return false;
  }
}
