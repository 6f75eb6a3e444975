import type { AnyObject } from '../../kube/object.ts';
import { qualifiedName } from '../../kube/resource-type.ts';
import type { Draft } from '../resource.ts';
import { conflict, notFound } from '../status-error.ts';
import type { Entry } from '../store/entry.ts';
import { StaleWrite } from '../store/store.ts';
import { timestamp } from '../timestamp.ts';
import { admit, attemptOf } from './admit.ts';
import { cleanupFinalizer } from './custom-resources.ts';
import type { DeleteOptions } from './delete-options.ts';
import type { Call, Ground } from './ground.ts';
import { keyOf, objectAs, toStorage } from './versions.ts';

/** What became of an object that was to be deleted. */
export interface Removal {
  /** Its last state, or its state while something still holds it. */
  readonly entry: Entry;
  /** Whether it is gone. */
  readonly gone: boolean;
}

/**
 * Deletes an object: at once, or by marking it when it has finalizers, dies gracefully, or its dependents go first.
 *
 * @throws StatusError 404; 409 when it is not the object that was meant; what admission refuses
 */
export async function remove(ground: Ground, call: Call, options: DeleteOptions): Promise<Removal> {
  for (;;) {
    try {
      return await attempt(ground, call, options);
    } catch (error) {
      if (!(error instanceof StaleWrite)) throw error;
    }
  }
}

async function attempt(ground: Ground, call: Call, options: DeleteOptions): Promise<Removal> {
  const { store } = ground;
  const { resource, name } = call;
  const key = keyOf(resource, call.namespace, name);
  const entry = store.get(key);
  if (!entry) throw notFound({ ...resource, name });
  const before = objectAs(resource, store, entry);
  checkPreconditions(call, before, options);
  await admit(ground, call, { ...attemptOf(call, 'DELETE', name, options), object: undefined, oldObject: before });
  if (store.get(key) !== entry) throw new StaleWrite();

  const next = planFor(call)(ground, call, before, options);
  if (next === 'wait') return { entry, gone: false };
  const stored = toStorage(resource, next.draft);
  if (next.gone) return { entry: options.dryRun ? entry : store.remove(entry, stored), gone: true };
  return { entry: options.dryRun ? store.pretend(key, stored) : store.put(key, entry, stored), gone: false };
}

