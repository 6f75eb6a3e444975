import { type Action, refTo } from '../../../control/decision.ts';
import { disruptionBudget } from '../../manifests/disruption-budget.ts';
import type { AppWorkloadView } from '../../observe/app-workload-view.ts';
import type { StatefulSet } from '../../observe/kube-shapes.ts';

/** Makes the disruption budget of an app with several instances, and removes that of one with fewer. */
export function budgetActions({ workload, budgets }: AppWorkloadView, set: StatefulSet): readonly Action[] {
  const found = budgets.find(({ metadata }) => metadata.name === set.metadata.name);
  const own = found?.metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid) ?? false;
  if (workload.spec.instances > 1) return found ? [] : [{ do: 'create', object: disruptionBudget(workload, set) }];
  return found && own && !found.metadata.deletionTimestamp ? [{ do: 'delete', of: refTo(found) }] : [];
}
