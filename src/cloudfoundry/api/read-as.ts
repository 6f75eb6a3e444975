import { isKubeError } from '../../kube/error.ts';
import type { AnyObject, JsonObject, KubeObject } from '../../kube/object.ts';
import { nameOf } from '../../kube/resource.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { CfError, notFound } from './cf-error.ts';
import { isName } from './directory.ts';
import { cfErrorOf } from './kube-trouble.ts';
import type { Caller, Platform } from './platform.ts';

/** A kind of ours: what `defineKind` makes. */
export interface CfKind {
  readonly type: ResourceType;
}

/** How often a guarded write is tried before the caller is told to come again: each lost race means that another was done. */
const tries = 32;

/**
 * An object by its GUID, read with the caller's own credentials. `label` is what the CF API calls it: `App`.
 * @throws CfError 404 when it is not there, or not for him
 */
export async function readAs<T extends KubeObject>(
  platform: Platform,
  caller: Caller,
  kind: CfKind,
  guid: string,
  label: string,
): Promise<T> {
  try {
    const namespace = await platform.directory.namespaceOf(kind.type, guid, caller);
    if (!namespace) throw notFound(label);
    return await caller.client.resource<T>(kind.type).get({ namespace, name: guid });
  } catch (error) {
    throw cfErrorOf(error, { verb: 'read', label });
  }
}

/** As `readAs`, where the namespace is known: one request. */
export async function readIn<T extends KubeObject>(
  caller: Caller,
  kind: CfKind,
  name: { readonly namespace: string; readonly name: string },
  label: string,
): Promise<T> {
  if (!isName(name.name) || !isName(name.namespace)) throw notFound(label);
  try {
    return await caller.client.resource<T>(kind.type).get(name);
  } catch (error) {
    throw cfErrorOf(error, { verb: 'read', label });
  }
}

/** Creates an object as the caller. @throws CfError 403, and what the server refuses */
export async function createAs<T extends KubeObject>(
  platform: Platform,
  caller: Caller,
  kind: CfKind,
  object: T,
  label: string,
): Promise<T> {
  try {
    const created = await caller.client.resource<T>(kind.type).create(object);
    platform.wrote(kind.type, created as unknown as AnyObject);
    return created;
  } catch (error) {
    throw cfErrorOf(error, { verb: 'write', label });
  }
}

/**
 * What must not have changed since a change was decided. `object`: that it is the same object, for changes that are right
 * whatever else was written; controllers write an app's status all the time, and each of their writes is another version.
 */
type Guard = 'version' | 'object';

/**
 * Changes an object as the caller, guarded by the version that the change was decided on: `decide` gives a merge patch, or
 * nothing when there is nothing to do. When somebody was faster, the object is read again and `decide` is asked again; it may
 * throw a `CfError` to refuse. Whoever may not write is told that, also where nothing would have been written.
 */
export async function patchAs<T extends KubeObject>(
  platform: Platform,
  caller: Caller,
  kind: CfKind,
  object: T,
  decide: (current: T) => JsonObject | undefined | Promise<JsonObject | undefined>,
  label: string,
  guard: Guard = 'version',
): Promise<T> {
  const resource = caller.client.resource<T>(kind.type);
  const decided = async (on: T): Promise<JsonObject | undefined> => {
    try {
      return await decide(on);
    } catch (error) {
      if (error instanceof CfError && error.status === 422) await assertMayWrite(caller, kind, on, label);
      throw error;
    }
  };
  let current = object;
  for (let left = tries; ; left--) {
    const patch = await decided(current);
    if (patch === undefined) {
      await assertMayWrite(caller, kind, current, label);
      return current;
    }
    const { uid = '', resourceVersion = '' } = current.metadata;
    const guarded = guard === 'version' ? { uid, resourceVersion } : { uid };
    const body = { ...patch, metadata: { ...(patch.metadata as JsonObject | undefined), ...guarded } };
    try {
      const patched = await resource.patch(nameOf(current), { type: 'merge', body });
      platform.wrote(kind.type, patched as unknown as AnyObject);
      return patched;
    } catch (error) {
      if (!isKubeError(error, 'conflict') || left <= 1) throw cfErrorOf(error, { verb: 'write', label });
    }
    try {
      current = await resource.get(nameOf(current));
    } catch (error) {
      throw cfErrorOf(error, { verb: 'read', label });
    }
  }
}

/** A write that changes nothing and is not stored: only Kubernetes knows who may write. @throws CfError 403 */
export async function assertMayWrite(caller: Caller, kind: CfKind, object: KubeObject, label: string): Promise<void> {
  try {
    await caller.client.resource(kind.type).patch(nameOf(object), { type: 'merge', body: {} }, { dryRun: true });
  } catch (error) {
    throw cfErrorOf(error, { verb: 'write', label });
  }
}

/** Deletes this very object as the caller. What is gone already is as good as deleted. */
export async function deleteAs(
  caller: Caller,
  kind: CfKind,
  object: KubeObject,
  label: string,
  options: { readonly propagationPolicy?: 'Background' | 'Foreground' } = {},
): Promise<void> {
  const { uid = '' } = object.metadata;
  try {
    await caller.client.resource(kind.type).delete(nameOf(object), { preconditions: { uid }, ...options });
  } catch (error) {
    if (isKubeError(error, 'not-found', 'conflict')) return;
    throw cfErrorOf(error, { verb: 'write', label });
  }
}
