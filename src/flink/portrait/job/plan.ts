import type { AnyObject } from '../../../kube/object.ts';
import type { FamilyProblem } from '../../../portrait/family.ts';
import type { Edit, Plan } from '../../../portrait/plan.ts';
import type { Around } from '../../../portrait/workload.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { type FlinkDeployment, flinkDeployment } from '../../resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../../resources/flink-session-job.ts';
import { deploymentChange, type SpecChange, sessionJobChange } from '../../resources/spec-change.ts';
import { validateDeployment } from '../../validate/deployment.ts';
import { validateSessionJob } from '../../validate/session-job.ts';
import { fieldChanges } from '../field-changes.ts';
import { nothingChanges, refusedPlan } from '../plain-plans.ts';
import { heldBack, steeringChanges } from '../steering-changes.ts';
import { decided } from './decided.ts';
import { type JobLook, jobLook } from './job-look.ts';
import { outcomeOf } from './outcome.ts';

/** What an edit of a FlinkDeployment or FlinkSessionJob would do. */
export function planJob(
  { before: was, after: wanted }: Edit<AnyObject>,
  around: Around,
  operator: OperatorConfig,
): Plan {
  const before = was && jobLook(was);
  const after = jobLook(wanted);
  const { subject } = after;
  const change = before && changeOf(before, after);
  const steered = was ? steeringChanges(was, wanted) : [];
  const changes = [...fieldChanges(change?.changes ?? []), ...steered];
  if (change && changes.length === 0) return nothingChanges(subject);
  const problems = problemsOf(
    { ...wanted, ...(was?.status !== undefined && { status: was.status }) },
    around,
    operator,
  );
  if (problems.length > 0) return refusedPlan(subject, changes, problems);
  const found = decided(before, after, around, operator);
  const waits = heldBack(before?.status ?? {}, wanted);
  return {
    subject,
    changes,
    ...outcomeOf({ before, after, change, found, around, operator }),
    ...(waits !== undefined && { waitsFor: waits }),
    problems,
  };
}

function changeOf(before: JobLook, after: JobLook): SpecChange {
  return after.is === 'session job'
    ? sessionJobChange(before.resource.spec, after.resource.spec)
    : deploymentChange(before.resource.spec, after.resource.spec);
}

/** As the admission webhook judges: shapes included. */
function problemsOf(object: AnyObject, around: Around, operator: OperatorConfig): readonly FamilyProblem[] {
  if (object.kind === flinkDeployment.type.kind)
    return validateDeployment(object as unknown as FlinkDeployment, { operator });
  const job = object as unknown as FlinkSessionJob;
  const { namespace = 'default' } = object.metadata;
  const name = (job.spec as { readonly deploymentName?: unknown } | undefined)?.deploymentName;
  const session = typeof name === 'string' ? around.find(flinkDeployment.type, namespace, name) : 'unknown';
  return validateSessionJob(job, {
    operator,
    session: typeof session === 'string' ? undefined : (session as unknown as FlinkDeployment),
  });
}
