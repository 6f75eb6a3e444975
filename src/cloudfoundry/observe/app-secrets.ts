import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { KubeObject } from '../../kube/object.ts';
import { labels } from '../keys.ts';
import type { CfApp } from '../resources/cf-app.ts';

/** What is known of the Secrets of an app. */
export type AppSecrets =
  | { readonly is: 'read'; readonly secrets: readonly KubeObject[] }
  /** The operator may not look at them. */
  | { readonly is: 'barred'; readonly message: string };

/** No label has a longer value, so nothing can say that it belongs to an app of a longer name. */
const longestLabel = 63;

/**
 * Metadata of the Secrets that say which app they belong to, as the server has them. They are read in the one namespace when the
 * app is looked at: to watch them would take the right to list all Secrets of the cluster.
 *
 * Errors: `KubeError` when the server cannot be asked just now.
 */
export async function appSecrets({ metadata }: CfApp, client: Client, signal: AbortSignal): Promise<AppSecrets> {
  const { name = '', namespace = '' } = metadata;
  if (name.length > longestLabel) return { is: 'read', secrets: [] };
  try {
    const labelSelector = `${labels.appGuid}=${name}`;
    const scope = { namespace, labelSelector, metadataOnly: true, signal };
    return { is: 'read', secrets: (await client.resource(kinds.secrets).list(scope)).items };
  } catch (error) {
    if (isKubeError(error, 'forbidden')) return { is: 'barred', message: error.message };
    throw error;
  }
}
