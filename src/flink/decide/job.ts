import type { Decision } from '../../control/decision.ts';
import { addFinalizer } from '../../control/finalizers.ts';
import { asDeployed, refusalOf, refused } from './accepted.ts';
import { conclude } from './conclude.ts';
import { firstDeployment } from './first-deployment.ts';
import { finalizers, type JobCase } from './job-case.ts';
import { seen } from './seen.ts';
import { snapshots, snapshotsDueAt } from './snapshots/snapshots.ts';
import { redeployMeanwhile, specChanged } from './spec-changed.ts';
import type { Status } from './status.ts';
import type { Step } from './step.ts';
import { advance } from './transition/advance.ts';

/**
 * What happens next to a job. The rules are asked in this order; the first that has something to say decides, and says
 * so. Whoever comes to the end has nothing to do.
 */
const rules: readonly ((c: JobCase) => Step<Status> | undefined)[] = [
  redeployMeanwhile,
  (c) => (c.status.transition ? advance(c) : undefined),
  firstDeployment,
  specChanged,
  (c) => snapshots(c.view, c.status),
];

export function decideJob(c: JobCase): Decision {
  const claim = addFinalizer(c.resource, finalizers[c.is]);
  if (claim) return { actions: [claim], because: 'The resource is kept until its job is off.' };
  const sight = seen(c);
  const looked = { ...c, status: sight.status };
  const refusal = refusalOf(looked);
  const step = refusal === undefined ? ruled(looked) : refusing(looked, refusal);
  return conclude(c, { ...step, effects: [...sight.events, ...step.effects] });
}

function refusing(c: JobCase, refusal: string): Step<Status> {
  const deployed = asDeployed(c);
  const step = deployed ? ruled(deployed) : { status: c.status, effects: [], because: refusal };
  return refused(c, refusal, step);
}

function ruled(c: JobCase): Step<Status> {
  for (const rule of rules) {
    const step = rule(c);
    if (step) return step;
  }
  return atRest(c);
}

function atRest(c: JobCase): Step<Status> {
  const times = [c.jobManager.lookAgainAt, snapshotsDueAt(c.view, c.status)].filter((at) => at !== undefined);
  return {
    status: { ...c.status, observedGeneration: c.generation },
    effects: [],
    because: `The job is ${c.status.jobStatus?.state ?? 'not deployed'}.`,
    ...(times.length > 0 && { wakeAt: Math.min(...times) }),
  };
}
