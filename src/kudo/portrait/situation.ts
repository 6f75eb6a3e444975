import { annotations, switchedOn } from '../../control/annotations.ts';
import type { Condition } from '../../control/conditions.ts';
import { refusalOf } from '../health/instance-health.ts';
import type { Execution, InstanceStatus } from '../resources/instance.ts';
import { type Ended, lastEnded } from './ended.ts';
import type { Read } from './instance-in.ts';

/** Where an Instance stands. Several may be true at once: the first of this list is what is said of it. */
export type Situation =
  /** It is going. `stuck`: its plan `cleanup` has failed, and so it stays. */
  | { readonly is: 'deleting'; readonly stuck?: Ended }
  /** Nothing is done about it: people said so, or another operator looks after it. */
  | { readonly is: 'aside'; readonly paused: boolean; readonly message: string; readonly since?: string }
  /** Nobody has looked at it yet. */
  | { readonly is: 'unseen' }
  | { readonly is: 'running'; readonly execution: Execution }
  /** What stands in the spec cannot be accepted; what was accepted before goes on. */
  | { readonly is: 'refused'; readonly reason: string; readonly message: string; readonly since?: string }
  /** It was changed a moment ago. */
  | { readonly is: 'changed' }
  | { readonly is: 'failed'; readonly past: Ended }
  /** Somebody stopped what was to change it. */
  | { readonly is: 'cancelled'; readonly past: Ended }
  | { readonly is: 'unwell'; readonly condition: Condition }
  | { readonly is: 'drifted'; readonly condition: Condition; readonly repairs: boolean }
  /** A restart that was demanded is not done, and nothing is on its way that would. */
  | { readonly is: 'owed'; readonly restart: NonNullable<InstanceStatus['restart']> }
  /** Pods that nobody replaces by himself are of an old template. */
  | { readonly is: 'outdated'; readonly condition: Condition }
  | { readonly is: 'resting' };

export function situationOf(read: Read): Situation {
  const { metadata, spec, status } = read;
  const last = lastEnded(status);
  if (metadata.deletionTimestamp !== undefined) {
    const stuck = !status.execution && last?.cause === 'cleanup' && last.outcome !== 'COMPLETE' ? last : undefined;
    return { is: 'deleting', ...(stuck && { stuck }) };
  }
  const aside = asideOf(read);
  if (aside) return aside;
  if (Object.keys(status).length === 0) return { is: 'unseen' };
  if (status.execution) return { is: 'running', execution: status.execution };

  const refusal = refusalOf(read);
  const accepted = conditionOf(status, 'Accepted');
  if (refusal !== undefined && accepted) {
    const { reason, lastTransitionTime: since } = accepted;
    return { is: 'refused', reason, message: refusal, since };
  }
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) return { is: 'changed' };
  if (last?.outcome === 'FATAL_ERROR') return { is: 'failed', past: last };
  // What was only triggered by hand changed nothing that would now be half done.
  if (last?.outcome === 'CANCELED' && last.cause !== 'trigger') return { is: 'cancelled', past: last };
  const ready = conditionOf(status, 'Ready');
  if (ready?.status === 'False') return { is: 'unwell', condition: ready };
  const drifted = conditionOf(status, 'Drifted');
  if (drifted?.status === 'True') return { is: 'drifted', condition: drifted, repairs: spec.drift === 'repair' };
  if (status.restart) return { is: 'owed', restart: status.restart };
  const outdated = conditionOf(status, 'RestartPending');
  if (outdated?.status === 'True') return { is: 'outdated', condition: outdated };
  return { is: 'resting' };
}

export function conditionOf({ conditions = [] }: InstanceStatus, type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type) as Condition | undefined;
}

/** A change that waits for the plan that runs: what it waits for. */
export function waitingOf({ status }: Read): string | undefined {
  const waiting = conditionOf(status, 'Waiting');
  return waiting?.status === 'True' ? waiting.message : undefined;
}

function asideOf(read: Read): Extract<Situation, { is: 'aside' }> | undefined {
  for (const type of ['ManagedElsewhere', 'SchemaOutdated', 'NotReadable']) {
    const found = conditionOf(read.status, type);
    if (found?.status === 'True') {
      return { is: 'aside', paused: false, message: found.message, since: found.lastTransitionTime };
    }
  }
  // The annotation counts as soon as it stands there, whether or not the operator has said so.
  if (!switchedOn(read, annotations.paused)) return undefined;
  const since = conditionOf(read.status, 'Paused')?.lastTransitionTime;
  const message = `the annotation ${annotations.paused} tells the operator to do nothing`;
  return { is: 'aside', paused: true, message, ...(since !== undefined && { since }) };
}
