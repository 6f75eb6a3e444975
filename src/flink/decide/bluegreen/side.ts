import type { Ref } from '../../../control/decision.ts';
import type { SideSeen } from '../../blue-green-view.ts';
import { childName } from '../../manifests/blue-green-child.ts';
import type { Color } from '../../resources/blue-green-transition.ts';
import { errorMessage } from '../error-text.ts';

/**
 * How a side is, by nothing but the contract of a FlinkDeployment.
 * - `absent`: there is none
 * - `taken`: its name belongs to somebody else
 * - `leaving`: it is being deleted
 * - `suspended`: its own spec says so
 * - `ready`: its job is RUNNING and its lifecycle STABLE (seed 001, "Deployment Success Criteria")
 * - `ended`: its job has ended although it should run
 * - `failing`: its job fails or restarts, or its JobManager is gone
 * - `settling`: on the way to one of the others
 */
export type Health = 'absent' | 'taken' | 'leaving' | 'suspended' | 'ready' | 'ended' | 'failing' | 'settling';

export interface Side {
  readonly color: Color;
  /** The name of its FlinkDeployment. */
  readonly name: string;
  readonly is: Health;
  /** Absent when there is none, or it belongs to somebody else. */
  readonly seen: SideSeen | undefined;
  /** Whose name stands in the way, if it is `taken`. */
  readonly stranger: Ref | undefined;
  /** What its status says is about its present spec: nothing irreversible is done on less. */
  readonly current: boolean;
}

export function sideOf(owner: { readonly name: string; readonly uid: string }, color: Color, seen?: SideSeen): Side {
  const name = childName(owner.name, color);
  if (!seen) return { color, name, is: 'absent', seen: undefined, stranger: undefined, current: true };
  if (!seen.owners.includes(owner.uid)) {
    return { color, name, is: 'taken', seen: undefined, stranger: seen.ref, current: true };
  }
  const { observedGeneration = seen.generation } = seen.status;
  return { color, name, is: healthOf(seen), seen, stranger: undefined, current: observedGeneration >= seen.generation };
}

const ended = new Set(['FAILED', 'FINISHED', 'CANCELED']);
const troubled = new Set(['FAILING', 'RESTARTING']);

function healthOf({ terminating, spec, status }: SideSeen): Health {
  if (terminating) return 'leaving';
  if (spec.job?.state === 'suspended') return 'suspended';
  const job = status.jobStatus?.state;
  if (job === 'RUNNING' && status.lifecycleState === 'STABLE') return 'ready';
  if (job !== undefined && ended.has(job) && status.lifecycleState !== 'SUSPENDED') return 'ended';
  if (isWithoutJobManager(status) || (job !== undefined && troubled.has(job))) return 'failing';
  return status.lifecycleState === 'FAILED' || status.lifecycleState === 'ROLLED_BACK' ? 'failing' : 'settling';
}

function isWithoutJobManager({ jobManagerDeploymentStatus: is, lifecycleState }: SideSeen['status']): boolean {
  // Before its first Deployment, and while one replaces another, there is none, and nothing is wrong.
  const under = lifecycleState === 'CREATED' || lifecycleState === 'UPGRADING' || lifecycleState === 'SUSPENDED';
  return is === 'ERROR' || (is === 'MISSING' && !under);
}

/** It serves, or will as soon as traffic gets to it. */
export function isReady({ is }: Side): boolean {
  return is === 'ready';
}

/** It is not there, or not for long. */
export function isGone({ is }: Side): boolean {
  return is === 'absent' || is === 'leaving' || is === 'taken';
}

/** It serves nobody and will not come back by itself: its job failed, or nothing runs it. */
export function isLost(side: Side): boolean {
  const { jobStatus, jobManagerDeploymentStatus: manager } = side.seen?.status ?? {};
  return (
    isGone(side) ||
    jobStatus?.state === 'FAILED' ||
    manager === 'ERROR' ||
    (side.is === 'failing' && manager === 'MISSING')
  );
}

/** More than a person reads; statuses and events are not the place for the rest. */
const longest = 500;

/** What an error says, however long it is. */
export function shortly(error: string): string {
  const text = errorMessage(error);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** What is the matter with a side that is not ready, in a few words. */
export function trouble(side: Side): string {
  const { name, is, seen } = side;
  const job = seen?.status.jobStatus?.state;
  // What keeps it from coming up is no error yet, and told all the same.
  const stalled = seen?.status.conditions?.find(({ type, status }) => type === 'Stalled' && status === 'True');
  const said = seen?.status.error ?? stalled?.message;
  const error = said === undefined ? '' : `: ${shortly(said)}`;
  switch (is) {
    case 'absent':
      return `${name} is not there`;
    case 'taken':
      return `FlinkDeployment ${name} belongs to somebody else`;
    case 'leaving':
      return `${name} is being deleted`;
    case 'suspended':
      return `${name} is suspended`;
    case 'ready':
      return `the job of ${name} runs`;
    case 'ended':
      return `the job of ${name} is ${job}${error}`;
    case 'failing':
      return `${name} is in trouble (${job ?? 'no job'})${error}`;
    case 'settling':
      return `${name} is starting (${job ?? 'no job yet'})${error}`;
  }
}
