import { stat } from 'node:fs/promises';
import { dirname, join, posix, resolve } from 'node:path';
import { compareVersions } from '../commands/semver.ts';
import type { OperatorVersion, Task } from '../resources/operator-version.ts';
import { loadPackage } from './load-package.ts';
import { type Complaint, PackageError } from './package-error.ts';
import { PACKAGE_LIMITS, type PackageFiles, type PackageLimits, packageInside } from './package-files.ts';
import { parsePackage } from './parse-package.ts';
import { type PackageResources, toResources } from './to-resources.ts';

export interface DependencyOptions {
  readonly namespace: string;
  /**
   * A folder with packages, in which a bare name is looked for: `<name>/`, or `<name>-….tgz` with the wanted versions. Absent:
   * the one that the package lies in.
   */
  readonly repository?: string;
  /** Versions that are there already: what is asked for by name and found there need not be brought. */
  readonly installed?: readonly OperatorVersion[];
  readonly limits?: PackageLimits;
}

export interface Resolved {
  readonly root: PackageResources;
  /** What has to be installed before it, in an order that works; each once, and without what is installed already. */
  readonly dependencies: readonly PackageResources[];
  /** What was found while the packages were read, with the package in front. */
  readonly warnings: readonly Complaint[];
}

/** More operators inside one another, or altogether, than anybody has. */
const MOST_DEPTH = 16;
const MOST_PACKAGES = 100;

/**
 * A package with all packages that its KudoOperator tasks need. The tasks come back naming operator and version, as the
 * controller wants them, in place of the path that the author wrote.
 *
 * A path (`./kid`, `../kid`) is meant from the folder of the package that names it. Inside an archive it stays inside; it
 * never reaches the machine. Anything else is a name.
 *
 * Errors: `PackageError`; for a circle with the way around it.
 */
export async function resolveDependencies(path: string, options: DependencyOptions): Promise<Resolved> {
  const resolver = new Resolver({ repository: dirname(resolve(path)), ...options });
  const root = await resolver.resolve(await onDisk(path, options), []);
  return { root, dependencies: resolver.before(root), warnings: resolver.warnings };
}

/** A package and the place from which it can reach others. */
interface Scope {
  readonly files: PackageFiles;
  /** Whatever a relative path leads to from here. */
  reach(relative: string): Promise<Scope>;
}

class Resolver {
  readonly warnings: Complaint[] = [];
  readonly #options: DependencyOptions;
  /** By name of the OperatorVersion, in the order in which they were done: what is needed comes before what needs it. */
  readonly #done = new Map<string, PackageResources>();

  constructor(options: DependencyOptions) {
    this.#options = options;
  }

