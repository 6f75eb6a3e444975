import type { KindFinder } from '../../control/kinds.ts';
import type { Client } from '../../kube/client.ts';
import { discover } from '../../kube/discover.ts';
import { isKubeError } from '../../kube/error.ts';
import { kinds as builtIn } from '../../kube/kinds.ts';
import { apiVersionOf, type ResourceType } from '../../kube/resource-type.ts';
import { kudoKinds } from '../resources/all.ts';

/** The kinds that packages use: the built-in ones, and whatever the cluster serves. */
export interface Kinds {
  /** Asks the server about a kind that is not known yet. `undefined`: it does not serve it now. */
  find(apiVersion: string, kind: string, signal: AbortSignal): Promise<ResourceType | undefined>;
  /** Asks the server anew whether it serves a kind: a definition may have been removed. */
  serves(apiVersion: string, kind: string, signal: AbortSignal): Promise<boolean>;
  /** What has been found so far. */
  readonly known: KindFinder;
}

/**
 * Learns kinds as packages name them. What was found is kept: a kind does not move. What was not found is asked for again
 * every time: its definition may be installed by the very plan that uses it next.
 */
export function openKinds(client: Client): Kinds {
  const table = new Map<string, ResourceType>();
  for (const type of [...Object.values(builtIn), ...kudoKinds.map((kind) => kind.type)]) {
    table.set(`${apiVersionOf(type)} ${type.kind}`, type);
  }
  const ask = async (apiVersion: string, kind: string, signal: AbortSignal): Promise<ResourceType | undefined> => {
    try {
      return await discover(client, apiVersion, kind, { signal });
    } catch (error) {
      if (isKubeError(error, 'not-found')) return undefined;
      throw error;
    }
  };
  return {
    known: (apiVersion, kind) => table.get(`${apiVersion} ${kind}`),
    async find(apiVersion, kind, signal) {
      const id = `${apiVersion} ${kind}`;
      const found = table.get(id) ?? (await ask(apiVersion, kind, signal));
      if (found) table.set(id, found);
      return found;
    },
    serves: async (apiVersion, kind, signal) => (await ask(apiVersion, kind, signal)) !== undefined,
  };
}
