import { suffix } from '../../clock/random.ts';
import type { AnyObject, ManagedFieldsEntry } from '../../kube/object.ts';
import type { Draft } from '../resource.ts';
import { badRequest } from '../status-error.ts';
import { timestamp } from '../timestamp.ts';
import type { Call, Ground } from './ground.ts';

/** Longest name that a generated suffix may complete. */
const longestGenerated = 63 - 5;

/** A name for an object that has only a prefix. */
export function generateName(ground: Ground, prefix: string): string {
  return prefix.slice(0, longestGenerated) + suffix(ground.random);
}

/** Forgets what only the server may say about a new object. */
export function wipeSystemFields(draft: Draft): void {
  const { metadata } = draft;
  for (const field of ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink']) {
    delete metadata[field];
  }
}

/** Gives a new object its identity. */
export function fillSystemFields(ground: Ground, draft: Draft): void {
  const { metadata } = draft;
  metadata.uid = ground.random.uuid();
  metadata.creationTimestamp = timestamp(ground.clock.now());
}

/** Restores what an update can never change, and fills in what it may leave out. */
export function keepSystemFields(draft: Draft, before: AnyObject): void {
  const { metadata } = draft;
  const old = before.metadata;
  if (old.generation === undefined) delete metadata.generation;
  else metadata.generation = old.generation;
  if (!metadata.uid) metadata.uid = old.uid;
  metadata.creationTimestamp = old.creationTimestamp;
  if (old.deletionTimestamp === undefined) delete metadata.deletionTimestamp;
  else metadata.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds === undefined) delete metadata.deletionGracePeriodSeconds;
  else metadata.deletionGracePeriodSeconds ??= old.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

/** Puts the object into the namespace of the request, or refuses one that says it belongs elsewhere. */
export function settleNamespace(call: Call, draft: Draft): void {
  const { metadata } = draft;
  if (!call.resource.namespaced) {
    delete metadata.namespace;
  } else if (!metadata.namespace) {
    metadata.namespace = call.namespace;
  } else if (metadata.namespace !== call.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** Refuses an object that does not carry the name it was sent to. */
export function settleName(call: Call, draft: Draft): void {
  const name = draft.metadata.name ?? '';
  if (name === '') {
    throw badRequest(`the name of the object (${call.name} based on URL) was undeterminable: name must be provided`);
  }
  if (name !== call.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.name})`);
  }
}

/** Says who manages which fields. Nobody is said by saying nothing. */
export function setManagers(draft: Draft, managers: readonly ManagedFieldsEntry[]): void {
  if (managers.length > 0) draft.metadata.managedFields = managers;
  else delete draft.metadata.managedFields;
}

/** Drops repeated owners, with a warning, and empty maps and lists, which are the same as none. */
export function tidyMetadata(call: Call, draft: Draft): void {
  const { metadata } = draft;
  for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences']) {
    const value = metadata[field];
    if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) delete metadata[field];
  }
  const owners = metadata.ownerReferences;
  if (!Array.isArray(owners) || owners.length < 2) return;
  const seen = new Set<string>();
  const kept = owners.filter((owner) => {
    const same = JSON.stringify(owner);
    return !seen.has(same) && seen.add(same);
  });
  if (kept.length === owners.length) return;
  metadata.ownerReferences = kept;
  const uids = [...new Set(owners.filter((owner, index) => owners.indexOf(owner) === index).map((owner) => owner.uid))];
  call.warn(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.join(', ')}`,
  );
}
