import type { Client } from '../../../kube/client.ts';
import type { AnyObject } from '../../../kube/object.ts';
import type { Family, FamilyProblem } from '../../../portrait/family.ts';
import type { Edit, Plan } from '../../../portrait/plan.ts';
import type { Around, Workload } from '../../../portrait/workload.ts';
import { answered, type Beside, type Named } from '../gather.ts';

/** A kind that is known, and whose it is. */
export interface Planner {
  readonly family: Family;
  readonly workload: Workload;
}

/** The plan of an edit `beside` what the cluster has. `named`: what the same manifest brings along. */
export async function planFor(
  client: Client,
  planner: Planner,
  edit: Edit<AnyObject>,
  { now, named, beside }: { readonly now: number; readonly named: Named; readonly beside: Beside },
): Promise<Plan> {
  const namespace = edit.after.metadata.namespace ?? 'default';
  return answered(client, { namespace, beside, named, now }, (around) => planAround(planner, edit, around));
}

/** The plan, with everything that the webhook would refuse it for. */
export function planAround({ family, workload }: Planner, edit: Edit<AnyObject>, around: Around): Plan {
  const plan = workload.plan(edit, around);
  const known = new Set(plan.problems.map(idOf));
  const others = family.validate(edit.after, around).filter((problem) => !known.has(idOf(problem)));
  return others.length === 0 ? plan : { ...plan, problems: [...plan.problems, ...others] };
}

/** A plan that says only why nothing of it will happen. */
export function refusedPlan({ family, workload }: Planner, { metadata, apiVersion }: AnyObject, message: string): Plan {
  const { namespace = 'default', name = '', uid = '' } = metadata;
  const nothing = 'nothing of it will happen';
  return {
    subject: { family: family.name, apiVersion, kind: workload.type.kind, namespace, name, uid },
    risk: 'none',
    line: `refused: ${message}`,
    changes: [],
    steps: [],
    restarts: [],
    state: { outcome: 'unknown', sentence: nothing },
    availability: { serves: 'unknown', sentence: nothing },
    undo: { possible: false, sentence: nothing },
    warnings: [],
    problems: [{ field: '', rule: 'server', message }],
  };
}

function idOf({ field, rule }: FamilyProblem): string {
  return `${field} ${rule}`;
}
