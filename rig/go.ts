import { existsSync } from 'node:fs';
import { chmod, cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt } from './attempt.ts';
import { cached, entryName } from './cache.ts';
import { runCommand } from './command.ts';
import { installPackages } from './debian.ts';
import type { Progress } from './progress.ts';

/** The Go that is fetched when the machine's own is too old, and the oldest that will do. */
const TOOLCHAIN = '1.26.8';
const OLDEST = [1, 26] as const;

const MODULE_VERSION = `v0.0.1-go${TOOLCHAIN}.linux-${process.arch === 'x64' ? 'amd64' : process.arch}`;
const recipe = { name: 'go', version: TOOLCHAIN, inputs: [MODULE_VERSION] } as const;

/** The name of the cache entry of a fetched Go. */
export const GO_ENTRY = entryName(recipe);

/** A Go that can build the rig's modules. */
export interface Go {
  /** Runs `go ARGS` in a module's directory; CGO is off, so that the result runs on any Linux. */
  run(directory: string, args: readonly string[]): Promise<string>;
}

/**
 * Finds Go ≥ 1.26, or fetches it as the module `golang.org/toolchain` through the module proxy that the machine's older
 * Go is set to; if there is no Go at all, Debian's comes first (as root).
 */
export async function findGo(cache: string, progress: Progress): Promise<Go> {
  let own = await newestInstalled();
  if (own === undefined) {
    await installPackages(['golang-go'], progress);
    own = await newestInstalled();
    if (own === undefined) throw new Error('Go 1.26 or newer is needed and was not found');
  }
  if (isRecentEnough(own.version)) return usable(own.path);
  const old = own.path;
  const make = (directory: string): Promise<void> =>
    progress.step(`fetching Go ${TOOLCHAIN}`, () =>
      attempt('fetching Go', progress, () => fetchToolchain(old, directory)),
    );
  const root = await cached(cache, { ...recipe, make }, progress);
  return usable(join(root, 'bin', 'go'));
}

/** `go1.26.8`, `go1.27rc1`: is it at least the oldest that will do? */
export function isRecentEnough(version: string): boolean {
  const found = /^go(\d+)\.(\d+)/.exec(version);
  if (!found) return false;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

async function newestInstalled(): Promise<{ readonly path: string; readonly version: string } | undefined> {
  let newest: { path: string; version: string } | undefined;
  for (const path of ['go', '/usr/local/go/bin/go', '/usr/lib/go/bin/go']) {
    if (path.startsWith('/') && !existsSync(path)) continue;
    try {
      const version = (await runCommand(path, ['env', 'GOVERSION'], { env: { GOTOOLCHAIN: 'local' } })).trim();
      if (isRecentEnough(version)) return { path, version };
      newest ??= { path, version };
    } catch {
      // not this one
    }
  }
  return newest;
}

async function fetchToolchain(go: string, directory: string): Promise<void> {
  const answer = await runCommand(go, ['mod', 'download', '-json', `golang.org/toolchain@${MODULE_VERSION}`], {
    cwd: directory,
    env: { GOTOOLCHAIN: 'local', GO111MODULE: 'on' },
  });
  const { Dir: source } = JSON.parse(answer) as { Dir: string };
  await cp(source, directory, { recursive: true });
  await runCommand('chmod', ['-R', 'u+w', directory]);
  // Module archives carry no file modes.
  const tools = join(directory, 'pkg', 'tool');
  const folders = [join(directory, 'bin'), ...(await readdir(tools)).map((platform) => join(tools, platform))];
  for (const folder of folders) {
    for (const file of await readdir(folder)) await chmod(join(folder, file), 0o755);
  }
}

function usable(path: string): Go {
  return {
    run: (directory, args) =>
      runCommand(path, args, {
        cwd: directory,
        env: { CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOFLAGS: '-buildvcs=false', GOWORK: 'off' },
      }),
  };
}
