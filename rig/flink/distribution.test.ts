import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entryName } from '../cache.ts';
import { silent } from '../progress.ts';
import { assemble, flinkRecipe } from './distribution.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rig-flink-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function files(root: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), '');
  }
}

const scripts = ['bin/jobmanager.sh', 'conf/config.yaml'];
const libraries = [
  ...['bin/bash-java-utils.jar', 'plugins/metrics-jmx/metrics.jar', 'lib/flink-dist-9.9.jar', 'lib/log4j-api-2.jar'],
  ...['lib/flink-table-runtime-9.9.jar', 'lib/flink-scala_2.12-9.9.jar'],
];

describe('a Flink distribution', () => {
  it.each([
    ['a wheel', 'pyflink'],
    ['a source archive', 'apache_flink_libraries-9.9/deps'],
  ])('is whole when its libraries came as %s, without what needs tables', async (_kind, folder) => {
    const downloads = join(directory, 'downloads');
    await files(join(downloads, 'pyflink'), scripts);
    await files(join(downloads, folder), libraries);
    const home = join(directory, 'flink');
    await assemble(downloads, home);
    expect(await readdir(join(home, 'lib'))).toEqual(['flink-dist-9.9.jar', 'log4j-api-2.jar']);
    expect(await readdir(join(home, 'bin'))).toEqual(['bash-java-utils.jar', 'jobmanager.sh']);
    expect(await readdir(join(home, 'plugins'))).toEqual(['metrics-jmx']);
    expect((await stat(join(home, 'bin', 'jobmanager.sh'))).mode & 0o777).toBe(0o755);
    expect(await readdir(home)).toEqual(expect.arrayContaining(['conf', 'examples', 'log', 'opt', 'usrlib']));
  });

  it('has an entry of its own for every version', () => {
    const names = ['1.20.5', '2.3.0'].map((version) => entryName(flinkRecipe(version, directory, silent)));
    expect(names[0]).toMatch(/^flink-1\.20\.5-[0-9a-f]{12}$/);
    expect(names[1]).toMatch(/^flink-2\.3\.0-[0-9a-f]{12}$/);
  });

  it('has the same entry for a test as for the command line', () => {
    const module = (name: string): string => JSON.stringify(pathToFileURL(join(import.meta.dirname, name)).href);
    const program = `
      const [{ entryName }, { flinkRecipe }] = await Promise.all([import(${module('../cache.ts')}), import(${module('distribution.ts')})]);
      process.stdout.write(entryName(flinkRecipe('2.3.0', '', {})));`;
    const there = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    expect(there).toBe(entryName(flinkRecipe('2.3.0', directory, silent)));
  });
});
