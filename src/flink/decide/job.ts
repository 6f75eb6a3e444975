import { type Decision, idle } from '../../control/decision.ts';
import { addFinalizer } from '../../control/finalizers.ts';
import type { Transition } from '../resources/transition.ts';
import { asDeployed, refusalOf, refused } from './accepted.ts';
import { conclude } from './conclude.ts';
import { deletion } from './deletion.ts';
import { dependents, withWayToJobManager } from './dependents.ts';
import { endedJob } from './ended-job.ts';
import { firstDeployment } from './first-deployment.ts';
import { clusterOf, finalizers, type JobCase } from './job-case.ts';
import { withAutoscalerReset } from './nonces.ts';
import { recovery } from './recovery.ts';
import { rollback, rollbackAt } from './rollback.ts';
import { seen } from './seen.ts';
import { shutdown, shutdownAt } from './shutdown.ts';
import { slowStart, slowStartAt } from './slow-start.ts';
import { snapshots, snapshotsDueAt } from './snapshots/snapshots.ts';
import { redeployMeanwhile, specChanged } from './spec-changed.ts';
import type { Status } from './status.ts';
import type { Step } from './step.ts';
import { halfDone, imported } from './takeover.ts';
import { advance } from './transition/advance.ts';
import { unhealthy, unhealthyAt } from './unhealthy.ts';
import { isUnheard } from './unheard.ts';

/**
 * What happens next to a job. The rules are asked in this order; the first that has something to say decides, and says
 * so. Whoever comes to the end has nothing to do.
 */
const rules: readonly ((c: JobCase) => Step<Status> | undefined)[] = [
  redeployMeanwhile,
  (c) => (c.status.transition ? moved(c, c.status.transition) : undefined),
  halfDone,
  firstDeployment,
  specChanged,
  rollback,
  recovery,
  endedJob,
  unhealthy,
  shutdown,
  dependents,
  (c) => snapshots(c.view, c.status),
];

function moved(c: JobCase, { phase }: Transition): Step<Status> {
  const step = advance(c);
  return phase === 'suspending' ? withWayToJobManager(c, step) : step;
}

export function decideJob(c: JobCase): Decision {
  if (clusterOf(c) && isUnheard(c.rest, c.status)) return idle('Flink is being asked how the job is.');
  if (c.resource.metadata.deletionTimestamp !== undefined) return deletion(c);
  const claim = addFinalizer(c.resource, finalizers[c.is]);
  if (claim) return { actions: [claim], because: 'The resource is kept until its job is off.' };
  const taken = imported(c);
  const sight = seen(taken.c);
  const looked = { ...taken.c, status: sight.status };
  const refusal = refusalOf(looked);
  const step = refusal === undefined ? ruled(looked) : refusing(looked, refusal);
  return conclude(c, { ...step, effects: [...taken.events, ...sight.events, ...step.effects] });
}

function refusing(c: JobCase, refusal: string): Step<Status> {
  const deployed = asDeployed(c);
  const step = deployed ? ruled(deployed) : { status: c.status, effects: [], because: refusal };
  return refused(c, refusal, step);
}

function ruled(c: JobCase): Step<Status> {
  for (const rule of rules) {
    const step = rule(c);
    if (step) return awake(step, c.jobManager.lookAgainAt);
  }
  return atRest(c);
}

/** Whatever is waited for, a JobManager that may come to count as ready, or not any more, is looked at again. */
function awake(step: Step<Status>, at: number | undefined): Step<Status> {
  return at === undefined ? step : { ...step, wakeAt: Math.min(at, step.wakeAt ?? at) };
}

function atRest(c: JobCase): Step<Status> {
  const clocks = [
    c.jobManager.lookAgainAt,
    rollbackAt(c),
    shutdownAt(c),
    unhealthyAt(c),
    snapshotsDueAt(c.view, c.status),
  ];
  const slow = slowStart(c);
  const times = [...clocks, slow ? undefined : slowStartAt(c)].filter((at) => at !== undefined);
  return {
    status: { ...withAutoscalerReset(c.status, c.spec), observedGeneration: c.generation },
    effects: [],
    because: restingBecause(c),
    ...slow,
    ...(times.length > 0 && { wakeAt: Math.min(...times) }),
  };
}

function restingBecause({ status }: JobCase): string {
  if (status.reconciliationStatus?.state === 'ROLLED_BACK') {
    return 'The new spec did not become stable and was rolled back: the one before runs. Change the spec to try again.';
  }
  return `The job is ${status.jobStatus?.state ?? 'not deployed'}.`;
}
