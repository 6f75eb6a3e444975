import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packages, and what the command line of KUDO 0.19.0 said of them. Paths of the machine are `/path`. */
export const packagesFolder = join(import.meta.dirname, 'packages');

/** One run of a command. */
export interface PackageRecording {
  /** `11-parameters/verify-package.txt`, `broken/07-trigger-undefined-plan/verify.txt` */
  readonly name: string;
  /** What was typed, in words. */
  readonly command: readonly string[];
  readonly exit: number;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  /** Go's maps have no order: six runs printed the same lines in six orders. */
  readonly anyOrder: boolean;
}

/** All runs of `package verify` or `package list`. */
export function recordings(of: 'verify' | 'list'): readonly PackageRecording[] {
  const folders = readdirSync(packagesFolder).filter((name) => name !== 'broken');
  const broken = readdirSync(join(packagesFolder, 'broken')).map((name) => `broken/${name}`);
  return [...folders, ...broken].flatMap((folder) =>
    readdirSync(join(packagesFolder, folder))
      .filter((file) => file.startsWith(of) && file.endsWith('.txt'))
      .map((file) => read(`${folder}/${file}`)),
  );
}

function read(name: string): PackageRecording {
  const [head = '', stdout = '', stderr = ''] = readFileSync(join(packagesFolder, name), 'utf8').split(
    /^--- (?:stdout|stderr)\n/m,
  );
  const [command = '', exit = ''] = head.split('\n');
  const [errors = '', note] = stderr.split(/^--- note: /m);
  return {
    name,
    command: command.replace('$ kubectl kudo package ', '').split(' '),
    exit: Number(exit.replace('exit ', '')),
    stdout: linesOf(stdout),
    stderr: linesOf(errors),
    anyOrder: note !== undefined,
  };
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** The folder that a recorded command spoke of. */
export function packageOf({ name, command }: PackageRecording): string {
  const path = command.find((word) => word.startsWith('./')) ?? './package';
  return join(packagesFolder, name.slice(0, name.lastIndexOf('/')), path);
}

/** Recordings of what was sent to the cluster: `01-configmap/crs.yaml` and the package it came from. */
export function sentRecordings(): readonly {
  readonly name: string;
  readonly sent: string;
  readonly package: string;
}[] {
  return readdirSync(packagesFolder)
    .filter((name) => name !== 'broken')
    .flatMap((folder) =>
      ['', '-v2']
        .filter((suffix) => existsSync(join(packagesFolder, folder, `crs${suffix}.yaml`)))
        .map((suffix) => ({
          name: `${folder}/crs${suffix}.yaml`,
          sent: join(packagesFolder, folder, `crs${suffix}.yaml`),
          package: join(packagesFolder, folder, `package${suffix}`),
        })),
    );
}
