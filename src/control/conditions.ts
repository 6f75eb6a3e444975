import type { Instant } from '../clock/clock.ts';
import type { Reason } from './decision.ts';
import { legible } from './legible.ts';

/** `metav1.Condition`. A type, not an interface: only types fit into JSON. */
export type Condition = {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly observedGeneration?: number;
  /** When `status` last flipped, not when it was last confirmed. */
  readonly lastTransitionTime: string;
  readonly reason: string;
  /** For the person at three in the morning: what is the case, and what to do next. */
  readonly message: string;
};

/** A condition as it is found now; when it became so is kept by the list. */
export interface Finding {
  readonly type: string;
  readonly status: Condition['status'];
  readonly reason: Reason;
  readonly message: string;
}

export type Conditions = readonly Condition[];

/** The API server refuses longer messages. */
const longestMessage = 32_768;

/** The list with this finding in it. Returns the very same list when nothing changes, so that nothing is written. */
export function setCondition(conditions: Conditions, finding: Finding, generation: number, now: Instant): Conditions {
  const index = conditions.findIndex((condition) => condition.type === finding.type);
  const before = conditions[index];
  const message = legible(finding.message).slice(0, longestMessage);
  const after: Condition = {
    type: finding.type,
    status: finding.status,
    observedGeneration: generation,
    lastTransitionTime: before?.status === finding.status ? before.lastTransitionTime : timestamp(now),
    reason: finding.reason,
    message,
  };
  if (!before) return [...conditions, after];
  const same =
    before.status === after.status &&
    before.reason === after.reason &&
    before.message === after.message &&
    before.observedGeneration === after.observedGeneration;
  return same ? conditions : conditions.with(index, after);
}

/** The list without conditions of this type; the very same list when there is none. */
export function dropCondition(conditions: Conditions, type: string): Conditions {
  return conditions.some((condition) => condition.type === type)
    ? conditions.filter((condition) => condition.type !== type)
    : conditions;
}

/**
 * The list as it is to be written over another: what stands as it stood keeps its moment. A decision may pass through several
 * standings before it writes one, and only what is written was ever the case.
 */
export function keepMoments(conditions: Conditions, written: Conditions): Conditions {
  return conditions.map((condition) => {
    const before = written.find(({ type, status }) => type === condition.type && status === condition.status);
    return before ? { ...condition, lastTransitionTime: before.lastTransitionTime } : condition;
  });
}

/** How an object stands, in the three ways that `kubectl wait`, Argo CD and Flux tell apart. */
export type Standing =
  /** What was asked for is true. */
  | { readonly is: 'ready'; readonly reason: Reason; readonly message: string }
  /** On the way. `serving`: somebody serves meanwhile, so `Ready` stays true. */
  | { readonly is: 'reconciling'; readonly serving: boolean; readonly reason: Reason; readonly message: string }
  /** Will not get further unless a person changes something. `serving` as above. */
  | { readonly is: 'stalled'; readonly serving: boolean; readonly reason: Reason; readonly message: string };

/**
 * The conditions that kstatus reads: `Ready` is always there; `Reconciling` and `Stalled` only while true, and never
 * both. Conditions of other types stay as they are.
 */
export function stand(conditions: Conditions, standing: Standing, generation: number, now: Instant): Conditions {
  const { is, reason, message } = standing;
  const ready = is === 'ready' || standing.serving ? 'True' : 'False';
  const abnormal = { status: 'True', reason, message } as const;
  let list = setCondition(conditions, { type: 'Ready', status: ready, reason, message }, generation, now);
  list =
    is === 'reconciling'
      ? setCondition(list, { type: 'Reconciling', ...abnormal }, generation, now)
      : dropCondition(list, 'Reconciling');
  return is === 'stalled'
    ? setCondition(list, { type: 'Stalled', ...abnormal }, generation, now)
    : dropCondition(list, 'Stalled');
}

/** RFC 3339 with whole seconds, as `metav1.Time` is written. */
export function timestamp(instant: Instant): string {
  return new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z');
}
