import type { Instant } from '../../clock/clock.ts';
import type { Finding } from '../../control/conditions.ts';
import type { Execution, Instance } from '../resources/instance.ts';
import { startOf } from './execution.ts';

/** How long a plan may take, where the Instance does not say. */
const defaultTimeoutSeconds = 600;

/** From when on a plan takes too long: it gives way to a change that waits, and is told as trouble. `undefined`: never. */
export function overdueAt(execution: Execution, { spec }: Instance): Instant | undefined {
  const seconds = spec.planTimeoutSeconds ?? defaultTimeoutSeconds;
  return seconds > 0 ? startOf(execution) + seconds * 1000 : undefined;
}

export function isOverdue(execution: Execution, instance: Instance, now: Instant): boolean {
  const at = overdueAt(execution, instance);
  return at !== undefined && now >= at;
}

/** A plan waits for what it made as long as that takes. Whoever looks is told that it does, for what, and what keeps that up if known. */
export function overdue(
  execution: Execution,
  instance: Instance,
  now: Instant,
  where: string,
  why?: string,
): Finding | undefined {
  if (!isOverdue(execution, instance, now)) return undefined;
  const begin = `${where.replace(/\.+$/, '')}.${why === undefined ? '' : ` ${why}`}`;
  const message = `${begin} It takes longer than spec.planTimeoutSeconds; a change of the Instance takes its place.`;
  return { type: 'Stalled', status: 'True', reason: 'PlanTakesLong', message };
}
