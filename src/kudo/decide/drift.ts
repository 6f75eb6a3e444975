import type { Conditions, Finding } from '../../control/conditions.ts';
import type { AnyObject, ManagedFieldsEntry } from '../../kube/object.ts';
import { annotations, planManager } from '../keys.ts';
import { differences, type FieldPath } from './differences.ts';
import { namesField } from './names-field.ts';
import type { Belongings } from './view.ts';

/** An object that is not as a plan left it. */
export interface Drift {
  /** See `thingId`. */
  readonly id: string;
  /** A phrase: `ConfigMap a is gone`. */
  readonly what: string;
  /** The plan that applied it last, as far as the object still says so. */
  readonly plan?: string;
}

/**
 * Objects that are not as a plan left them: gone, or changed by somebody else in what the plan had set. A Job or Pod that is
 * gone has done what it was for.
 *
 * What was set is in the object's own annotation.
 */
export function driftOf({ applied }: Belongings): readonly Drift[] {
  return Object.entries(applied).flatMap(([id, object]) => {
    const [, kind, name] = id.split(' ');
    if (object === null) return kind === 'Job' || kind === 'Pod' ? [] : [{ id, what: `${kind} ${name} is gone` }];
    if (!changedByOthers(object)) return [];
    const plan = object.metadata.annotations?.[annotations.plan];
    return [{ id, what: `${kind} ${name} was changed`, ...(plan !== undefined && { plan }) }];
  });
}

/** What the condition `Drifted` says of it. */
export function driftFinding(drift: readonly Drift[], isRepaired: boolean): Finding | undefined {
  if (drift.length === 0) return undefined;
  const more = drift.length > 10 ? ` and ${drift.length - 10} more` : '';
  const way = isRepaired
    ? 'it is being set right'
    : 'run the plan that applies it; with spec.drift: repair, that is done unless the last plan failed or was cancelled';
  const shown = drift.slice(0, 10).map(({ what }) => what);
  return { type: 'Drifted', status: 'True', reason: 'ObjectsChanged', message: `${shown.join(', ')}${more}: ${way}` };
}

/** Whether the condition `Drifted` says this already, whatever is done about it. */
export function isTold(drift: readonly Drift[], conditions: Conditions = []): boolean {
  const message = conditions.find(({ type }) => type === 'Drifted')?.message;
  return (
    message !== undefined && [true, false].some((isRepaired) => driftFinding(drift, isRepaired)?.message === message)
  );
}

function lastApplied(object: AnyObject): unknown {
  try {
    return JSON.parse(object.metadata.annotations?.[annotations.lastApplied] ?? '');
  } catch {
    return undefined;
  }
}

/**
 * Whether somebody else set what differs. The server takes from us what another one changes: what is still ours it merely spells in
 * its own way. Times count only for what is nobody's, for it was removed, or the server never took it: clocks are set.
 *
 * Caches leave out whose which field is (see `CacheScope.managedFields`), and an object may have forgotten that we wrote it: then
 * it is enough that somebody else has ever written to it, and who wants to be sure asks the server.
 */
function changedByOthers(object: AnyObject): boolean {
  const { managedFields = [] } = object.metadata;
  const others = managedFields.filter(isForeign);
  const differing = others.length === 0 ? [] : differences(object, lastApplied(object));
  if (differing.length === 0) return false;
  const ours = managedFields.filter(({ manager }) => manager === planManager);
  if (!ours.some(({ fieldsV1 }) => fieldsV1)) return true;
  const lost = differing.filter((path) => !isHeld(path, ours));
  const taken = managedFields.filter(({ manager }) => manager !== planManager);
  return lost.some((path) => isHeld(path, others) || (!isHeld(path, taken) && isLater(others, ours)));
}

function isHeld(path: FieldPath, entries: readonly ManagedFieldsEntry[]): boolean {
  return entries.some(({ fieldsV1 }) => fieldsV1 !== undefined && namesField(fieldsV1, path));
}

function isLater(others: readonly ManagedFieldsEntry[], ours: readonly ManagedFieldsEntry[]): boolean {
  return others.some(({ time = '' }) => ours.every((entry) => time >= (entry.time ?? '')));
}

/** `kubectl scale` writes the subresource `scale`, which is part of what a plan had set. An autoscaler is `kube-…`. */
function isForeign({ manager, subresource }: ManagedFieldsEntry): boolean {
  return manager !== planManager && subresource !== 'status' && !manager?.startsWith('kube-');
}
