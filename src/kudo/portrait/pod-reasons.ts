import { isObject } from '../../change/equal.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { PodReason } from '../../portrait/portrait.ts';
import { at, workloadOf } from '../graph/workload.ts';
import { text } from '../health/status-of.ts';
import { annotations, nestedAnnotations } from '../keys.ts';
import type { Execution, PastExecution, Restart } from '../resources/instance.ts';
import { becauseOf } from './cause.ts';
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

/** Executions at whose hands the pod came to be, by the mark on it, or else by the time at which it was made. */
function past(pod: AnyObject, workload: AnyObject | undefined, { status }: Read): readonly PodReason[] {
  const mark = pod.metadata.annotations?.[annotations.planUid];
  const made = instantOf(pod.metadata.creationTimestamp);
  const all: readonly (Execution | PastExecution)[] = [
    ...(status.execution ? [status.execution] : []),
    ...(status.history ?? []),
  ];
  const by = all.find((one) => made !== undefined && isDuring(one, made));
  const marked = all.find(({ uid }) => uid === mark);
  const one = by ?? marked;
  if (!one) return [];
  const known = workload && restartOf(one.restarts ?? [], workload);
  const when = timeIn(pod.metadata.creationTimestamp);
  const sentence = known ? told(known, 'restarted') : `made while plan ${one.plan} ran, because ${becauseOf(one)}`;
  return [{ when: 'did', sentence, ...(when !== undefined && { at: when }) }];
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
