import type { Instant } from '../clock/clock.ts';
import type { AnyObject, JsonObject } from '../kube/object.ts';
import { annotations, switchedOn } from './annotations.ts';
import { type Condition, type Conditions, dropCondition, type Finding, setCondition } from './conditions.ts';
import { type Action, type Decision, refTo } from './decision.ts';

/** What is known about others who may manage the objects of a kind. */
export interface Circumstances {
  /** Another controller's lease is alive: the name of the lease, for people. */
  readonly foreignLease: string | undefined;
  /** Field managers of other controllers for this kind. */
  readonly foreignManagers: readonly string[];
  /** The field manager of our own statuses. */
  readonly manager: string;
  /** Another controller keeps objects of this kind: how long new ones are left to it. */
  readonly neighbour?: { readonly manager: string; readonly firstWordMs: number } | undefined;
  /** The whole kind was taken over explicitly. */
  readonly takeover: boolean;
  /** Fields of ours that the installed definition of the kind would drop. */
  readonly prunedFields: readonly string[];
  /** Kinds that are looked at for this object and may not be read in its namespace: `pods`, `jobs.batch`. */
  readonly unreadable?: readonly string[];
}

/** The name in the field managers of all objects that we write. */
export const manager = 'cutover';

/** The field manager of conditions about standing aside: they do not make an object ours. */
export const bystander = 'cutover-aside';

/** The conditions by which standing aside is shown. */
const asideTypes = ['Paused', 'ManagedElsewhere', 'SchemaOutdated', 'NotReadable'] as const;

/** Nobody tells when a namespace can be read: it is looked after so long. */
const unreadableMs = 30_000;

/** So long after another controller wrote over ours it is taken for alive, whatever was said about taking over. */
const recentMs = 5 * 60_000;

/** Why we stand aside. `until`: when there will be another look, if nothing happens before. */
interface Aside extends Finding {
  readonly until?: Instant;
}

/** What takes the place of the family's decision. */
export interface Custody {
  /** The condition that shows why we stand aside; absent when we no longer do. */
  readonly aside?: string;
  /** Writes or removes that condition, or nothing, and leaves everything else alone. */
  readonly decision: Decision;
}

/**
 * Two operators never fight (rule 12): says what to do about an object that is not ours to act on, or not now.
 * `undefined`: it is ours, and nothing needs to be said.
 */
export function custody(object: AnyObject, circumstances: Circumstances, now: Instant): Custody | undefined {
  const reason = reasonToStandAside(object, circumstances, now);
  const newcomer = reason ? undefined : leftToNeighbour(object, circumstances, now);
  if (newcomer) return newcomer;
  const aside = reason ?? notReadable(object, circumstances, now);
  const before = conditionsOf(object);
  let after = before;
  for (const type of asideTypes) if (type !== aside?.type) after = dropCondition(after, type);
  if (aside) after = setCondition(after, aside, object.metadata.generation ?? 0, now);
  if (!aside && after === before) return undefined;
  const because = aside?.message ?? 'nothing keeps us from managing this object any more';
  const status = { ...(object.status as JsonObject | undefined), conditions: after };
  const manager = aside ? { manager: bystander } : {};
  const actions: Action[] = after === before ? [] : [{ do: 'status', of: refTo(object), status, ...manager }];
  const wake = aside?.until === undefined ? {} : { wakeAt: aside.until };
  return { ...(aside && { aside: aside.type }), decision: { actions, because, ...wake } };
}

function reasonToStandAside(object: AnyObject, circumstances: Circumstances, now: Instant): Aside | undefined {
  const { foreignLease, prunedFields } = circumstances;
  if (foreignLease !== undefined) {
    const message = `Another controller is alive: it renews the lease ${foreignLease}. Stop it before Cutover takes over.`;
    return { type: 'ManagedElsewhere', status: 'True', reason: 'LeaseAlive', message };
  }
  if (prunedFields.length > 0) {
    const fields = prunedFields.slice(0, 5).join(', ') + (prunedFields.length > 5 ? ' …' : '');
    const message = `The installed definition of ${object.kind} would drop fields that Cutover writes (${fields}). Install Cutover's definition.`;
    return { type: 'SchemaOutdated', status: 'True', reason: 'FieldsWouldBeDropped', message };
  }
  const other = lastWriter(object, circumstances);
  const takenOver = circumstances.takeover || switchedOn(object, annotations.takeover);
  if (other !== undefined && takenOver && other.overOurs && now < other.at + recentMs) {
    const message = `${other.manager} has written the status of this object after it was taken over from it, so it is alive. Stop it for good: Cutover goes on when it has written nothing for ${recentMs / 60_000} minutes. Or leave the object to it: take --takeover or the annotation ${annotations.takeover} back.`;
    const until = Math.min(other.at, now) + recentMs;
    return { type: 'ManagedElsewhere', status: 'True', reason: 'WrittenByAnother', message, until };
  }
  if (other !== undefined && !takenOver) {
    const message = `${other.manager} keeps the status of this object. Stop it for good, then start Cutover with --takeover or annotate the object with ${annotations.takeover}=true.`;
    return { type: 'ManagedElsewhere', status: 'True', reason: 'StatusKeptByAnother', message };
  }
  if (switchedOn(object, annotations.paused)) {
    const message = `Nothing is done about this object until the annotation ${annotations.paused} is removed.`;
    return { type: 'Paused', status: 'True', reason: 'PausedByAnnotation', message };
  }
  return undefined;
}

