import type { AnyObject } from '../kube/object.ts';
import type { PodPortrait, PodReason, TreeNode } from './portrait.ts';
import type { Phase } from './summary.ts';

/** What a pod says of itself, in any family. Reads only what is there: a pod may lack all of it. */
export function podPortrait(
  pod: AnyObject,
  about: { side?: string; reasons?: readonly PodReason[] } = {},
): PodPortrait {
  const status = members(pod.status);
  const containers = list(members(pod.spec).containers).map(members);
  const statuses = list(status.containerStatuses).map(members);
  const ready = list(status.conditions)
    .map(members)
    .some(({ type, status }) => type === 'Ready' && status === 'True');
  const { createdAt, told } = { createdAt: pod.metadata.creationTimestamp, told: standing(pod, statuses) };
  return {
    name: pod.metadata.name ?? '',
    ...(about.side !== undefined && { side: about.side }),
    phase: phaseOf(pod, told, ready),
    status: told,
    ready,
    restarts: statuses.reduce(
      (sum, { restartCount }) => sum + (typeof restartCount === 'number' ? restartCount : 0),
      0,
    ),
    containers: containers.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
    ...(createdAt !== undefined && { createdAt }),
    reasons: about.reasons ?? [],
  };
}

/** The same pod as the leaf of a tree. Its reasons are told of the pod itself. */
export function podNode({ name, phase, status, createdAt, restarts }: PodPortrait): TreeNode {
  return {
    kind: 'Pod',
    name,
    phase,
    status,
    ...(createdAt !== undefined && { createdAt }),
    ...(restarts > 0 && { info: `${restarts} ${restarts === 1 ? 'restart' : 'restarts'}` }),
    children: [],
  };
}

/** As `kubectl get pods` puts it: why a container waits or ended, before the phase. */
function standing(pod: AnyObject, statuses: readonly Members[]): string {
  if (pod.metadata.deletionTimestamp !== undefined) return 'Terminating';
  const states = statuses.map(({ state }) => members(state));
  const waiting = states.map(({ waiting }) => members(waiting).reason).find((reason) => typeof reason === 'string');
  if (typeof waiting === 'string') return waiting;
  const ended = states.map(({ terminated }) => members(terminated).reason).find((reason) => typeof reason === 'string');
  if (typeof ended === 'string') return ended;
  const { phase, reason } = members(pod.status);
  return typeof reason === 'string' && reason !== '' ? reason : typeof phase === 'string' ? phase : 'Unknown';
}

const passing: ReadonlySet<string> = new Set(['Pending', 'ContainerCreating', 'PodInitializing', 'Unknown']);

function phaseOf(pod: AnyObject, told: string, ready: boolean): Phase {
  if (pod.metadata.deletionTimestamp !== undefined) return 'deleting';
  if (ready || told === 'Completed' || told === 'Succeeded') return 'healthy';
  return told === 'Running' || passing.has(told) ? 'progressing' : 'failed';
}

type Members = Readonly<Record<string, unknown>>;

function members(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
