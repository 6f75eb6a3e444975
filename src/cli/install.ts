import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../kube/client.ts';
import { kinds } from '../kube/kinds.ts';
import type { AnyObject } from '../kube/object.ts';

interface Definition extends AnyObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Applies definitions of kinds, as `kubectl apply` would, and waits until the server serves them. */
export async function install(client: Client, definitions: readonly AnyObject[], signal: AbortSignal): Promise<void> {
  const installed = client.resource<Definition>(kinds.customResourceDefinitions);
  for (const definition of definitions) {
    await installed.apply(definition, { manager: 'cutover', force: true, signal });
  }
  for (const { metadata } of definitions) {
    while (!established(await installed.get({ name: metadata.name ?? '' }, { signal }))) {
      await delay(20, undefined, { signal });
    }
  }
}

function established({ status }: Definition): boolean {
  return status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false;
}