/** Of an object that is ours to act on, if we could. */
function notReadable(object: AnyObject, { unreadable = [] }: Circumstances, now: Instant): Aside | undefined {
  if (unreadable.length === 0) return undefined;
  const [kinds, { namespace }] = [unreadable.join(', '), object.metadata];
  const message = `The operator may not list and watch ${kinds} in namespace ${namespace}: nothing is done about this object until it may. Give it the Role there that it has in the other namespaces that it watches, with the verbs get, list and watch for ${kinds}. It goes on within a minute or two.`;
  return { type: 'NotReadable', status: 'True', reason: 'Forbidden', message, until: now + unreadableMs };
}

/**
 * Nobody has written the status of a new object yet, and others of its kind belong to another controller: if that is alive, it will,
 * and both would act until one sees the other's word. An event says so and no condition: a write of ours would be in the way of
 * that very word. What we made ourselves is ours from the start. Clocks that are further apart than the wait say nothing about who is new.
 */
function leftToNeighbour(object: AnyObject, circumstances: Circumstances, now: Instant): Custody | undefined {
  const { neighbour, foreignManagers, manager: own, takeover } = circumstances;
  const { creationTimestamp = '', managedFields = [] } = object.metadata;
  if (!neighbour || takeover || switchedOn(object, annotations.takeover)) return undefined;
  const until = Date.parse(creationTimestamp) + neighbour.firstWordMs;
  if (!(now < until && until <= now + 2 * neighbour.firstWordMs)) return undefined;
  const isSpokenFor = managedFields.some(
    ({ manager = '', subresource }) =>
      manager === own || (subresource === 'status' && foreignManagers.includes(manager)),
  );
  if (isSpokenFor) return undefined;
  const because = `${neighbour.manager} keeps other objects of this kind, so this one is left to it for ${neighbour.firstWordMs / 1000} s. Cutover takes it if nobody else does; at once with --takeover or the annotation ${annotations.takeover}=true.`;
  const event: Action = { do: 'event', about: refTo(object), reason: 'ManagedElsewhere', note: because };
  return { aside: 'ManagedElsewhere', decision: { actions: [event], because, wakeAt: until } };
}

/** The other controller to which an object belongs, unless it was taken over from it by an annotation. */
export function keeperOf(
  object: AnyObject,
  circumstances: Pick<Circumstances, 'foreignManagers' | 'manager'>,
): string | undefined {
  return switchedOn(object, annotations.takeover) ? undefined : lastWriter(object, circumstances)?.manager;
}

/**
 * The other controller that wrote the status last, if it was not us; when, by the clock of the API server; and whether we
 * had written before. That it was long ago says nothing: a controller that has nothing to do writes nothing. Only statuses
 * count: users write specs, with the same libraries.
 */
function lastWriter(
  object: AnyObject,
  { foreignManagers, manager: own }: Pick<Circumstances, 'foreignManagers' | 'manager'>,
): { readonly manager: string; readonly at: Instant; readonly overOurs: boolean } | undefined {
  let ours = Number.NEGATIVE_INFINITY;
  let theirs = { manager: '', at: Number.NEGATIVE_INFINITY };
  for (const { manager = '', time, subresource } of object.metadata.managedFields ?? []) {
    const at = subresource === 'status' && time ? Date.parse(time) : Number.NaN;
    if (foreignManagers.includes(manager) && at > theirs.at) theirs = { manager, at };
    else if (manager === own && at > ours) ours = at;
  }
  // Times are whole seconds: whoever takes over within the same one has taken over.
  return theirs.at > ours ? { ...theirs, overOurs: ours > Number.NEGATIVE_INFINITY } : undefined;
}

function conditionsOf(object: AnyObject): Conditions {
  const { conditions } = (object.status ?? {}) as { readonly conditions?: readonly Condition[] };
  return Array.isArray(conditions) ? conditions : [];
}
