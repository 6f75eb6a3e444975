import { isObject } from '../../change/equal.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { PodReason } from '../../portrait/portrait.ts';
import { instantOf } from '../decide/instant-text.ts';
import { brief, sentence } from './wording.ts';

/** A change that makes pods: of the cluster itself, or of what made the cluster. */
export interface Maker {
  /** What is done, as the beginning of a sentence: `Made for blue → green`; absent where the cause says it all. */
  readonly doing?: string;
  readonly because: string;
  readonly startedAt: string;
  /** Absent while it is under way. */
  readonly endedAt?: string;
}

/** Pods that come so long after a change are not of it. */
const lateMs = 120_000;

/** Why a pod was made and restarted, and why it will be replaced or go; the newest first. */
export function podReasons(
  pod: AnyObject,
  makers: readonly Maker[],
  will: readonly string[] = [],
): readonly PodReason[] {
  return [...will.map((text): PodReason => ({ when: 'will', sentence: text })), ...restarts(pod), ...made(pod, makers)];
}

function made({ metadata }: AnyObject, makers: readonly Maker[]): readonly PodReason[] {
  const created = instantOf(metadata.creationTimestamp);
  if (created === undefined) return [];
  const at = { at: metadata.creationTimestamp as string };
  // Kubernetes cuts times to whole seconds.
  const before = makers.filter(({ startedAt }) => (instantOf(startedAt) ?? Number.POSITIVE_INFINITY) < created + 1000);
  const maker = before.toSorted((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))[0];
  if (!maker) return [];
  const end = instantOf(maker.endedAt);
  if (end !== undefined && created > end + lateMs) {
    const text = 'Made after the last change had ended: the pod before was lost, or Flink needed more.';
    return [{ when: 'did', sentence: text, ...at }];
  }
  return [{ when: 'did', sentence: `${maker.doing ?? 'Made'}: ${sentence(maker.because)}`, ...at }];
}

function restarts({ status }: AnyObject): readonly PodReason[] {
  const statuses = isObject(status) && Array.isArray(status.containerStatuses) ? status.containerStatuses : [];
  return statuses.filter(isObject).flatMap((container): readonly PodReason[] => {
    const { name, restartCount, lastState } = container;
    if (typeof restartCount !== 'number' || restartCount < 1) return [];
    const last = isObject(lastState) && isObject(lastState.terminated) ? lastState.terminated : {};
    const { reason, exitCode, finishedAt } = last;
    const why = [
      ...(typeof reason === 'string' ? [brief(reason)] : []),
      ...(typeof exitCode === 'number' ? [`exit code ${exitCode}`] : []),
    ].join(', ');
    const times = restartCount === 1 ? 'once' : `${restartCount} times`;
    const text = `Container ${typeof name === 'string' ? brief(name) : '?'} restarted ${times}${why && `; last: ${why}`}.`;
    return [{ when: 'did', sentence: text, ...(typeof finishedAt === 'string' && { at: finishedAt }) }];
  });
}