  before(root: PackageResources): readonly PackageResources[] {
    return [...this.#done.values()].filter((one) => one !== root);
  }

  async resolve(scope: Scope, parents: readonly string[]): Promise<PackageResources> {
    const found = parsePackage(scope.files);
    this.warnings.push(...found.warnings);
    const plain = toResources(found, this.#options.namespace);
    const name = plain.operatorVersion.metadata.name ?? '';
    const path = [...parents, name];
    if (parents.includes(name))
      throw new PackageError(
        `cyclic package dependency found when adding package ${parents.at(-1)} -> ${name}: ${path.slice(path.indexOf(name)).join(' -> ')}`,
      );
    const known = this.#done.get(name);
    if (known) return known;
    if (path.length > MOST_DEPTH)
      throw new PackageError(`more than ${MOST_DEPTH} packages need one another: ${path.join(' -> ')}`);
    if (this.#done.size >= MOST_PACKAGES)
      throw new PackageError(`more than ${MOST_PACKAGES} packages are needed; the last one is ${name}`);

    const tasks: Task[] = [];
    for (const task of plain.operatorVersion.spec.tasks ?? [])
      tasks.push(task.kind === 'KudoOperator' ? await this.#bound(task, scope, path) : task);
    const { spec } = plain.operatorVersion;
    const resources = { ...plain, operatorVersion: { ...plain.operatorVersion, spec: { ...spec, tasks } } };
    this.#done.set(name, resources);
    return resources;
  }

  /** The task with the operator and versions that its package turned out to be. */
  async #bound(task: Task, scope: Scope, path: readonly string[]): Promise<Task> {
    const spec = task.spec ?? {};
    const reference = spec.package ?? '';
    const there = isPath(reference) ? undefined : this.#installed(task);
    const child = there ?? (await this.#find(task, scope, path)).operatorVersion;
    const { operator, version, appVersion } = child.spec;
    if (spec.operatorVersion && spec.operatorVersion !== version)
      this.warnings.push({
        message: `task ${JSON.stringify(task.name)} of package ${path.at(-1)} asks for version ${spec.operatorVersion} of ${reference}, which has version ${version}: that one is taken`,
      });
    const { appVersion: _, operatorVersion: __, ...rest } = spec;
    return {
      ...task,
      spec: {
        ...rest,
        package: operator?.name ?? reference,
        ...(version && { operatorVersion: version }),
        ...(appVersion && { appVersion }),
      },
    };
  }

  async #find(task: Task, scope: Scope, path: readonly string[]): Promise<PackageResources> {
    const reference = task.spec?.package ?? '';
    const context = `failed to resolve package ${reference}, dependency of package ${path.at(-1)}: `;
    let child: Scope;
    try {
      if (reference === '') throw new PackageError(`task ${task.name} names no package`);
      if (/^[a-z][a-z0-9+.-]*:\/\//i.test(reference))
        throw new PackageError('packages are not downloaded; put it beside this one and name its path');
      child = isPath(reference) ? await scope.reach(reference) : await this.#named(task);
    } catch (error) {
      if (!(error instanceof PackageError)) throw error;
      throw new PackageError(error.complaints, context);
    }
    return this.resolve(child, path);
  }

  /** The newest of those installed that are what is asked for. */
  #installed(task: Task): OperatorVersion | undefined {
    const { package: name = '', appVersion, operatorVersion } = task.spec ?? {};
    const fitting = (this.#options.installed ?? []).filter(
      ({ spec }) =>
        spec.operator?.name === name &&
        (operatorVersion === undefined || spec.version === operatorVersion) &&
        (appVersion === undefined || spec.appVersion === appVersion),
    );
    return fitting.toSorted((a, b) => compareVersions(a.spec.version ?? '', b.spec.version ?? '') ?? 0).at(-1);
  }

  async #named(task: Task): Promise<Scope> {
    const { package: name = '', appVersion, operatorVersion } = task.spec ?? {};
    if (!/^[\w.-]+$/.test(name) || name.startsWith('.'))
      throw new PackageError(`${JSON.stringify(name)} is no name of a package`);
    const repository = this.#options.repository ?? '.';
    const places = repositoryPlaces(name, appVersion, operatorVersion);
    for (const place of places) {
      const path = join(repository, place);
      if (await stat(path).catch(() => undefined)) return onDisk(path, this.#options);
    }
    throw new PackageError(`it is not installed, and ${repository} has none of ${places.join(', ')}`);
  }
}

function repositoryPlaces(
  name: string,
  appVersion: string | undefined,
  operatorVersion: string | undefined,
): readonly string[] {
  const versions = [appVersion, operatorVersion].filter((version) => version !== undefined);
  const archives =
    versions.length > 0 ? [`${name}-${versions.join('_')}.tgz`, `${name}-${versions.join('-')}.tgz`] : [];
  return [...archives, `${name}.tgz`, name];
}

function isPath(reference: string): boolean {
  return (
    reference.startsWith('./') || reference.startsWith('../') || reference.startsWith('/') || reference.endsWith('.tgz')
  );
}

async function onDisk(path: string, options: DependencyOptions): Promise<Scope> {
  const files = await loadPackage(path, options.limits ?? PACKAGE_LIMITS);
  if (!(await stat(path)).isDirectory()) return inArchive(files, files, '');
  return {
    files,
    async reach(relative) {
      if (relative.startsWith('/'))
        throw new PackageError(
          'a package is named by its path from the folder of the one that needs it: ./kid or ../kid',
        );
      return onDisk(join(path, relative), options);
    },
  };
}

/** `folder` is where in the archive this package lies. */
function inArchive(archive: PackageFiles, files: PackageFiles, folder: string): Scope {
  return {
    files,
    async reach(relative) {
      const target = posix.normalize(posix.join(folder, relative)).replace(/\/$/, '');
      if (relative.startsWith('/') || target === '..' || target.startsWith('../'))
        throw new PackageError(`it leads out of the archive ${archive.origin}`);
      const inside = target === '.' ? archive : packageInside(archive, target);
      if (inside.files.size === 0) throw new PackageError(`the archive ${archive.origin} has no folder ${target}`);
      return inArchive(archive, inside, target === '.' ? '' : target);
    },
  };
}
