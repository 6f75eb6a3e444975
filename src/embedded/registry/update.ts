import type { AnyObject, ManagedFieldsEntry } from '../../kube/object.ts';
import { apiVersionOf } from '../../kube/resource-type.ts';
import { trackUpdate } from '../apply/track-update.ts';
import type { Draft } from '../resource.ts';
import { equal } from '../schema/equal.ts';
import { invalidValue } from '../schema/field-error.ts';
import { conflict, invalid, notFound, StatusError } from '../status-error.ts';
import type { Entry } from '../store/entry.ts';
import { StaleWrite } from '../store/store.ts';
import { timestamp } from '../timestamp.ts';
import { admit, attemptOf, mutate, settle } from './admit.ts';
import { check, checkStatus } from './check.ts';
import type { Call, Ground } from './ground.ts';
import { keepSystemFields, setManagers, settleName, settleNamespace, tidyMetadata } from './metadata.ts';
import { countsAnnotations, forgetsOtherVersions, needsResourceVersion } from './peculiar.ts';
import { keyOf, objectAs, toStorage } from './versions.ts';
import type { WriteOptions } from './write-options.ts';

/** A change of an object that exists. */
export interface Change {
  /**
   * The object as it should be, decoded, made from what is stored now. Asked again when someone else was faster, so it
   * must not change what it is given, and must make a new draft each time.
   */
  propose(current: AnyObject): Draft;
  /** Managed fields that the proposal already carries, as apply does. Otherwise they are computed from the difference. */
  readonly tracked?: boolean;
  /** The server's own change: it is not prepared or checked as a user's would be. */
  readonly trusted?: boolean;
}

/**
 * Changes an object, through the main resource or its status.
 *
 * Guarantees: the change is made from the version it replaces, or not at all; an object that would not differ is not
 * written; an object that waits only for its last finalizer is gone when that is removed.
 *
 * @throws StatusError 404, 409 and all refusals
 */
export async function update(ground: Ground, call: Call, change: Change, options: WriteOptions): Promise<Entry> {
  for (;;) {
    try {
      return await attempt(ground, call, change, options);
    } catch (error) {
      if (!(error instanceof StaleWrite)) throw error;
    }
  }
}

async function attempt(ground: Ground, call: Call, change: Change, options: WriteOptions): Promise<Entry> {
  const { store } = ground;
  const { resource } = call;
  const key = keyOf(resource, call.namespace, call.name);
  const entry = store.get(key);
  if (!entry) throw notFound({ ...resource, name: call.name });
  const before = objectAs(resource, store, entry);

  const proposed = change.propose(before);
  settleNamespace(call, proposed);
  settleName(call, proposed);
  settleIdentity(call, proposed, before);
  settleVersion(call, proposed, before);
  tidyMetadata(call, proposed);
  if (!change.tracked) setManagers(proposed, track(ground, call, proposed, before, options));

  const about = attemptOf(call, 'UPDATE', call.name, options);
  const draft = await mutate(ground, call, about, proposed, before);
  if (change.trusted) keepSystemFields(draft, before);
  else prepare(ground, call, draft, before);
  forgetIdleTouches(draft, before);
  const final = { ...about, object: draft as AnyObject, oldObject: before };
  await admit(ground, call, final);
  if (store.get(key) !== entry) throw new StaleWrite();

  if (isFinished(draft, before)) {
    if (options.dryRun) return store.pretend(key, toStorage(resource, draft));
    return store.remove(entry, toStorage(resource, draft));
  }
  if (equal(draft, before)) return entry;
  if (!change.trusted) settle(ground, call, final);
  const stored = toStorage(resource, draft);
  return options.dryRun ? store.pretend(key, stored) : store.put(key, entry, stored);
}

/** Refuses a change that was meant for an earlier object of the name. */
function settleIdentity({ resource, namespace, name }: Call, draft: Draft, before: AnyObject): void {
  const { uid } = draft.metadata;
  if (!uid || uid === before.metadata.uid) return;
  const key = ['/registry', ...(resource.custom ? [resource.group] : []), resource.plural, namespace, name];
  throw conflict(
    { ...resource, name },
    `StorageError: invalid object, Code: 4, Key: ${key.filter(Boolean).join('/')}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.metadata.uid}`,
  );
}

