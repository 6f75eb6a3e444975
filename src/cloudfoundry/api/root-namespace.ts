import { isKubeError } from '../../kube/error.ts';
import type { KubeObject } from '../../kube/object.ts';
import { cfErrorOf } from './kube-trouble.ts';
import type { Caller, Platform } from './platform.ts';
import type { CfKind } from './read-as.ts';

/** Objects of the root namespace, read as the caller. Who has no role there sees none. */
export async function listRoot<T extends KubeObject>(
  { settings }: Pick<Platform, 'settings'>,
  caller: Caller,
  kind: CfKind,
): Promise<readonly T[]> {
  try {
    return (await caller.client.resource<T>(kind.type).list({ namespace: settings.rootNamespace })).items;
  } catch (error) {
    if (isKubeError(error, 'forbidden')) return [];
    throw cfErrorOf(error, { verb: 'read', label: kind.type.kind });
  }
}
