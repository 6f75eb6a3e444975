import { dropCondition, type Finding, setCondition } from '../../control/conditions.ts';
import { type Decision, type EventAction, refTo } from '../../control/decision.ts';
import { cleanupFinalizer } from '../keys.ts';
import { written } from './instance.ts';
import { readLetter } from './letter.ts';
import { granting, missingGrant } from './missing-grant.ts';
import { readyFinding } from './rest.ts';
import type { InstanceView } from './view.ts';

/** So long after the version could not be read it is tried again. What is watched tells sooner. */
const lookAgainMs = 30_000;

/**
 * Why an Instance cannot be worked on: the server does not let us read the OperatorVersion that it goes by. That is not gone: its
 * plan `cleanup` would be left out. `undefined`: it can be read, or what people ask for can be done without.
 */
export function barredBy({ instance, versions }: Pick<InstanceView, 'instance' | 'versions'>): string | undefined {
  const { metadata, status = {} } = instance;
  const why = status.accepted ? versions.unreadable?.accepted : versions.unreadable?.wanted;
  if (why === undefined || metadata.deletionTimestamp !== undefined) return why;
  if (status.execution) return readLetter(instance).is === 'cancel' ? undefined : why;
  // The way to another version stays open.
  return status.accepted && versions.wanted ? undefined : why;
}

/** Waits, and says what for: plans, changes and the deletion go on once the version can be read. */
export function decideBarred(view: InstanceView, why: string): Decision {
  const { instance, belongings, now } = view;
  const { status = {}, metadata } = instance;
  const generation = metadata.generation ?? 0;
  const finding = unreadableVersion(view, why);
  let conditions = setCondition(status.conditions ?? [], finding, generation, now);
  if (!status.execution) {
    const ready = readyFinding(status, belongings);
    conditions = ready ? setCondition(conditions, ready, generation, now) : dropCondition(conditions, 'Ready');
  }
  const isSaid = status.conditions?.some(({ type, message }) => type === finding.type && message === finding.message);
  const { reason, message: note } = finding;
  const event: EventAction = { do: 'event', about: refTo(instance), reason, note, warning: true };
  const next = { ...status, conditions: [...conditions] };
  return written(view, next, [], isSaid ? [] : [event], note, now + lookAgainMs);
}

function unreadableVersion({ instance }: InstanceView, why: string): Finding {
  const { spec, status, metadata } = instance;
  const { name = '', namespace = metadata.namespace } = status?.accepted?.operatorVersion ?? spec.operatorVersion ?? {};
  const grant = missingGrant(why);
  const way = grant
    ? `To allow it: ${granting(grant, 'get,list,watch')}`
    : `Let the operator get, list and watch operatorversions of kudo.dev in namespace ${namespace} (${why})`;
  const without = metadata.finalizers?.includes(cleanupFinalizer)
    ? `. To delete it without its plan cleanup, remove the finalizer ${cleanupFinalizer}`
    : '';
  const isGoing = metadata.deletionTimestamp !== undefined;
  const message = `OperatorVersion ${namespace}/${name} cannot be read: nothing is done until it can. It goes on within a minute. ${way}${isGoing ? without : ''}`;
  return { type: 'AccessMissing', status: 'True', reason: 'VersionNotReadable', message };
}
