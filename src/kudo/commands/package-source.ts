import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { KubeObject } from '../../kube/object.ts';
import { CommandError } from '../../portrait/text/command-error.ts';
import { didYouMean } from '../../portrait/text/near-names.ts';
import type { OpenedCluster } from '../../portrait/text/shell.ts';
import { packageFileName } from '../package/create-package.ts';
import { type Resolved, resolveDependencies } from '../package/dependencies.ts';
import { complaintText } from '../package/package-error.ts';
import type { PackageResources } from '../package/to-resources.ts';
import { kudoOf } from './cluster-objects.ts';
import { compareVersions } from './semver.ts';
import type { Session } from './session.ts';

export interface SourceOptions {
  readonly repo?: string;
  readonly operatorVersion?: string;
  readonly appVersion?: string;
}

/** Options of commands that take a package. */
export function withSource(command: Command): Command {
  return command
    .option('--repo <folder>', 'folder with packages, for those that are given by name')
    .option('--operator-version <version>', 'which version of a package that is given by name')
    .option('--app-version <version>', 'which version of the application of a package that is given by name');
}

/**
 * The package that a folder, an archive or a name stands for, with those that it needs. A name is looked for in `--repo`, then
 * among what is installed. Prints what was found wrong with it and does no harm.
 */
export async function sourceOf(session: Session, reference: string, options: SourceOptions): Promise<Resolved> {
  const cluster = await session.cluster();
  const { namespace } = cluster;
  const installed = (await kudoOf(cluster).operatorVersions.list({ namespace })).items;
  const { cwd } = session.shell;
  const path = await onDisk(cwd, reference, options);
  if (path === undefined) return fromCluster(cluster, reference, options);
  const repository = options.repo === undefined ? {} : { repository: resolve(cwd, options.repo) };
  const resolved = await resolveDependencies(path, { namespace, installed, ...repository });
  for (const warning of resolved.warnings) session.warn(complaintText(warning));
  return resolved;
}

/** Where on this machine a package is; undefined: nowhere. */
export async function onDisk(cwd: string, reference: string, options: SourceOptions = {}): Promise<string | undefined> {
  const { repo, appVersion, operatorVersion } = options;
  const named = repo === undefined || /[/\\]/.test(reference) ? [] : [reference, `${reference}.tgz`];
  const archive = named.length > 0 && operatorVersion ? [packageFileName(reference, appVersion, operatorVersion)] : [];
  const inRepo = [...archive, ...named].map((file) => resolve(cwd, join(repo ?? '', file)));
  for (const path of [resolve(cwd, reference), ...inRepo]) {
    if (await stat(path).catch(() => undefined)) return path;
  }
  return undefined;
}

/** What is installed already, the newest unless a version is asked for. */
async function fromCluster(cluster: OpenedCluster, name: string, options: SourceOptions): Promise<Resolved> {
  const { namespace } = cluster;
  const { operators, operatorVersions } = kudoOf(cluster);
  const { items } = await operators.list({ namespace });
  const operator = items.find(({ metadata }) => metadata.name === name);
  if (!operator) {
    const names = items.map(({ metadata }) => `${metadata.name}`);
    throw new CommandError(
      `there is no package ${JSON.stringify(name)}: it is neither a folder nor a .tgz file, nor an operator that is installed in namespace ${JSON.stringify(namespace)}.${didYouMean(name, names)}`,
    );
  }
  const { appVersion, operatorVersion: version } = options;
  const versions = (await operatorVersions.list({ namespace })).items
    .filter(({ spec }) => spec.operator?.name === name)
    .filter(
      ({ spec }) => (version ?? spec.version) === spec.version && (appVersion ?? spec.appVersion) === spec.appVersion,
    )
    .toSorted((a, b) => compareVersions(a.spec.version ?? '', b.spec.version ?? '') ?? 0);
  const newest = versions.at(-1);
  if (!newest)
    throw new CommandError(
      `operator ${name} has no such version in namespace ${namespace}: see \`get operatorversions\``,
    );
  // Without what the server wrote: these are objects to be brought, even if only to find that they are there.
  const bare = ({ metadata }: KubeObject) => ({ metadata: { namespace, name: metadata.name ?? '' } });
  const root: PackageResources = {
    operator: { ...operator, ...bare(operator) },
    operatorVersion: { ...newest, ...bare(newest) },
  };
  return { root, dependencies: [], warnings: [] };
}
