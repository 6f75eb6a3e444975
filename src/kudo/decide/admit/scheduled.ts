import type { AdmitView, Running, Start, Verdict } from './view.ts';

/** A change that nothing speaks against. */
export type Change = Omit<Start, 'is' | 'supersedes'>;

/**
 * Whether a change starts its plan now, or when the plan that runs has ended.
 *
 * The same plan starts over with the new values, as in KUDO. Any other waits, unless the running one gives way (it fails
 * again and again, or has run too long), is to be overridden, or is cancelled in the same write. An upgrade always waits: two versions of a
 * plan are two plans.
 */
export function scheduled({ running, request }: AdmitView, change: Change, upgrade: boolean): Verdict {
  if (!running) return { is: 'start', ...change };
  const isSame = !upgrade && running.plan === change.plan;
  const isPushed = request.is === 'cancel' || (request.is === 'run' && request.override);
  if (isSame || isPushed || running.yields) return { is: 'start', ...change, supersedes: running.uid };
  return { is: 'waits', plan: change.plan, changed: change.changed, message: waiting(running, change, request) };
}

function waiting({ plan }: Running, change: Change, request: AdmitView['request']): string {
  const way =
    request.is === 'run'
      ? 'set spec.planExecution.override (plan trigger --override) to run it at once'
      : `cancel that one (plan cancel, or blank spec.planExecution.planName) to run '${change.plan}' at once`;
  return `plan '${change.plan}' waits until plan '${plan}' has ended: ${way}`;
}
