/** What of `package-lock.json` matters here. */
interface Lock {
  readonly packages: Record<string, Locked>;
}

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly license?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/**
 * A lock file that names every optional package, also those for platforms that the registry at hand does not carry.
 *
 * npm leaves out an optional package whose description it cannot fetch, and `npm ci` then refuses the file on every
 * machine. Such a package is locked by its exact version and by the platform that its name tells; whoever has that
 * platform gets it from a registry that carries it. Entries that npm itself wrote are kept as they are.
 */
export function completeLock(text: string): string {
  const lock: Lock = JSON.parse(text);
  for (const [path, parent] of Object.entries(lock.packages)) {
    if (path === '') continue;
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      if (!/^\d/.test(version) || isLocked(lock, path, name)) continue;
      const home = Object.hasOwn(lock.packages, `node_modules/${name}`) ? `${path}/` : '';
      lock.packages[`${home}node_modules/${name}`] = {
        version,
        ...platformOf(name),
        ...(parent.dev && { dev: true }),
        ...(parent.license && { license: parent.license }),
        optional: true,
      } as Locked;
    }
  }
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`;
}

/** Whether a package is found from another one as Node looks for it: in its own folder, then further up. */
function isLocked(lock: Lock, from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (Object.hasOwn(lock.packages, `${folder ? `${folder}/` : ''}node_modules/${name}`)) return true;
    if (folder === '') return false;
  }
}

function platformOf(name: string): { os?: string[]; cpu?: string[]; libc?: string[] } {
  const words = name.split(/[/-]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  if (os.length === 0 && cpu.length === 0) throw new Error(`${name} does not tell its platform: lock it by hand`);
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : '';
  return { ...(cpu.length > 0 && { cpu }), ...(libc && { libc: [libc] }), ...(os.length > 0 && { os }) };
}
