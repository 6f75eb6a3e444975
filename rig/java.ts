import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.ts';
import { installPackages } from './debian.ts';
import type { Progress } from './progress.ts';

/** The newest Java that every Flink of the rig supports. */
const JAVA = '17';

/** The home of a JDK 17: Debian's, installed if it is missing (as root). */
export async function findJdk(progress: Progress): Promise<string> {
  await installPackages([`openjdk-${JAVA}-jdk-headless`], progress);
  const architecture = (await runCommand('dpkg', ['--print-architecture'])).trim();
  const home = `/usr/lib/jvm/java-${JAVA}-openjdk-${architecture}`;
  for (const needed of ['bin/javac', 'bin/jlink', 'jmods']) {
    if (!existsSync(join(home, needed))) throw new Error(`${join(home, needed)} is missing: is the JDK ${JAVA} whole?`);
  }
  return home;
}
