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
 * The plan that sets right what drifted: it applies everything again. It restarts nothing, for nobody asked for that. None if
 * it applies nothing of what drifted: it would run for ever.
 */
export function repairing(
  drift: readonly Drift[],
  { accepted }: InstanceStatus,
  { instance, versions }: InstanceView,
): Beginning | undefined {
  const version = versions.accepted;
  if (!accepted || !version) return undefined;
  const plan = [specialPlans.update, specialPlans.deploy].find((name) => planOf(version, name));
  if (plan === undefined) return undefined;
  const { name = '', namespace = '', uid = '' } = instance.metadata;
  const subject = { operatorVersion: version, instance: { name, namespace, uid } };
  const applied = new Set<string>();
  for (const { object, deleted } of planObjects(subject, [plan], accepted.parameters).values()) {
    if (!deleted) applied.add(thingId(refOf(object)));
  }
  if (!drift.some(({ id }) => applied.has(id))) return undefined;
  return { plan, cause: 'repair', changed: [], forced: false, accepted };
}

/** When something may be set right again: the longer, the more often it was in vain. */
export function nextRepair({ history = [] }: InstanceStatus): Instant | undefined {
  const other = history.findIndex((past) => past.cause !== 'repair');
  const inVain = other < 0 ? history.length : other;
  const last = history.find((past) => past.cause === 'repair');
  return last && Date.parse(last.endedAt) + repairEveryMs * 2 ** Math.max(0, inVain - 1);
}
