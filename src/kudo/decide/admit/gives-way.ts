import type { Instance } from '../../resources/instance.ts';

/** How long a plan may run before it gives way to a change. */
const defaultTimeoutSeconds = 600;

/** When the plan that runs will have run past its limit; `undefined` when none runs, or it has no limit. */
export function limitOf({ spec, status }: Pick<Instance, 'spec' | 'status'>): number | undefined {
  const seconds = spec?.planTimeoutSeconds ?? defaultTimeoutSeconds;
  const startedAt = Date.parse(status?.execution?.startedAt ?? '');
  return seconds === 0 || Number.isNaN(startedAt) ? undefined : startedAt + seconds * 1000;
}

/** Whether the plan that runs gives way to a change: one of its steps fails just now, or it has run past its limit. */
export function givesWay(instance: Pick<Instance, 'spec' | 'status'>, now: number): boolean {
  const { execution, planStatus = {} } = instance.status ?? {};
  if (!execution) return false;
  const limit = limitOf(instance);
  if (limit !== undefined && now >= limit) return true;
  const plan = Object.hasOwn(planStatus, execution.plan) ? planStatus[execution.plan] : undefined;
  return (plan?.phases ?? []).some(({ steps }) => (steps ?? []).some(({ status }) => status === 'ERROR'));
}
