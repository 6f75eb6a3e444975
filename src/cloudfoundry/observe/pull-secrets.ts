import type { Sealed } from '../../control/sealed.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { KubeObject } from '../../kube/object.ts';

interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** The credentials of Secrets that pull images, sealed. Secrets that are not there, or hold none, are left out. */
export async function pullSecrets(
  client: Client,
  namespace: string,
  references: readonly { readonly name?: string }[],
  seal: (value: string) => Sealed,
  signal: AbortSignal,
): Promise<readonly Sealed[]> {
  const found: Sealed[] = [];
  for (const { name } of references) {
    if (!name) continue;
    try {
      const { data } = await client.resource<Secret>(kinds.secrets).get({ namespace, name }, { signal });
      const config = data?.['.dockerconfigjson'] ?? data?.['.dockercfg'];
      if (config !== undefined) found.push(seal(Buffer.from(config, 'base64').toString('utf8')));
    } catch (error) {
      if (!isKubeError(error, 'not-found', 'forbidden')) throw error;
    }
  }
  return found;
}
