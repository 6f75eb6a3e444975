import type { Instant } from '../../clock/clock.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import { changeOf, type JobCase } from './job-case.ts';
import { warned } from './reasons.ts';
import { situation, startedFrom, versionOf } from './situation.ts';
import type { Status } from './status.ts';
import type { Step } from './step.ts';
import { begin, type Intent } from './transition/begin.ts';

/** When a spec that is not stable yet is taken back; `undefined` when it never is. */
export function rollbackAt(c: JobCase): Instant | undefined {
  const { state, lastReconciledSpec, lastStableSpec, reconciliationTimestamp } = c.status.reconciliationStatus ?? {};
  if (c.is !== 'application' || !read(c.config, operatorOptions.rollbackEnabled) || state !== 'DEPLOYED')
    return undefined;
  if (!c.stable || !c.recorded || lastReconciledSpec === lastStableSpec || c.stable.spec.job.state === 'suspended') {
    return undefined;
  }
  if (versionOf(c.stable.spec) !== versionOf(c.recorded.spec) || c.recorded.spec.job.state === 'suspended')
    return undefined;
  // After a recovery the same spec is to become stable again: there is none to go back to.
  if (changeOf(c, c.stable.spec, c.recorded.spec).demands === 'nothing') return undefined;
  return (reconciliationTimestamp ?? c.now) + read(c.config, operatorOptions.readinessTimeout);
}

/** A new spec did not become stable in time: back to the one that was, with the state there is. */
export function rollback(c: JobCase): Step<Status> | undefined {
  const at = rollbackAt(c);
  if (at === undefined || c.now < at) return undefined;
  const way = wayBack(c);
  if (!way) return undefined;
  return begin(c, {
    cause: 'rollback',
    because: 'The new spec did not become stable in time.',
    ...way,
    events: [warned(c.resource, 'Rollback', 'Rolling back failed deployment.')],
  });
}

function wayBack(c: JobCase): Pick<Intent, 'stop' | 'restore'> | undefined {
  if ((c.spec.job.upgradeMode ?? 'stateless') === 'stateless')
    return { stop: 'stateless', restore: { mode: 'stateless' } };
  if (c.cluster.ha.available) return { stop: 'last-state', restore: { mode: 'last-state' } };
  const from = startedFrom(c);
  return situation(c).neverStarted && from.mode === 'savepoint' ? { stop: 'none', restore: from } : undefined;
}
