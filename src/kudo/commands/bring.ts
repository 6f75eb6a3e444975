import { equal } from '../../change/equal.ts';
import { isKubeError } from '../../kube/error.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Resource } from '../../kube/resource.ts';
import type { OpenedCluster } from '../../portrait/text/shell.ts';
import type { Resolved } from '../package/dependencies.ts';
import { type OperatorVersion, operatorVersion as versionKind } from '../resources/operator-version.ts';
import { find, kudoOf, titleOf } from './cluster-objects.ts';
import { commandManager } from './command-manager.ts';
import type { Session } from './session.ts';

/**
 * Brings Operators and OperatorVersions to the cluster: what others need first, then those that need them. What is there
 * stays as it is, so that an installation that was interrupted can be repeated. Returns what was created.
 */
export async function bring(
  session: Session,
  cluster: OpenedCluster,
  { root, dependencies }: Resolved,
): Promise<readonly KubeObject[]> {
  const { operators, operatorVersions } = kudoOf(cluster);
  const created: KubeObject[] = [];
  const keep = (object: KubeObject | undefined): void => void (object && created.push(object));
  keep(await createIfAbsent(session, operators, root.operator));
  for (const { operator, operatorVersion } of dependencies) {
    keep(await createIfAbsent(session, operators, operator));
    keep(await createVersion(operatorVersion));
  }
  keep(await createVersion(root.operatorVersion));
  return created;

  async function createVersion(version: OperatorVersion): Promise<KubeObject | undefined> {
    const { namespace = '', name = '' } = version.metadata;
    const there = await find(operatorVersions, namespace, name);
    const made = there ? undefined : await createIfAbsent(session, operatorVersions, version);
    if (made) return made;
    session.say(`${titleOf(versionKind.type, namespace, name)} already installed`);
    if (there && !isSame(there, version)) {
      session.warn(
        `operatorversion ${namespace}/${name} is installed with other content than the package has, and stays as it is; give the package another operatorVersion`,
      );
    }
    return undefined;
  }
}

/** Undefined: somebody else was faster, or it was there. */
async function createIfAbsent<T extends KubeObject>(
  session: Session,
  resource: Resource<T>,
  object: T,
): Promise<T | undefined> {
  try {
    const created = await resource.create(object, { fieldManager: commandManager });
    session.say(`${titleOf(resource.type, object.metadata.namespace ?? '', object.metadata.name ?? '')} created`);
    return created;
  } catch (error) {
    if (isKubeError(error, 'exists')) return undefined;
    throw error;
  }
}

/** As the schema has them: the server leaves out what it does not know. */
function isSame(one: OperatorVersion, other: OperatorVersion): boolean {
  const [a, b] = [one, other].map(({ spec }) => versionKind.spec.parse(spec));
  return !a?.ok || !b?.ok || equal(a.value, b.value);
}
