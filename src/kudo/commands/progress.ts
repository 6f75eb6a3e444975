import type { Execution, Instance, InstanceSpec, InstanceStatus, PastExecution } from '../resources/instance.ts';
import { lastPlan } from './print/plan-tree.ts';

/** What was so when somebody asked for a plan: what comes after it is an answer to that. */
export interface Mark {
  /** Of the spec that asks. */
  readonly generation: number;
  /** Executions that were there before. */
  readonly known: readonly string[];
  /** The plan that was asked for by name; absent: whatever a change runs. */
  readonly plan?: string;
}

/** How far the answer has come. */
export type Progress =
  /** The operator has not looked at it yet. */
  | { readonly state: 'unseen' }
  /** It is its turn after the plan that runs now. */
  | { readonly state: 'waiting'; readonly message: string }
  | { readonly state: 'running'; readonly execution: Execution }
  /** It will not be applied as it is. */
  | { readonly state: 'refused'; readonly message: string }
  /** Nothing runs, and nothing new has run. `accepted`: nor is there anything to do, plans work with what the spec says. */
  | { readonly state: 'idle'; readonly accepted: boolean }
  | { readonly state: 'ended'; readonly past: PastExecution };

/** The mark of a write, from the answer of the server to it: nothing can come in between. */
export function markOf({ metadata, status }: Instance, plan?: string): Mark {
  const known = [status?.execution, ...(status?.history ?? [])].flatMap((one) => one?.uid ?? []);
  return { generation: metadata.generation ?? 0, known, ...(plan !== undefined && { plan }) };
}

/**
 * How far an Instance has come since a mark.
 *
 * A change that was superseded is part of what superseded it, and goes on there; a plan that was asked for by name has ended
 * when its own execution has.
 */
export function progressSince(mark: Mark, { spec, status = {} }: Instance): Progress {
  if ((status.observedGeneration ?? 0) < mark.generation) return { state: 'unseen' };
  const isNew = ({ uid, plan }: { readonly uid: string; readonly plan: string }): boolean =>
    !mark.known.includes(uid) && (mark.plan === undefined || mark.plan === plan);
  const ended = (status.history ?? []).filter(isNew).toReversed();
  const past = ended.find(({ outcome }) => mark.plan !== undefined || outcome !== 'SUPERSEDED');
  if (past) return { state: 'ended', past };
  const { execution } = status;
  if (execution && isNew(execution)) return { state: 'running', execution };
  const condition = (type: string, value: string) =>
    status.conditions?.find((one) => one.type === type && one.status === value);
  // What waits is no longer asked about; what was refused may be something else.
  const waiting = condition('Waiting', 'True');
  if (waiting) return { state: 'waiting', message: waiting.message || `plan ${execution?.plan} is running` };
  const refused = condition('Accepted', 'False');
  if (refused) return { state: 'refused', message: refused.message || refused.reason };
  if (execution) return { state: 'waiting', message: `plan ${execution.plan} is running` };
  const last = ended.at(-1);
  if (last) return { state: 'ended', past: last };
  return { state: 'idle', accepted: isAccepted(spec, status) };
}

/** Whether plans work with what the spec says. More may be accepted than it says: defaults of immutable parameters. */
function isAccepted({ operatorVersion, parameters }: InstanceSpec, { accepted }: InstanceStatus): boolean {
  if (accepted?.operatorVersion.name !== operatorVersion?.name) return false;
  const values = new Map(Object.entries(accepted?.parameters ?? {}));
  return Object.entries(parameters ?? {}).every(([name, value]) => values.get(name) === value);
}

/** How many looks in a row must show that nothing happens, before that is believed. */
const enough = 4;

/**
 * Whether nothing is going to happen. At once when plans work with what the spec says; else after some time: a parameter that an
 * upgrade has removed may stand in the spec for ever, and never be accepted.
 */
export function settling(): (progress: Progress) => boolean {
  let idle = 0;
  return (progress) => {
    idle = progress.state === 'idle' ? idle + 1 : 0;
    return progress.state === 'idle' && (progress.accepted || idle >= enough);
  };
}

/** Why a plan did not complete: its own message, or that of the step that failed. */
export function failureOf(instance: Instance, past: Pick<PastExecution, 'plan' | 'message'>): string {
  const last = lastPlan(instance);
  const phases = last?.name === past.plan ? (last.phases ?? []) : [];
  for (const phase of phases) {
    for (const step of phase.steps ?? []) {
      if (/ERROR/.test(step.status ?? '') && step.message) return `step ${phase.name}.${step.name}: ${step.message}`;
    }
  }
  return past.message || last?.message || 'no reason was given';
}
