import type { AnyObject } from '../../kube/object.ts';
import type { Subject } from '../../portrait/subject.ts';
import type { Phase, Summary } from '../../portrait/summary.ts';
import { groupOf } from '../graph/workload.ts';
import { group } from '../keys.ts';
import { everComplete, lastEnded } from './ended.ts';
import { headlineOf } from './headline.ts';
import { instanceIn, type Read } from './instance-in.ts';
import { needsYou } from './needs-you.ts';
import { conditionOf, type Situation, situationOf } from './situation.ts';
import { sentence, timeIn } from './wording.ts';

/** An Instance in one line. */
export function summarize(object: AnyObject): Summary {
  return summaryOf(instanceIn(object));
}

export function summaryOf(read: Read, situation: Situation = situationOf(read)): Summary {
  const { metadata, status } = read;
  const needed = needsYou(read, situation);
  const since = timeIn(sinceOf(read, situation));
  const createdAt = timeIn(metadata.creationTimestamp);
  const state = stateOf(read);
  const parent = metadata.ownerReferences?.find(
    ({ kind, apiVersion }) => kind === 'Instance' && groupOf(apiVersion) === group,
  );
  return {
    subject: subjectOf(read),
    phase: phaseOf(read, situation),
    ...(state !== undefined && { state }),
    headline: sentence(headlineOf(read, situation)),
    serving: servingOf(read, situation),
    inTransition: status.execution !== undefined && situation.is !== 'aside',
    ...(needed !== undefined && { needsYou: sentence(needed) }),
    ...(parent && { partOf: { kind: parent.kind, name: parent.name } }),
    ...(since !== undefined && { since }),
    ...(createdAt !== undefined && { createdAt }),
  };
}

export function subjectOf({ apiVersion, kind, metadata }: Read): Subject {
  const { namespace = 'default', name = '', uid = '' } = metadata;
  return { family: 'kudo', apiVersion, kind, namespace, name, uid };
}

/** The plan that runs or ran last, as KUDO puts it: `deploy IN_PROGRESS`. */
function stateOf({ status }: Read): string | undefined {
  const { execution, planStatus = {} } = status;
  if (execution) {
    const known = Object.hasOwn(planStatus, execution.plan) ? planStatus[execution.plan]?.status : undefined;
    return `${execution.plan} ${known ?? 'IN_PROGRESS'}`;
  }
  const last = lastEnded(status);
  return last && `${last.plan} ${last.outcome}`;
}

function phaseOf({ status }: Read, situation: Situation): Phase {
  const serves = conditionOf(status, 'Ready')?.status === 'True';
  switch (situation.is) {
    case 'deleting':
      return situation.stuck ? 'failed' : 'deleting';
    case 'aside':
      return situation.paused ? 'paused' : 'unknown';
    case 'unseen':
      return 'unknown';
    case 'running':
    case 'changed':
      return 'progressing';
    case 'refused':
    case 'cancelled':
      return everComplete(status) ? 'degraded' : 'failed';
    case 'failed':
      return serves ? 'degraded' : 'failed';
    case 'unwell':
    case 'drifted':
      return 'degraded';
    case 'owed':
    case 'outdated':
      return 'waiting';
    case 'resting':
      return serves ? 'healthy' : 'unknown';
    default:
      return situation satisfies never;
  }
}

function servingOf(read: Read, situation: Situation): string {
  const { status, spec } = read;
  const version = (status.accepted?.operatorVersion ?? spec.operatorVersion)?.name ?? '';
  if (!everComplete(status) || version === '') return 'nothing';
  const unwell = conditionOf(status, 'Ready')?.status === 'False' && situation.is !== 'running';
  return unwell ? `${version}, not all of it healthy` : version;
}

function sinceOf({ metadata, status }: Read, situation: Situation): string | null | undefined {
  switch (situation.is) {
    case 'deleting':
      return metadata.deletionTimestamp;
    case 'running':
      return situation.execution.startedAt;
    case 'aside':
    case 'refused':
      return situation.since;
    case 'failed':
    case 'cancelled':
      return situation.past.endedAt;
    case 'unwell':
    case 'drifted':
    case 'outdated':
      return situation.condition.lastTransitionTime;
    case 'owed':
      return lastEnded(status)?.endedAt;
    case 'resting':
      return conditionOf(status, 'Ready')?.lastTransitionTime ?? lastEnded(status)?.endedAt;
    case 'unseen':
      return metadata.creationTimestamp;
    case 'changed':
      return undefined;
    default:
      return situation satisfies never;
  }
}
