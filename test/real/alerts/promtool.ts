import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where promtool is: the one of the machine, else Debian's, unpacked into a directory and not installed. */
export async function promtool(directory: string): Promise<string> {
  if (await answers('promtool')) return 'promtool';
  await run('apt-get', ['download', 'prometheus'], { cwd: directory });
  await run('sh', ['-c', 'dpkg-deb -x prometheus_*.deb unpacked'], { cwd: directory });
  return join(directory, 'unpacked', 'usr', 'bin', 'promtool');
}

async function answers(program: string): Promise<boolean> {
  return run(program, ['--version']).then(
    () => true,
    () => false,
  );
}
