import type { Mirror } from '../../control/mirror.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { type OperatorVersion, operatorVersion } from '../resources/operator-version.ts';

/** An OperatorVersion. `unknown`: it could not be looked up, and nothing may be concluded from that. */
export type Found = OperatorVersion | 'absent' | 'unknown';

export interface VersionName {
  readonly namespace: string;
  readonly name: string;
}

/** Where OperatorVersions are looked up. */
export interface Sources {
  readonly client: Client;
  /** What is watched; nothing before it has begun. */
  readonly caches: () => Pick<Mirror, 'peek'> | undefined;
}

/** The API server waits ten seconds for the whole answer. */
const timeoutMs = 3000;

/**
 * Looks into the caches and, when it is not there, asks the server: a package and its Instance are often created in one go,
 * and a watch tells of the package only a moment later.
 */
export async function findVersion(name: VersionName, { client, caches }: Sources): Promise<Found> {
  if (name.name === '') return 'absent';
  const known = caches()?.peek(operatorVersion.type, name);
  if (known) return known as unknown as OperatorVersion;
  try {
    return await client.resource<OperatorVersion>(operatorVersion.type).get(name, { timeoutMs });
  } catch (error) {
    return isKubeError(error, 'not-found') ? 'absent' : 'unknown';
  }
}
