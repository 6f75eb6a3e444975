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
  /** A write by one of them counts as a sign of life for this long. */
  readonly quietMs: number;
  /** The whole kind was taken over explicitly. */
  readonly takeover: boolean;
  /** Fields of ours that the installed definition of the kind would drop. */
  readonly prunedFields: readonly string[];
}

/** Why we stand aside from an object, and until when if that is known. */
interface Aside {
  readonly finding: Finding;
  readonly until?: Instant;
}

/** The conditions by which standing aside is shown. */
const asideTypes = ['Paused', 'ManagedElsewhere', 'SchemaOutdated'] as const;

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
  const aside = reasonToStandAside(object, circumstances, now);
  const before = conditionsOf(object);
  let after = before;
  for (const type of asideTypes) if (type !== aside?.finding.type) after = dropCondition(after, type);
  if (aside) after = setCondition(after, aside.finding, object.metadata.generation ?? 0, now);
  if (!aside && after === before) return undefined;
  const because = aside?.finding.message ?? 'nothing keeps us from managing this object any more';
  const status = { ...(object.status as JsonObject | undefined), conditions: after };
  const actions: Action[] = after === before ? [] : [{ do: 'status', of: refTo(object), status }];
  const decision = { actions, because, ...(aside?.until !== undefined && { wakeAt: aside.until }) };
  return { ...(aside && { aside: aside.finding.type }), decision };
}

function reasonToStandAside(object: AnyObject, circumstances: Circumstances, now: Instant): Aside | undefined {
  const { foreignLease, prunedFields } = circumstances;
  if (foreignLease !== undefined) {
    const message = `Another controller is alive: it renews the lease ${foreignLease}. Stop it before Cutover takes over.`;
    return { finding: { type: 'ManagedElsewhere', status: 'True', reason: 'LeaseAlive', message } };
  }
  if (prunedFields.length > 0) {
    const fields = prunedFields.slice(0, 5).join(', ') + (prunedFields.length > 5 ? ' …' : '');
    const message = `The installed definition of ${object.kind} would drop fields that Cutover writes (${fields}). Install Cutover's definition.`;
    return { finding: { type: 'SchemaOutdated', status: 'True', reason: 'FieldsWouldBeDropped', message } };
  }
  const write =
    circumstances.takeover || switchedOn(object, annotations.takeover)
      ? undefined
      : foreignWrite(object, circumstances);
  if (write && write.at + circumstances.quietMs > now) {
    const message = `${write.manager} wrote this object recently. Stop it and wait, or annotate the object with ${annotations.takeover}=true.`;
    const finding = { type: 'ManagedElsewhere', status: 'True', reason: 'RecentForeignWrite', message } as const;
    return { finding, until: write.at + circumstances.quietMs };
  }
  if (switchedOn(object, annotations.paused)) {
    const message = `Nothing is done about this object until the annotation ${annotations.paused} is removed.`;
    return { finding: { type: 'Paused', status: 'True', reason: 'PausedByAnnotation', message } };
  }
  return undefined;
}

/** The last write by another controller. */
function foreignWrite(
  object: AnyObject,
  { foreignManagers }: Circumstances,
): { readonly manager: string; readonly at: Instant } | undefined {
  let last: { readonly manager: string; readonly at: Instant } | undefined;
  for (const { manager = '', time } of object.metadata.managedFields ?? []) {
    const at = foreignManagers.includes(manager) && time ? Date.parse(time) : Number.NaN;
    if (!Number.isNaN(at) && (!last || at > last.at)) last = { manager, at };
  }
  return last;
}

function conditionsOf(object: AnyObject): Conditions {
  const { conditions } = (object.status ?? {}) as { readonly conditions?: readonly Condition[] };
  return Array.isArray(conditions) ? conditions : [];
}
