import type { AnyObject, ManagedFieldsEntry } from '../../kube/object.ts';
import { apiVersionOf } from '../../kube/resource-type.ts';
import { trackUpdate } from '../apply/track-update.ts';
import type { Draft, ServedResource } from '../resource.ts';
import { copy } from '../schema/json.ts';
import { alreadyExists, StatusError } from '../status-error.ts';
import type { Entry } from '../store/entry.ts';
import { timestamp } from '../timestamp.ts';
import { admit, attemptOf, mutate, settle } from './admit.ts';
import { check } from './check.ts';
import type { Call, Ground } from './ground.ts';
import {
  fillSystemFields,
  generateName,
  setManagers,
  settleNamespace,
  tidyMetadata,
  wipeSystemFields,
} from './metadata.ts';
import { keyOf, toStorage } from './versions.ts';
import type { WriteOptions } from './write-options.ts';

/** How often a generated name may turn out to be taken. */
const attempts = 8;

/**
 * Creates an object. `draft` is decoded (see `decode`) and is taken over.
 *
 * @throws StatusError 409 when the name is taken; 400, 403, 404, 422 when the object or its place is refused
 */
export async function create(ground: Ground, call: Call, draft: Draft, options: WriteOptions): Promise<Entry> {
  wipeSystemFields(draft);
  settleNamespace(call, draft);
  tidyMetadata(call, draft);
  // The real server finds this only at its storage, and answers it as a failure of its own.
  if (draft.metadata.resourceVersion) {
    throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
  }
  delete draft.metadata.resourceVersion;
  setManagers(draft, trackCreate(ground, call, draft, options));
  return admitAndStore(ground, call, draft, options);
}

/** The rest of a creation, for an object that knows its managers: also the end of an apply to nothing. */
export async function admitAndStore(ground: Ground, call: Call, given: Draft, options: WriteOptions): Promise<Entry> {
  const attempt = attemptOf(call, 'CREATE', given.metadata.name ?? '', options);
  const draft = await mutate(ground, call, attempt, given, undefined);
  const generated = draft.metadata.name || !draft.metadata.generateName ? 1 : attempts;
  for (let left = generated - 1; ; left--) {
    const candidate = left > 0 ? copy(draft) : draft;
    if (!candidate.metadata.name && candidate.metadata.generateName) {
      candidate.metadata.name = generateName(ground, candidate.metadata.generateName);
      // Defaults may follow from the name.
      call.resource.strategy.defaults?.(candidate);
    }
    prepare(ground, call, candidate);
    const final = {
      ...attempt,
      name: candidate.metadata.name,
      object: candidate as AnyObject,
      oldObject: undefined,
    };
    await admit(ground, call, final);
    const key = keyOf(call.resource, call.namespace, candidate.metadata.name);
    const taken = ground.store.get(key);
    if (!taken) {
      settle(ground, call, final);
      const stored = toStorage(call.resource, candidate);
      return options.dryRun ? ground.store.pretend(key, stored) : ground.store.put(key, undefined, stored);
    }
    if (left === 0) throw nameTaken(call, candidate.metadata.name, ground.store.object(taken));
  }
}

/** Gives the object its identity, lets the kind complete it, and refuses it if it is wrong. */
function prepare(ground: Ground, call: Call, draft: Draft): void {
  const { resource } = call;
  const { strategy } = resource;
  fillSystemFields(ground, draft);
  if (strategy.generation) draft.metadata.generation = 1;
  if (bringsNoStatus(resource) && !strategy.prepareForCreate) delete draft.status;
  strategy.prepareForCreate?.(draft, ground.context);
  check(resource, draft as AnyObject, undefined, ground.context);
  for (const text of strategy.warnings?.(draft as AnyObject) ?? []) call.warn(text);
}

/** Nodes are the one kind that may come with a status. */
const bringsNoStatus = ({ status, group, kind }: ServedResource): boolean =>
  status && !(group === '' && kind === 'Node');

function trackCreate(ground: Ground, call: Call, draft: Draft, options: WriteOptions): readonly ManagedFieldsEntry[] {
  const { resource } = call;
  // What the server resets belongs to nobody.
  const { status, ...rest } = draft;
  const after = Object.fromEntries(
    // Nor is nothing anyone's: some kinds show empty fields.
    Object.entries(bringsNoStatus(resource) ? rest : draft).filter(([, value]) => value !== null && value !== ''),
  );
  return trackUpdate({
    schema: resource.schema,
    before: undefined,
    after,
    manager: options.manager,
    apiVersion: apiVersionOf(resource),
    subresource: call.subresource,
    now: timestamp(ground.clock.now()),
  });
}

function nameTaken(call: Call, name: string, existing: AnyObject): StatusError {
  const { group, plural } = call.resource;
  const error = alreadyExists({ group, plural, name });
  if (!existing.metadata.deletionTimestamp) return error;
  return new StatusError(409, 'AlreadyExists', `object is being deleted: ${error.message}`, error.status.details);
}
