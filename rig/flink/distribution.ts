import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt } from '../attempt.ts';
import { cached, entryName, filesUnder, type Recipe } from '../cache.ts';
import { runCommand } from '../command.ts';
import { installPackages } from '../debian.ts';
import { archiveLayers, reproducible } from '../image.ts';
import { findJdk } from '../java.ts';
import type { Progress } from '../progress.ts';
import { FLINK_USER, flinkBaseRecipe } from './base.ts';

/** Of `lib/`, what jobs without tables need. The rest would triple the image. */
const LIBRARIES = /^(flink-(dist|cep|json|csv|connector-files)|log4j)-/;

/** The job of `image/CountJob.java`, below Flink's home. Standalone mode hides `usrlib` behind an empty volume, so not there. */
const JOB = 'examples/countjob.jar';

/** Where that job is: in a container, as a `jarURI`; and below the part's directory. */
export const FLINK_JOB = { inImage: `local:///opt/flink/${JOB}`, inPart: `flink/${JOB}` } as const;

/** What makes the image: another code may make another image. */
const CODE = [import.meta.filename, join(import.meta.dirname, '..', 'image.ts')] as const;

/** Scripts and configuration are in this package; its wheels differ only in Python code that is not used here. */
const ANY_WHEEL = [
  ...['--only-binary', ':all:', '--implementation', 'cp', '--python-version', '3.11', '--abi', 'cp311'],
  ...['--platform', 'manylinux2014_x86_64', '--platform', 'manylinux1_x86_64'],
];

/**
 * A Flink of the given version, from PyPI:
 * - `flink/`: the distribution with the counting job, for plain processes (`opt/java` of the base is their `JAVA_HOME`);
 * - `image.tar`: the same as an image `docker.io/library/flink:VERSION`.
 */
export function flinkRecipe(version: string, cache: string, progress: Progress): Recipe {
  const base = flinkBaseRecipe(progress);
  const sources = join(import.meta.dirname, 'image');
  return {
    name: 'flink',
    version,
    // Files as they are on disk: the text of a loaded function depends on who loaded it.
    inputs: [entryName(base), ...CODE.map((file) => readFileSync(file, 'utf8')), ...filesUnder(sources)],
    async make(directory) {
      const root = join(await cached(cache, base, progress), 'root');
      const home = join(directory, 'flink');
      const downloads = join(directory, 'downloads');
      await installPip(progress);
      await progress.step(`fetching Flink ${version} from PyPI`, () => fetchFlink(version, downloads, progress));
      await progress.step(`building the image flink:${version}`, async () => {
        await assemble(downloads, home);
        await compileJob(await findJdk(progress), downloads, home, join(sources, 'CountJob.java'));
        await rm(downloads, { recursive: true });
        await archiveFlink(version, root, directory);
      });
    },
  };
}

async function installPip(progress: Progress): Promise<void> {
  await runCommand('python3', ['-m', 'pip', '--version']).catch(() => installPackages(['python3-pip'], progress));
}

async function fetchFlink(version: string, downloads: string, progress: Progress): Promise<void> {
  await mkdir(downloads);
  for (const [name, flags] of [
    ['apache-flink', ANY_WHEEL],
    ['apache-flink-libraries', []],
  ] as const) {
    const wanted = `${name}==${version}`;
    await attempt(wanted, progress, () =>
      runCommand('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', downloads, ...flags, wanted]),
    );
  }
  for (const file of await readdir(downloads)) {
    const format = file.endsWith('.whl') ? 'zipfile' : 'tarfile';
    await runCommand('python3', ['-m', format, '--extract', join(downloads, file), downloads]);
    await rm(join(downloads, file));
  }
}

/** Libraries come as a wheel (`pyflink/lib`) or as a source archive (`NAME-VERSION/deps/lib`), depending on the version. */
export async function assemble(downloads: string, home: string): Promise<void> {
  const sources = (await readdir(downloads)).find((name) => /^apache_flink_libraries-[\d.]+$/.test(name));
  const pyflink = join(downloads, 'pyflink');
  const libraries = sources === undefined ? pyflink : join(downloads, sources, 'deps');
  for (const folder of ['conf', 'lib', 'log', 'opt', 'usrlib', 'examples'])
    await mkdir(join(home, folder), { recursive: true });
  await cp(join(pyflink, 'conf'), join(home, 'conf'), { recursive: true });
  await cp(join(pyflink, 'bin'), join(home, 'bin'), { recursive: true });
  await cp(join(libraries, 'bin'), join(home, 'bin'), { recursive: true });
  await cp(join(libraries, 'plugins'), join(home, 'plugins'), { recursive: true });
  for (const name of (await readdir(join(libraries, 'lib'))).filter((file) => LIBRARIES.test(file))) {
    await cp(join(libraries, 'lib', name), join(home, 'lib', name));
  }
  for (const name of await readdir(join(home, 'bin'))) await chmod(join(home, 'bin', name), 0o755);
}

async function compileJob(jdk: string, work: string, home: string, source: string): Promise<void> {
  const classes = join(work, 'classes');
  await mkdir(classes);
  await runCommand(join(jdk, 'bin', 'javac'), ['-cp', join(home, 'lib', '*'), '-d', classes, source]);
  await runCommand(join(jdk, 'bin', 'jar'), ['cfe', join(home, JOB), 'rig.CountJob', '-C', classes, '.']);
}

async function archiveFlink(version: string, root: string, directory: string): Promise<void> {
  const layers = ['base.tar', 'flink.tar'].map((name) => join(directory, name)) as [string, string];
  await runCommand('tar', [...reproducible(0), '-C', root, '-cf', layers[0], '.']);
  const move = '--transform=flags=r;s,^flink,opt/flink,';
  await runCommand('tar', [...reproducible(FLINK_USER), move, '-C', directory, '-cf', layers[1], 'flink']);
  await archiveLayers({
    name: `docker.io/library/flink:${version}`,
    layers,
    config: {
      User: `${FLINK_USER}:${FLINK_USER}`,
      Entrypoint: ['/docker-entrypoint.sh'],
      WorkingDir: '/opt/flink',
      ExposedPorts: { '6123/tcp': {}, '8081/tcp': {} },
      Env: [
        'PATH=/opt/java/bin:/opt/flink/bin:/usr/bin:/bin',
        'JAVA_HOME=/opt/java',
        'FLINK_HOME=/opt/flink',
        'LANG=C.UTF-8',
      ],
    },
    archive: join(directory, 'image.tar'),
  });
  for (const layer of layers) await rm(layer);
}