/** Refuses a change that was made from another version; one that names none is made from the present one. */
function settleVersion(call: Call, draft: Draft, before: AnyObject): void {
  const { resource, name } = call;
  const given = draft.metadata.resourceVersion ?? '';
  const stored = before.metadata.resourceVersion;
  if (given !== '' && given !== '0') {
    if (given === stored) return;
    if (!/^\d+$/.test(given)) {
      throw new StatusError(500, '', `strconv.ParseUint: parsing ${JSON.stringify(given)}: invalid syntax`);
    }
    throw conflict(
      { ...resource, name },
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  }
  if (needsResourceVersion(resource)) {
    const wrong = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
    throw invalid(resource.group, resource.plural, name, [wrong]);
  }
  draft.metadata.resourceVersion = stored;
}

/** Restores what this way of writing cannot change, counts the generation, and refuses what is wrong. */
function prepare(ground: Ground, call: Call, draft: Draft, before: AnyObject): void {
  const { resource } = call;
  const { strategy } = resource;
  keepSystemFields(draft, before);
  if (call.subresource === 'status') {
    keepAllButStatus(call, draft, before);
    checkStatus(resource, draft as AnyObject, before);
    return;
  }
  if (resource.status && !strategy.prepareForUpdate) keepStatus(draft, before);
  strategy.prepareForUpdate?.(draft, before, ground.context);
  if (strategy.generation && !sameDesire(call, draft, before)) {
    draft.metadata.generation = (before.metadata.generation ?? 0) + 1;
  }
  check(resource, draft as AnyObject, before, ground.context);
  for (const text of strategy.warnings?.(draft as AnyObject) ?? []) call.warn(text);
}

function keepStatus(draft: Draft, before: AnyObject): void {
  if (before.status === undefined) delete draft.status;
  else draft.status = before.status;
}

/** Writes through status change nothing but the status; of a built-in kind also labels and annotations. */
function keepAllButStatus({ resource }: Call, draft: Draft, before: AnyObject): void {
  const { managedFields, labels, annotations, finalizers } = draft.metadata;
  const { status } = draft;
  for (const field of Object.keys(draft)) delete draft[field];
  Object.assign(draft, before);
  draft.metadata = { ...before.metadata, managedFields };
  if (!resource.custom) Object.assign(draft.metadata, { labels, annotations, finalizers });
  if (status === undefined) delete draft.status;
  else draft.status = status;
}

/** Whether an update leaves what the user wants as it was: everything but metadata and status. */
function sameDesire({ resource }: Call, draft: Draft, before: AnyObject): boolean {
  const desire = (object: Record<string, unknown>): unknown => {
    const { metadata, apiVersion, kind, ...rest } = object;
    if (!resource.status) return rest;
    const { status, ...spec } = rest;
    return spec;
  };
  if (countsAnnotations(resource) && !equal(draft.metadata.annotations, before.metadata.annotations)) return false;
  return equal(desire(draft), desire(before));
}

function track(
  ground: Ground,
  call: Call,
  draft: Draft,
  before: AnyObject,
  options: WriteOptions,
): readonly ManagedFieldsEntry[] {
  const { resource } = call;
  const after: Draft = { ...draft, metadata: { ...draft.metadata } };
  if (call.subresource === 'status') keepAllButStatus(call, after, before);
  else if (resource.status) keepStatus(after, before);
  const apiVersion = apiVersionOf(resource);
  const managers = trackUpdate({
    schema: resource.schema,
    before,
    after: after as AnyObject,
    manager: options.manager,
    apiVersion,
    subresource: call.subresource,
    now: timestamp(ground.clock.now()),
  });
  return forgetsOtherVersions(resource) ? managers.filter((entry) => entry.apiVersion === apiVersion) : managers;
}

/** A write that changed nothing but the times in managed fields did not happen. */
function forgetIdleTouches(draft: Draft, before: AnyObject): void {
  const timeless = (entries: unknown): unknown =>
    Array.isArray(entries) ? entries.map(({ time, ...entry }) => entry) : entries;
  const { managedFields, ...metadata } = draft.metadata;
  const { managedFields: old, ...oldMetadata } = before.metadata;
  if (!equal(timeless(managedFields), timeless(old)) || !equal(metadata, oldMetadata)) return;
  const same = Object.keys(draft).every((field) => field === 'metadata' || equal(draft[field], before[field]));
  if (!same || Object.keys(draft).length !== Object.keys(before).length) return;
  if (old === undefined) delete draft.metadata.managedFields;
  else draft.metadata.managedFields = old;
}

/** Whether the object was to be deleted and now nothing holds it any more. */
function isFinished(draft: Draft, before: AnyObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds: grace } = before.metadata;
  if (!deletionTimestamp || (grace !== undefined && grace !== 0)) return false;
  if ((draft.metadata.finalizers ?? []).length > 0) return false;
  return draft.kind !== 'Namespace' || (draft.spec?.finalizers ?? []).length === 0;
}
