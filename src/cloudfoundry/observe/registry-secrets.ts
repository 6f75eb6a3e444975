import type { Sealed } from '../../control/sealed.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { SealedSecret } from '../manifests/copies.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import type { RegistrySecret } from './place-caches.ts';

/** The Secrets that pull images: those that are passed on, and the copies in a namespace. */
export interface RegistrySecrets {
  readonly sources: readonly SealedSecret[];
  readonly present: readonly SealedSecret[];
  /** Why neither are known: the operator may not read them. */
  readonly barred?: string;
}

export interface RegistrySecretSources {
  readonly client: Client;
  readonly settings: Pick<CloudFoundrySettings, 'rootNamespace' | 'registrySecrets'>;
  readonly seal: (value: string) => Sealed;
}

/**
 * Both are read by name when a place is looked at. That those of the root namespace changed is told by a watch; what somebody
 * does to a copy is put right at the next look.
 *
 * What may not be read is not taken for absent: a copy must not go because its source cannot be seen.
 */
export async function registrySecrets(
  namespace: string,
  { client, settings, seal }: RegistrySecretSources,
  signal: AbortSignal,
): Promise<RegistrySecrets> {
  const all = async (of: string): Promise<readonly SealedSecret[]> => {
    const read = settings.registrySecrets.toSorted().map((name) => found(client, { namespace: of, name }, signal));
    return (await Promise.all(read)).flatMap((secret) => (secret ? sealedSecret(secret, seal) : []));
  };
  try {
    const [sources, present] = await Promise.all([all(settings.rootNamespace), all(namespace)]);
    return { sources, present };
  } catch (error) {
    if (isKubeError(error, 'forbidden')) return { sources: [], present: [], barred: error.message };
    throw error;
  }
}

async function found(
  client: Client,
  name: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<RegistrySecret | undefined> {
  try {
    return await client.resource<RegistrySecret>(kinds.secrets).get(name, { signal });
  } catch (error) {
    if (isKubeError(error, 'not-found')) return undefined;
    throw error;
  }
}

function sealedSecret({ data, ...secret }: RegistrySecret, seal: (value: string) => Sealed): SealedSecret {
  if (!data) return secret;
  return { ...secret, data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, seal(value)])) };
}
