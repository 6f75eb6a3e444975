import type { Client } from '../../../kube/client.ts';
import { isKubeError } from '../../../kube/error.ts';
import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import type { ResourceType } from '../../../kube/resource-type.ts';
import { missingKinds } from '../told.ts';

/** What kubectl keeps of the manifest that it applied last. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
/** The manager of `kubectl apply --server-side`. */
const usualManager = 'kubectl';
/** Nothing is stored, and a field that nobody knows is an error, as it is to kubectl: left out, it would look like no change. */
const trial = { dryRun: true, fieldValidation: 'Strict' } as const;

/** The object as it is; undefined when there is none. */
export async function liveObject(
  client: Client,
  type: ResourceType,
  object: KubeObject,
): Promise<AnyObject | undefined> {
  const { namespace, name = '' } = object.metadata;
  try {
    return await client.resource(type).get(type.namespaced && namespace ? { namespace, name } : { name });
  } catch (error) {
    if (!isKubeError(error, 'not-found')) throw error;
    if (error.status?.details?.name) return undefined;
    throw missingKinds(type.kind);
  }
}

/**
 * What the server would store if a manifest were applied, by its own word: a dry run, which stores nothing.
 *
 * It is applied as it was before. What `kubectl apply` wrote is merged as kubectl merges it: a field that was in the manifest and
 * no longer is goes. Everything else is applied by the server in the name of whoever applied it last.
 */
export function applied(
  client: Client,
  type: ResourceType,
  {
    object,
    live,
    manager,
  }: { readonly object: AnyObject; readonly live: AnyObject | undefined; readonly manager: string | undefined },
): Promise<AnyObject> {
  const { namespace, name = '' } = object.metadata;
  const before = live && manager === undefined ? lastAppliedOf(live) : undefined;
  if (before) return patched(client, type, { namespace, name }, threeWay(before, object));
  const by = manager ?? applierOf(live) ?? usualManager;
  return client.resource(type).apply(object, { manager: by, force: true, ...trial });
}

/** What the server would store after a merge patch: a dry run. */
export function patched(
  client: Client,
  type: ResourceType,
  { namespace, name }: { readonly namespace?: string | undefined; readonly name: string },
  body: unknown,
): Promise<AnyObject> {
  const which = type.namespaced && namespace ? { namespace, name } : { name };
  return client.resource(type).patch(which, { type: 'merge', body }, { ...trial, fieldManager: 'cutover-plan' });
}

function lastAppliedOf({ metadata }: AnyObject): unknown {
  const text = metadata.annotations?.[lastApplied];
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Who applied it last, if somebody did. */
function applierOf(live: AnyObject | undefined): string | undefined {
  const entries = live?.metadata.managedFields;
  const applying = (Array.isArray(entries) ? entries : []).filter(
    (entry) => entry?.operation === 'Apply' && entry.subresource === undefined,
  );
  return applying.toSorted((a, b) => `${b.time ?? ''}`.localeCompare(`${a.time ?? ''}`))[0]?.manager;
}

/** The manifest as a merge patch, with a null for everything that was in the one before and no longer is. */
export function threeWay(before: unknown, after: unknown): unknown {
  if (!isMap(before) || !isMap(after)) return after;
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const kept = Object.entries(after).map(([key, value]) => {
    return [key, Object.hasOwn(before, key) ? threeWay(before[key], value) : value] as const;
  });
  return Object.fromEntries([...gone.map((key) => [key, null] as const), ...kept]);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
