import type { Instant } from '../../../clock/clock.ts';
import type { View } from '../../../control/controller.ts';
import type { CallAction } from '../../../control/decision.ts';
import { flinkCall } from '../../calls.ts';
import { flinkId } from '../../ids.ts';
import type { Disposal } from '../../resources/disposal.ts';
import type { ClusterAddress } from '../../rest.ts';
import { notAfter } from '../set-back.ts';
import { backoffMs } from './backoff.ts';

/** A removal that has failed for this long is given up: what waits for it must not wait for ever. */
export const disposalLimitMs = 600_000;

/** Whose savepoint it is, and where Flink is asked to remove it. */
export interface Disposer extends View {
  readonly uid: string;
  /** `status.attempt`. */
  readonly attempt: number;
  readonly cluster: ClusterAddress;
}

export type Disposing =
  /** The record is to be kept in status, and the calls to be made after it was written. */
  | {
      readonly is: 'under way';
      readonly record: Disposal;
      readonly attempt: number;
      readonly effects: readonly CallAction[];
      readonly wakeAt?: Instant;
    }
  /** The savepoint is no more. */
  | { readonly is: 'gone' }
  /** It may still lie there. */
  | { readonly is: 'given up'; readonly error: string };

/** One step of removing a savepoint: begun, tried again with growing pauses, and in the end done or given up. */
export function dispose(path: string, begun: Disposal | undefined, disposer: Disposer): Disposing {
  const { now, uid, attempt, outcomes } = disposer;
  const record = begun && anew(begun, now);
  if (!record) {
    const id = flinkId(uid, attempt + 1, 'dispose');
    return tried({ id, path, startedAt: new Date(now).toISOString() }, attempt + 1, disposer);
  }
  const outcome = Object.hasOwn(outcomes, record.id) ? outcomes[record.id] : undefined;
  if (outcome?.result === 'done') return { is: 'gone' };
  const error = outcome?.message ?? record.error;
  if (now >= Date.parse(record.startedAt) + disposalLimitMs) {
    return { is: 'given up', error: error ?? 'nobody answered' };
  }
  if (outcome?.result === 'refused') {
    const failures = (record.failures ?? 0) + 1;
    const retryAt = now + backoffMs(failures);
    const id = flinkId(uid, attempt + 1, 'dispose');
    const next = { ...record, id, failures, retryAt: new Date(retryAt).toISOString(), error: outcome.message };
    return { is: 'under way', record: next, attempt: attempt + 1, effects: [], wakeAt: retryAt };
  }
  const retryAt = record.retryAt === undefined ? now : Date.parse(record.retryAt);
  if (retryAt > now) return { is: 'under way', record, attempt, effects: [], wakeAt: retryAt };
  return tried(record, attempt, disposer);
}

/** The clock may have been set back since. */
function anew(record: Disposal, now: Instant): Disposal {
  return notAfter(now + backoffMs(record.failures ?? 1), notAfter(now, record, 'startedAt'), 'retryAt');
}

function tried(record: Disposal, attempt: number, { cluster }: Disposer): Disposing {
  return {
    is: 'under way',
    record,
    attempt,
    effects: [flinkCall('dispose', record.id, { cluster, path: record.path })],
    wakeAt: Date.parse(record.startedAt) + disposalLimitMs,
  };
}
