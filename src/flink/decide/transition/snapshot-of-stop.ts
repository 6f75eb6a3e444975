import type { CreateAction } from '../../../control/decision.ts';
import { outcomeId } from '../../../control/outcome.ts';
import type { Cause } from '../../resources/transition.ts';
import { instantOf } from '../instant-text.ts';
import { clusterOf, type JobCase } from '../job-case.ts';
import { warned } from '../reasons.ts';
import { toCreate } from '../refusal.ts';
import { snapshotSettings } from '../snapshots/settings.ts';
import { upgradeSnapshot } from '../snapshots/snapshot-object.ts';
import type { Status } from '../status.ts';
import type { Effect, Step } from '../step.ts';
import type { Moving } from './advance.ts';

/** What is refused, or fails, for longer than this is not waited for: a no may be as passing as an outage. */
const patienceMs = { refused: 10_000, unavailable: 60_000 } as const;

/** How the savepoint of a stop is, or is not, on record. */
export type RecordOfStop =
  /** None was taken, or it is on record: as a FlinkStateSnapshot, or in the job's own status. */
  | { readonly is: 'settled' }
  | { readonly is: 'due'; readonly note: string; readonly create: CreateAction }
  /** The API server has said no, or has not managed, for long. It is not waited for; `last` is one more try where that may help. */
  | { readonly is: 'denied'; readonly note: string; readonly last: readonly CreateAction[] };

/** What is to be done about the FlinkStateSnapshot that records the savepoint of a stop. Its name is its identity. */
export function recordOfStop(c: Moving): RecordOfStop {
  const { restore, startedAt } = c.status.transition;
  const session = clusterOf(c);
  if (restore.path === undefined || !tookSavepoint(c) || !session) return { is: 'settled' };
  const settings = snapshotSettings(c.resource, session, c.view.operator);
  if (!settings.asResources || !c.snapshots.installed || isInStatus(c.status, restore.path)) return { is: 'settled' };
  const object = upgradeSnapshot(c.resource, restore.path, instantOf(startedAt) ?? c.now, settings);
  const { name } = object.metadata;
  if (c.snapshots.items.some(({ metadata }) => metadata.name === name)) return { is: 'settled' };
  const create = toCreate(object);
  const savepoint = `The savepoint of the stop is ${restore.path}. FlinkStateSnapshot ${name}, which would record it,`;
  const outcome = c.outcomes[outcomeId(create)];
  if (!outcome || outcome.result === 'done') return { is: 'due', note: `${savepoint} is not there yet.`, create };
  const { result, message, at, since } = outcome;
  if (at - since < patienceMs[result]) return { is: 'due', note: `${savepoint} is not there yet: ${message}.`, create };
  return {
    is: 'denied',
    note: `${savepoint} could not be made: ${message}.`,
    last: result === 'refused' ? [] : [create],
  };
}

/**
 * A step of a change, along with the FlinkStateSnapshot that records the savepoint of its stop, as long as that is not there. It
 * comes last, for nothing waits for a record; where it is denied, the job's own status has the savepoint, and that is said.
 *
 * A change ends only when its savepoint is on record one way or the other: afterwards nobody would know that it is not.
 */
export function recordingStop(c: Moving, step: Step<Status>): Step<Status> {
  const record = recordOfStop(c);
  // A phase that began anew within this decision has seen to it already.
  if (record.is === 'settled' || isSeenTo(c, step, record)) return step;
  const isEnd = step.status.transition === undefined;
  if (record.is === 'due') {
    const { create } = record;
    if (!isEnd) return { ...step, effects: [...step.effects, create] };
    return { status: c.status, effects: [create], because: 'The savepoint of the stop is being recorded.' };
  }
  const { cause, restore } = c.status.transition;
  // What only takes long is tried as long as there is time. A deletion tells of it when it lets the resource go.
  if (!isEnd && (record.last.length > 0 || cause === 'deletion')) {
    return { ...step, effects: [...step.effects, ...record.last] };
  }
  return {
    ...step,
    status: inStatus(c, step.status, restore.path ?? ''),
    effects: [keptInStatus(c, record.note), ...step.effects, ...record.last],
  };
}

