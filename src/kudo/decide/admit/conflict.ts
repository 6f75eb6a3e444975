import { specialPlans } from '../../keys.ts';
import { printed } from './reference.ts';
import { type Refused, refusal } from './refusal.ts';
import type { AdmitView, Verdict } from './view.ts';

/** What one write asks for, beside the request for a plan. */
export interface Asked {
  readonly upgrade: boolean;
  /** The plan that its changed parameters run. */
  readonly triggered?: string | undefined;
  /** The parameters that it changes. */
  readonly names: readonly string[];
}

/** Things that cannot be asked for in one write, or never. */
export function conflictOf(view: AdmitView, { upgrade, triggered, names }: Asked): Refused | undefined {
  const { after, request } = view;
  const instance = `${view.name.namespace}/${view.name.name}`;
  const reference = printed(after.operatorVersion);
  const parameters = names.join(', ');
  if (upgrade && request.is === 'run') {
    return refusal('UpgradeWithPlan', { instance, reference, plan: request.plan });
  }
  if (upgrade && triggered !== undefined && triggered !== specialPlans.deploy) {
    return refusal('UpgradeWithParameters', { instance, reference, plan: triggered, parameters });
  }
  if (triggered !== undefined && request.is === 'run') {
    return refusal('PlanWithParameters', { instance, plan: request.plan, triggered, parameters });
  }
  if (request.is === 'run' && request.plan === specialPlans.cleanup) return refusal('CleanupByUser', { instance });
  return undefined;
}

/** Who is being deleted does nothing but clean up. `changes`: an upgrade, or parameters that count. */
export function whileDeleting({ name, running, request }: AdmitView, changes: boolean): Verdict {
  const instance = `${name.namespace}/${name.name}`;
  const asksForOther = request.is === 'run' && request.plan !== specialPlans.cleanup;
  if (running?.plan === specialPlans.cleanup && (asksForOther || request.is === 'cancel')) {
    return refusal('CleanupIsFinal', { instance });
  }
  if (changes) return refusal('ChangedWhileDeleted', { instance });
  return asksForOther ? refusal('PlanWhileDeleted', { instance }) : { is: 'nothing' };
}
