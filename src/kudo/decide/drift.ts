import { sameQuantity } from '../../change/quantity.ts';
import type { Conditions, Finding } from '../../control/conditions.ts';
import type { AnyObject, ManagedFieldsEntry } from '../../kube/object.ts';
import { annotations, planManager } from '../keys.ts';
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
 * What was set is in the object's own annotation. Somebody else must have written to the object after us, or else the server
 * merely spelt a value in its own way.
 */
export function driftOf({ applied }: Belongings): readonly Drift[] {
  return Object.entries(applied).flatMap(([id, object]) => {
    const [, kind, name] = id.split(' ');
    if (object === null) return kind === 'Job' || kind === 'Pod' ? [] : [{ id, what: `${kind} ${name} is gone` }];
    const wanted = lastApplied(object);
    if (wanted === undefined || !writtenByOthers(object) || holds(object, wanted)) return [];
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

/** Whether the condition `Drifted` says this already, and that nothing is done about it. */
export function isTold(drift: readonly Drift[], conditions: Conditions = []): boolean {
  const message = conditions.find(({ type }) => type === 'Drifted')?.message;
  return message !== undefined && message === driftFinding(drift, false)?.message;
}

function lastApplied(object: AnyObject): unknown {
  try {
    return JSON.parse(object.metadata.annotations?.[annotations.lastApplied] ?? '');
  } catch {
    return undefined;
  }
}

/** Whether anybody but us wrote to the object, apart from its status, no earlier than we did. */
function writtenByOthers({ metadata: { managedFields = [] } }: AnyObject): boolean {
  const ours = managedFields.find((entry) => entry.manager === planManager)?.time ?? '';
  return managedFields.some((entry) => isForeign(entry) && (entry.time ?? '') >= ours);
}

/** `kubectl scale` writes the subresource `scale`, which is part of what a plan had set. An autoscaler is `kube-…`. */
function isForeign({ manager, subresource }: ManagedFieldsEntry): boolean {
  return manager !== planManager && subresource !== 'status' && !manager?.startsWith('kube-');
}

/** Whether `live` still has everything of `wanted`, whatever else it has. Amounts may be spelt differently. */
function holds(live: unknown, wanted: unknown): boolean {
  if (wanted === null || wanted === undefined) return true;
  if (Array.isArray(wanted)) {
    if (!Array.isArray(live) || live.length < wanted.length) return wanted.length === 0;
    return wanted.every((item, index) => {
      const named = nameOf(item);
      return holds(named === undefined ? live[index] : live.find((one) => nameOf(one) === named), item);
    });
  }
  if (typeof wanted === 'object') {
    const entries = Object.entries(wanted);
    if (typeof live !== 'object' || live === null) return entries.length === 0;
    return entries.every(([key, item]) => holds(Object.hasOwn(live, key) ? Reflect.get(live, key) : undefined, item));
  }
  return live === wanted || sameQuantity(live, wanted);
}

function nameOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'name' in item ? item.name : undefined;
}
