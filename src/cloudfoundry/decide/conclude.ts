import { equal } from '../../change/equal.ts';
import { line } from '../../change/show.ts';
import type { Instant } from '../../clock/clock.ts';
import { type Conditions, setCondition } from '../../control/conditions.ts';
import { type Action, type Decision, type Reason, refTo } from '../../control/decision.ts';
import type { JsonObject, KubeObject } from '../../kube/object.ts';

/** Whether what is wanted is so, in the one condition that every kind of Cloud Foundry has. */
export type Readiness =
  | { readonly ready: true; readonly message?: string }
  | { readonly ready: false; readonly reason: Reason; readonly message: string };

/** What is to be done about an object, and what is to be said of it. */
export interface Conclusion {
  /** The family's own part of the status; generation and `Ready` are added. */
  readonly status: object;
  readonly readiness: Readiness;
  readonly effects?: readonly Action[];
  readonly because: string;
  readonly wakeAt?: Instant;
}

type Subject = KubeObject & { readonly status?: object };

/** Makes a Decision: the status first, and only if it differs from the one that is stored; then the effects. */
export function conclude(resource: Subject, now: Instant, conclusion: Conclusion): Decision {
  const { readiness, effects = [], because, wakeAt } = conclusion;
  const generation = resource.metadata.generation ?? 0;
  const { conditions: stated } = conclusion.status as { readonly conditions?: Conditions };
  const conditions = setCondition(stated ?? [], readyFinding(readiness), generation, now).map(spoken);
  const status = { ...conclusion.status, observedGeneration: generation, conditions };
  const changed = !equal(resource.status ?? {}, status);
  const journal: Action[] = changed ? [{ do: 'status', of: refTo(resource), status: withoutAbsent(status) }] : [];
  return { actions: [...journal, ...effects], because, ...(wakeAt !== undefined && { wakeAt }) };
}

function readyFinding(readiness: Readiness): Parameters<typeof setCondition>[1] {
  if (readiness.ready) {
    return { type: 'Ready', status: 'True', reason: 'Ready', message: readiness.message ?? 'Ready' };
  }
  return { type: 'Ready', status: 'False', reason: readiness.reason, message: readiness.message };
}

/** Longest message of a condition; the API server takes 32768 characters, and nobody reads those. */
const longest = 2000;

/** Messages quote what people wrote: on one line, of a length that can be read. */
function spoken(condition: Conditions[number]): Conditions[number] {
  const message = line(condition.message ?? '');
  return { ...condition, message: message.length > longest ? `${message.slice(0, longest)}…` : message };
}

/** The same as JSON has it: a member without a value is none. */
function withoutAbsent(status: object): JsonObject {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Whether an object says that it is Ready, and says so of its present spec. */
export function isReady(object: {
  readonly metadata: { readonly generation?: number };
  readonly status?: { readonly conditions?: Conditions };
}): boolean {
  const ready = object.status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' && ready.observedGeneration === object.metadata.generation;
}
