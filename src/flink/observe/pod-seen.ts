import type { PodFailure, PodSeen } from '../view.ts';
import type { ContainerStatus, Pod } from './kube-shapes.ts';
import { instantOf, plainRef } from './refs.ts';

/** Flink's own container, beside whatever users add. */
const mainContainer = 'flink-main-container';

/** Reasons for which a container waits that time alone does not mend. */
const failures = new Set([
  'CrashLoopBackOff',
  'ImagePullBackOff',
  'ErrImagePull',
  'ErrImageNeverPull',
  'InvalidImageName',
  'RunContainerError',
  'CreateContainerConfigError',
  'CreateContainerError',
  'StartError',
  'OOMKilled',
]);

/** A pod of the JobManager. `mounting` is why its volumes cannot be mounted: only events say that. */
export function podSeen(pod: Pod, mounting?: PodFailure): PodSeen {
  const { metadata, status = {} } = pod;
  const { containerStatuses = [] } = status;
  const main = containerStatuses.find(({ name }) => name === mainContainer) ?? containerStatuses[0];
  return {
    ref: plainRef(pod),
    createdAt: instantOf(metadata.creationTimestamp) ?? 0,
    terminating: metadata.deletionTimestamp !== undefined,
    ready: holds(pod, 'Ready') === true,
    phase: status.phase ?? 'Unknown',
    incarnation: `${metadata.uid}/${main?.restartCount ?? 0}`,
    failure: failureOf(pod) ?? mounting,
  };
}

/** Whether a pod has a node but has not come so far as to start containers: then it may be waiting for a volume. */
export function isStuck(pod: Pod): boolean {
  if (pod.metadata.deletionTimestamp !== undefined || holds(pod, 'PodScheduled') !== true) return false;
  // Older versions of Kubernetes do not have the first.
  const begun = holds(pod, 'PodReadyToStartContainers') ?? holds(pod, 'Initialized');
  return begun === false && holds(pod, 'Ready') === false;
}

/**
 * Which JobManager processes there are to ask, as one word: it changes whenever one of them does. `undefined` when none is
 * ready. With standbys, any of them leads to the leader.
 */
export function incarnationOf(pods: readonly PodSeen[]): string | undefined {
  const ready = pods.filter((pod) => pod.ready && !pod.terminating).map((pod) => pod.incarnation);
  return ready.length === 0 ? undefined : ready.sort().join(' ');
}

function holds({ status }: Pod, type: string): boolean | undefined {
  const found = status?.conditions?.find((condition) => condition.type === type);
  return found && found.status === 'True';
}

function failureOf({ status = {} }: Pod): PodFailure | undefined {
  const { initContainerStatuses = [], containerStatuses = [] } = status;
  for (const container of [...initContainerStatuses, ...containerStatuses]) {
    const failure = containerFailure(container);
    if (failure) return failure;
  }
  return undefined;
}

function containerFailure({ name, state = {}, lastState = {} }: ContainerStatus): PodFailure | undefined {
  const { reason = '', message = '' } = state.waiting ?? state.terminated ?? {};
  if (!failures.has(reason)) return undefined;
  const { terminated: last } = lastState;
  // What a container that is started again and again died of is said nowhere else.
  const died = last && `it ended with ${[last.reason, `exit code ${last.exitCode ?? '?'}`].filter(Boolean).join(', ')}`;
  return { reason, container: name, message: [message, died].filter(Boolean).join('; ') };
}