function isSeenTo({ status }: Moving, step: Step<Status>, record: RecordOfStop): boolean {
  const { path = '' } = status.transition.restore;
  const creates = triesOf(record).map(outcomeId);
  const tried = step.effects.some((effect) => effect.do === 'create' && creates.includes(outcomeId(effect)));
  return tried || isInStatus(step.status, path);
}

function triesOf(record: RecordOfStop): readonly CreateAction[] {
  if (record.is === 'settled') return [];
  return record.is === 'due' ? [record.create] : record.last;
}

function keptInStatus({ resource }: JobCase, note: string): Effect {
  return warned(resource, 'SavepointError', `${note} The savepoint is kept in status.jobStatus.savepointInfo.`);
}

/** What is left of a change that another supersedes. */
interface Superseded {
  /** With the savepoint of its stop in it, unless that is on record elsewhere. */
  readonly status: Status;
  readonly events: readonly Effect[];
  /** One more try to record it. Nothing depends on it. */
  readonly last: readonly Effect[];
}

/**
 * To be superseded is an end, too: only the change knew of its savepoint. It neither waits for its record nor holds back what comes
 * instead: the savepoint goes into the job's own status, in the very write that drops the change.
 */
export function supersededStop(c: JobCase, by: Cause): Superseded {
  const { transition } = c.status;
  const record: RecordOfStop = transition
    ? recordOfStop({ ...c, status: { ...c.status, transition } })
    : { is: 'settled' };
  if (record.is === 'settled') return { status: c.status, events: [], last: [] };
  return {
    status: inStatus(c, c.status, transition?.restore.path ?? ''),
    // A deletion tells of it when it lets the resource go: whatever dies in between, it is said.
    events: by === 'deletion' ? [] : [keptInStatus(c, record.note)],
    last: triesOf(record),
  };
}

/** The savepoint of a stop that the job's own status has, and no FlinkStateSnapshot, although there are to be such. */
export function onlyInStatus(c: JobCase): string | undefined {
  const { location, triggerType } = c.status.jobStatus?.savepointInfo?.lastSavepoint ?? {};
  const session = clusterOf(c);
  const meant = session && !snapshotSettings(c.resource, session, c.view.operator).asResources;
  if (triggerType !== 'UPGRADE' || meant || !c.snapshots.installed) return undefined;
  return c.snapshots.items.some(({ spec }) => spec.savepoint?.path === location) ? undefined : location;
}

/** Where snapshots are kept in the job's own status, as older versions did, the savepoint is recorded there. */
export function withSavepointOfStop(c: JobCase, status: Status, path: string): Status {
  const session = clusterOf(c);
  const settings = session && snapshotSettings(c.resource, session, c.view.operator);
  if (!settings || (settings.asResources && c.snapshots.installed)) return status;
  return inStatus(c, status, path);
}

function inStatus(c: JobCase, status: Status, path: string): Status {
  const session = clusterOf(c);
  if (!session) return status;
  const lastSavepoint = {
    timeStamp: c.now,
    location: path,
    triggerType: 'UPGRADE',
    formatType: snapshotSettings(c.resource, session, c.view.operator).savepointFormat,
  } as const;
  const before = status.jobStatus?.savepointInfo;
  const savepointHistory = [...(before?.savepointHistory ?? []), lastSavepoint];
  return {
    ...status,
    jobStatus: { ...status.jobStatus, savepointInfo: { ...before, lastSavepoint, savepointHistory } },
  };
}

function isInStatus({ jobStatus }: Status, path: string): boolean {
  return jobStatus?.savepointInfo?.lastSavepoint?.location === path;
}

/** The path is that of a savepoint we took, not of one that a user named or of a checkpoint. */
function tookSavepoint({ status }: Moving): boolean {
  const { stop, restore, cause } = status.transition;
  const stopped = stop.mode === 'savepoint' || (stop.mode === 'stateless' && stop.askedAt !== undefined);
  return stopped && restore.mode === 'savepoint' && cause !== 'savepoint-redeploy';
}
