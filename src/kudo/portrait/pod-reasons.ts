import { isObject } from '../../change/equal.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { PodReason } from '../../portrait/portrait.ts';
import { at, workloadOf } from '../graph/workload.ts';
import { text } from '../health/status-of.ts';
import { annotations, nestedAnnotations } from '../keys.ts';
import type { Execution, PastExecution, Restart } from '../resources/instance.ts';
import { becauseOf } from './because.ts';
import { commandOf } from './command.ts';
import type { Read } from './instance-in.ts';
import { restartCause } from './restart-cause.ts';
import { brief, counted, instantOf, names, timeIn } from './wording.ts';

/**
 * Why a pod will be restarted, and why it was made or restarted; the newest first. What is known is in the status: why
 * workloads restart by an execution, and, on the pod itself, the uid of the execution that demanded it.
 */
export function podReasons(pod: AnyObject, workload: AnyObject | undefined, read: Read): readonly PodReason[] {
  return [...(workload ? toCome(pod, workload, read) : []), ...past(pod, workload, read), ...crashes(pod)];
}

function toCome(pod: AnyObject, workload: AnyObject, read: Read): readonly PodReason[] {
  const { execution, restart } = read.status;
  const will = (sentence: string): readonly PodReason[] => [{ when: 'will', sentence }];
  const old = isOutdated(pod, workload);
  if (old && workloadOf(workload)?.rollout === 'onDelete') {
    return will('it is of an old template, and nobody replaces it: delete it to have a new one');
  }
  if (execution) {
    const known = restartOf([...(execution.restarts ?? []), ...(execution.reasons ?? [])], workload);
    const notYet = instantOf(pod.metadata.creationTimestamp) ?? 0;
    // What is only foretold is of no pod that was made since.
    if (old || (known && !isApplied(workload, execution) && notYet < (instantOf(execution.startedAt) ?? 0))) {
      return will(known ? told(known, 'restarts') : `plan ${execution.plan} changed its template`);
    }
    return [];
  }
  if (old) return will('its workload has a newer template, and Kubernetes is replacing its pods');
  if (!restart) return [];
  const why = restart.changed?.length ? `${names(restart.changed)} changed` : `plan ${restart.plan} demanded it`;
  const way = `the next run of plan ${restart.plan}, or \`${commandOf('restart', read)}\``;
  return will(`a restart is pending because ${why}: ${way} does it`);
}

/** Whether the execution has sent this workload already: what it does to its pods can be seen from then on. */
function isApplied(workload: AnyObject, { uid }: Execution): boolean {
  return workload.metadata.annotations?.[annotations.planUid] === uid;
}

/**
 * How the pod came to be: by an execution that ran then, or whose restart went on when it had been stopped. Of a pod that is
 * older than history only the mark tells, and not when.
 */
function past(pod: AnyObject, workload: AnyObject | undefined, { status }: Read): readonly PodReason[] {
  const made = instantOf(pod.metadata.creationTimestamp);
  const mark = pod.metadata.annotations?.[annotations.planUid];
  const all: readonly (Execution | PastExecution)[] = [
    ...(status.execution ? [status.execution] : []),
    ...(status.history ?? []),
  ];
  const marked = all.find(({ uid }) => uid === mark);
  const oldest = instantOf(all.at(-1)?.startedAt);
  if (made === undefined || oldest === undefined || made < oldest) {
    return marked ? [{ when: 'did', sentence: causeOf(marked, workload) }] : [];
  }
  const by =
    all.find((one) => isDuring(one, made)) ?? all.find((one) => one === marked && isLeftOver(one, made, workload));
  const sentence = by ? causeOf(by, workload) : 'made while no plan ran: its workload was short of a pod';
  const at = timeIn(pod.metadata.creationTimestamp);
  return [{ when: 'did', sentence, ...(at !== undefined && { at }) }];
}

function causeOf(one: Execution | PastExecution, workload: AnyObject | undefined): string {
  const known = workload && restartOf(one.restarts ?? [], workload);
  return known ? told(known, 'restarted') : `made while plan ${one.plan} ran, because ${becauseOf(one)}`;
}

/** Kubernetes goes on to replace pods when the plan that demanded it has been stopped. */
function isLeftOver(one: Execution | PastExecution, made: number, workload: AnyObject | undefined): boolean {
  const begun = instantOf(one.startedAt) ?? Number.POSITIVE_INFINITY;
  const stopped = 'outcome' in one && one.outcome !== 'COMPLETE';
  return stopped && made >= begun && workload !== undefined && restartOf(one.restarts ?? [], workload) !== undefined;
}

/** The status says it of all pods of the workload; here it is said of one. */
function told({ name, because }: Restart, verb: 'restarts' | 'restarted'): string {
  const cause = restartCause(because, name);
  return cause === because ? because : `${verb} because ${cause}`;
}

function isDuring(one: Execution | PastExecution, instant: number): boolean {
  const [from, to] = [instantOf(one.startedAt), 'endedAt' in one ? instantOf(one.endedAt) : undefined];
  return from !== undefined && instant >= from && (to === undefined || instant <= to);
}

/** What its containers did by themselves. */
function crashes(pod: AnyObject): readonly PodReason[] {
  const statuses = at(pod, ['status', 'containerStatuses']);
  return (Array.isArray(statuses) ? statuses : []).filter(isObject).flatMap((status): readonly PodReason[] => {
    const { name, restartCount } = status;
    if (typeof name !== 'string' || typeof restartCount !== 'number' || restartCount < 1) return [];
    const ended = at(status, ['lastState', 'terminated']);
    const [reason, code, finished] = ['reason', 'exitCode', 'finishedAt'].map((field) => at(ended, [field]));
    const why = typeof reason === 'string' ? `, last ${brief(reason)}` : '';
    const exit = typeof code === 'number' ? ` (exit code ${code})` : '';
    const when = timeIn(typeof finished === 'string' ? finished : undefined);
    const sentence = `container ${name} restarted ${counted(restartCount, 'time')} by itself${why}${exit}`;
    return [{ when: 'did', sentence, ...(when !== undefined && { at: when }) }];
  });
}

function restartOf(restarts: readonly Restart[], { kind, metadata }: AnyObject): Restart | undefined {
  return restarts.find((one) => one.kind === kind && one.name === metadata.name);
}

/** Whether the template of the workload is no longer that of the pod. */
function isOutdated(pod: AnyObject, workload: AnyObject): boolean {
  const revision = text(workload, 'status', 'updateRevision');
  const own = pod.metadata.labels?.['controller-revision-hash'];
  if (workload.kind === 'StatefulSet' && revision !== undefined && own !== undefined) return revision !== own;
  const path = workloadOf(workload)?.path;
  if (path === undefined || workload.kind === 'Job') return false;
  const marks = at(workload, [...path, 'metadata', 'annotations']);
  return nestedAnnotations.some((key) => at(marks, [key]) !== pod.metadata.annotations?.[key]);
}
