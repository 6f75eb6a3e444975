import type { Instant } from '../../clock/clock.ts';
import { planObjects } from '../graph/plan-objects.ts';
import { specialPlans } from '../keys.ts';
import type { InstanceStatus } from '../resources/instance.ts';
import type { Drift } from './drift.ts';
import type { Beginning } from './execution.ts';
import { planOf } from './plan-of.ts';
import { type InstanceView, refOf, thingId } from './view.ts';

/** Two who want an object differently would change it back and forth, and some plans fail whenever they run. */
const repairEveryMs = 60_000;

/**
 * The plan that sets right what drifted, quietly: `update`, `deploy`, or else the one that applied it last. One that applies
 * nothing of what drifted would run for ever. Nothing is begun after a plan that failed or was stopped: it would fail again,
 * or do what somebody has just said not to do.
 */
export function repairing(
  drift: readonly Drift[],
  { accepted, history: [last] = [] }: InstanceStatus,
  { instance, versions }: InstanceView,
): Beginning | undefined {
  const version = versions.accepted;
  if (!accepted || !version || last?.outcome === 'FATAL_ERROR' || last?.outcome === 'CANCELED') return undefined;
  const { name = '', namespace = '', uid = '' } = instance.metadata;
  const subject = { operatorVersion: version, instance: { name, namespace, uid } };
  const drifted = new Set(drift.map(({ id }) => id));
  const setsRight = (plan: string): boolean => {
    if (plan === specialPlans.cleanup || !planOf(version, plan)) return false;
    const objects = [...planObjects(subject, [plan], accepted.parameters).values()];
    return objects.some(({ object, deleted }) => !deleted && drifted.has(thingId(refOf(object))));
  };
  const theirs = drift.flatMap(({ plan }) => plan ?? []);
  const plan = [...new Set([specialPlans.update, specialPlans.deploy, ...theirs])].find(setsRight);
  return plan === undefined ? undefined : { plan, cause: 'repair', changed: [], forced: false, accepted };
}

/**
 * When something may be set right again: the longer, the more often it was in vain. At once if the last repair has yet to end:
 * somebody has set the clock back, and how long ago it was cannot be told.
 */
export function nextRepair({ history = [] }: InstanceStatus, now: Instant): Instant | undefined {
  const other = history.findIndex((past) => past.cause !== 'repair');
  const inVain = other < 0 ? history.length : other;
  const last = history.find((past) => past.cause === 'repair');
  const ended = last && Date.parse(last.endedAt);
  if (ended === undefined || ended > now) return undefined;
  return ended + repairEveryMs * 2 ** Math.max(0, inVain - 1);
}
