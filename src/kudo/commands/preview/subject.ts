import { resolve } from 'node:path';
import { isKubeError } from '../../../kube/error.ts';
import { kinds } from '../../../kube/kinds.ts';
import type { AnyObject } from '../../../kube/object.ts';
import { CommandError } from '../../../portrait/text/command-error.ts';
import type { OpenedCluster } from '../../../portrait/text/shell.ts';
import { keyField, keySecretName } from '../../decide/random-key.ts';
import { resolveDependencies } from '../../package/dependencies.ts';
import { loadPackage } from '../../package/load-package.ts';
import { complaintText, PackageError } from '../../package/package-error.ts';
import { parsePackage } from '../../package/parse-package.ts';
import { operatorVersionOf as versionIn } from '../../package/to-resources.ts';
import { usesRandomness } from '../../render/uses-randomness.ts';
import type { Instance } from '../../resources/instance.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';
import { theInstance, theOperatorVersionOf } from '../cluster-objects.ts';
import type { Session } from '../session.ts';

/** What is looked at: an Instance that is there, or one that a package would have. */
export interface PreviewSubject {
  readonly version: OperatorVersion;
  readonly instance: { readonly name: string; readonly namespace: string; readonly uid: string };
  /** What plans work with now. */
  readonly parameters: Readonly<Record<string, string>>;
  /** For random functions of templates. Absent: what they yield is not what the Instance has. */
  readonly key?: Uint8Array;
  /** Absent: nobody asked the cluster. */
  readonly live?: { readonly cluster: OpenedCluster; readonly object: Instance };
}

export interface SubjectOptions {
  readonly instance?: string;
  readonly namespace?: string;
}

/** The subject of a command: an Instance by name, else the package at a path. Only the former needs a cluster. */
export async function subjectOf(
  session: Session,
  path: string | undefined,
  { instance: name, namespace = 'default' }: SubjectOptions,
): Promise<PreviewSubject> {
  if (path !== undefined) {
    const version = await packageAt(session, path, namespace);
    const called = name ?? `${version.spec.operator?.name}-instance`;
    return { version, instance: { name: called, namespace, uid: '' }, parameters: {} };
  }
  if (name === undefined)
    throw new CommandError('name a package (a folder or a .tgz file), or an instance with --instance');
  return liveSubject(session, name);
}

/** An Instance as the operator sees it. */
export async function liveSubject(session: Session, name: string): Promise<PreviewSubject> {
  const cluster = await session.cluster();
  const object = await theInstance(cluster, name);
  const version = await theOperatorVersionOf(cluster, object);
  const { namespace = cluster.namespace, uid = '' } = object.metadata;
  const parameters = object.status?.accepted?.parameters ?? object.spec.parameters ?? {};
  const key = usesRandomness(version) ? await keyOf(cluster, name) : undefined;
  return { version, instance: { name, namespace, uid }, parameters, ...(key && { key }), live: { cluster, object } };
}

/**
 * The package as an OperatorVersion, whether or not it is installed. Packages that it needs are looked for, since tasks name
 * them; one that is not there is warned of, for it may be installed already.
 */
export async function packageAt(session: Session, path: string, namespace: string): Promise<OperatorVersion> {
  const folder = resolve(session.shell.cwd, path);
  const found = parsePackage(await loadPackage(folder));
  for (const warning of found.warnings) session.warn(complaintText(warning));
  if (!found.operator.tasks.some(({ task }) => task.kind === 'KudoOperator')) return versionIn(found, namespace);
  try {
    return (await resolveDependencies(folder, { namespace })).root.operatorVersion;
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    for (const complaint of error.complaints) session.warn(complaintText(complaint));
    return versionIn(found, namespace);
  }
}

/** Whoever may not read Secrets sees other random values, and nothing else differs. */
async function keyOf({ client, namespace }: OpenedCluster, name: string): Promise<Uint8Array | undefined> {
  try {
    const secret = await client.resource<AnyObject>(kinds.secrets).get({ namespace, name: keySecretName(name) });
    const { [keyField]: text } = (secret.data ?? {}) as Readonly<Record<string, unknown>>;
    return typeof text === 'string' ? Buffer.from(text, 'base64') : undefined;
  } catch (error) {
    if (isKubeError(error, 'not-found', 'forbidden')) return undefined;
    throw error;
  }
}