function checkPreconditions(call: Call, before: AnyObject, options: DeleteOptions): void {
  const { metadata } = before;
  const about = { group: call.resource.group, plural: call.resource.plural, name: call.name };
  if (options.uid !== undefined && options.uid !== metadata.uid) {
    const why = `the UID in the precondition (${options.uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict({ ...about, plural: call.resource.kind }, why);
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict({ ...about, plural: call.resource.kind }, why);
  }
}

/** What a delete does to the object: nothing more than was already done, or this next state, perhaps its last. */
type Plan = 'wait' | { readonly draft: Draft; readonly gone: boolean };

function planFor({ resource }: Call): typeof planObject {
  switch (qualifiedName(resource)) {
    case 'namespaces':
      return planNamespace;
    case 'customresourcedefinitions.apiextensions.k8s.io':
      return planDefinition;
    default:
      return planObject;
  }
}

function planObject(ground: Ground, call: Call, before: AnyObject, options: DeleteOptions): Plan {
  const grace = planGrace(ground, call, before, options);
  if (grace === 'wait') return 'wait';
  const metadata: Draft['metadata'] = { ...before.metadata };
  const finalizers = finalizersFor(metadata.finalizers ?? [], options);
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  const draft: Draft = { ...before, metadata };

  if (grace) {
    Object.assign(metadata, grace);
    if (!before.metadata.deletionTimestamp && metadata.generation > 0) metadata.generation += 1;
    return { draft, gone: grace.deletionGracePeriodSeconds === 0 && finalizers.length === 0 };
  }
  if (finalizers.length === 0) return { draft, gone: true };
  markDeleting(ground, metadata);
  return { draft, gone: false };
}

/** Sets what a graceful kind's object shows while it ends. `undefined` when this delete is not a graceful one. */
function planGrace(
  ground: Ground,
  { resource: { strategy } }: Call,
  before: AnyObject,
  options: DeleteOptions,
): 'wait' | { readonly deletionTimestamp: string; readonly deletionGracePeriodSeconds: number } | undefined {
  if (!strategy.graceSeconds) return undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds: current } = before.metadata;
  const requested = options.graceSeconds !== undefined && options.graceSeconds < 0 ? 1 : options.graceSeconds;
  const now = ground.clock.now();
  if (!deletionTimestamp) {
    const seconds = strategy.graceSeconds(before, requested);
    return { deletionTimestamp: timestamp(now + seconds * 1000), deletionGracePeriodSeconds: seconds };
  }
  if (!current) return undefined;
  // A running end can only be hastened.
  if (requested === undefined || requested >= current) return 'wait';
  const due = Date.parse(deletionTimestamp) + (requested - current) * 1000;
  const late = due < now;
  return {
    deletionTimestamp: timestamp(late ? now : due),
    deletionGracePeriodSeconds: late && requested !== 0 ? 1 : requested,
  };
}

function markDeleting(ground: Ground, metadata: Draft['metadata']): void {
  if (!metadata.deletionTimestamp && metadata.generation > 0) metadata.generation += 1;
  const now = ground.clock.now();
  if (!metadata.deletionTimestamp || Date.parse(metadata.deletionTimestamp) > now) {
    metadata.deletionTimestamp = timestamp(now);
  }
  metadata.deletionGracePeriodSeconds = 0;
}

/** The finalizers by which the garbage collector is told what to do with dependents. */
function finalizersFor(existing: readonly string[], { propagation, orphanDependents }: DeleteOptions): string[] {
  const asked = orphanDependents === undefined ? propagation : orphanDependents ? 'Orphan' : 'Background';
  const orphan = asked ? asked === 'Orphan' : existing.includes('orphan');
  const foreground = asked ? asked === 'Foreground' : !orphan && existing.includes('foregroundDeletion');
  return [
    ...existing.filter((one) => one !== 'orphan' && one !== 'foregroundDeletion'),
    ...(orphan ? ['orphan'] : []),
    ...(foreground ? ['foregroundDeletion'] : []),
  ];
}

/** A namespace goes when its content has gone: the namespace controller empties it, then drops its `spec.finalizers`. */
function planNamespace(ground: Ground, call: Call, before: AnyObject, options: DeleteOptions): Plan {
  const held = ((before.spec as { readonly finalizers?: readonly string[] } | undefined)?.finalizers ?? []).length > 0;
  if (before.metadata.deletionTimestamp) return held ? 'wait' : planObject(ground, call, before, options);
  const metadata: Draft['metadata'] = {
    ...before.metadata,
    deletionTimestamp: timestamp(ground.clock.now()),
  };
  const finalizers = finalizersFor(before.metadata.finalizers ?? [], options);
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  const status = { ...(before.status as object | undefined), phase: 'Terminating' };
  return { draft: { ...before, metadata, status }, gone: false };
}

/** A definition goes when the objects it defined have gone. */
function planDefinition(ground: Ground, call: Call, before: AnyObject, options: DeleteOptions): Plan {
  if (before.metadata.deletionTimestamp) return planObject(ground, call, before, options);
  const now = timestamp(ground.clock.now());
  const finalizers = before.metadata.finalizers ?? [];
  const metadata: Draft['metadata'] = {
    ...before.metadata,
    deletionTimestamp: now,
    finalizers: finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer],
  };
  const status = before.status as { readonly conditions?: readonly { readonly type: string }[] | null } | undefined;
  const terminating = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: now,
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  };
  const conditions = [...(status?.conditions ?? []).filter((one) => one.type !== terminating.type), terminating];
  return { draft: { ...before, metadata, status: { ...status, conditions } }, gone: false };
}
