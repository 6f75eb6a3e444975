import type { Conditions } from '../../control/conditions.ts';
import { type Action, type Decision, idle, type Reason } from '../../control/decision.ts';
import { taskJob } from '../manifests/task-job.ts';
import { hasFailed, type TaskWorkloadView } from '../observe/task-workload-view.ts';
import { conclude } from './conclude.ts';
import { refusal, refusedSoFar } from './refusal.ts';
import { hasEnded, isTrue, say } from './task/conditions.ts';

/**
 * The task runner: a workload becomes a Job, once.
 *
 * | what is seen                    | what is said                                      |
 * | ------------------------------- | ------------------------------------------------- |
 * | no Job yet                      | it is made                                        |
 * | the server refused it           | not Ready, `JobRefused`: it is tried again        |
 * | the server goes on refusing it  | Failed, `JobRefused`                              |
 * | a Job                           | Initialized, and Started once Kubernetes began it |
 * | a Job that is complete          | Succeeded                                         |
 * | a Job that failed               | Failed, with the container's reason and exit code |
 * | the Job is gone, having been    | Failed, `JobGone`: it is not run twice            |
 */
export function decideTaskWorkload(view: TaskWorkloadView): Decision {
  const { resource, job, outcomes, settings, now } = view;
  const { metadata, status } = resource;
  if (metadata.deletionTimestamp) return idle('it is being deleted, and its Job goes with it');
  if (hasEnded(status?.conditions)) return idle('it is over');
  if (!job) {
    if (isTrue(status?.conditions, 'Initialized')) {
      return said(
        view,
        fail(view, 'JobGone', 'Its Job was deleted, so nobody knows what became of it.'),
        'its Job is gone',
      );
    }
    const create: Action = { do: 'create', object: taskJob(resource, settings.runner) };
    const refused = refusal(create, outcomes);
    if (!refused) return { actions: [create], because: 'it is to be run' };
    if (refused.isFinal) return said(view, fail(view, 'JobRefused', refused.why), 'its Job was refused');
    const message = refusedSoFar('Its Job', refused);
    return conclude(resource, now, {
      status: status ?? {},
      readiness: { ready: false, reason: 'JobRefused', message },
      effects: [create],
      because: message,
    });
  }
  let conditions = say(view, status?.conditions, 'Initialized', 'JobCreated');
  if (job.status?.startTime) conditions = say(view, conditions, 'Started', 'JobStarted');
  if (isComplete(job)) conditions = say(view, conditions, 'Succeeded', 'JobSucceeded');
  else if (hasFailed(job)) conditions = fail(view, ...ended(view), conditions);
  return said(view, conditions, hasEnded(conditions) ? 'it has ended' : 'its Job is there');
}

function isComplete(job: NonNullable<TaskWorkloadView['job']>): boolean {
  return job.status?.conditions?.some(({ type, status }) => type === 'Complete' && status === 'True') ?? false;
}

/** The container's own words; those of the Job where it has none, as when its pod was evicted or deleted. */
function ended({ end, job }: TaskWorkloadView): [Reason, string] {
  if (end?.exitCode !== undefined) {
    return [reasonOf(end.reason) ?? 'Error', `Failed with exit code: ${end.exitCode}`];
  }
  const told = job?.status?.conditions?.find(({ type }) => type === 'Failed');
  return [reasonOf(told?.reason) ?? 'JobFailed', told?.message ?? 'Its Job failed.'];
}

/** The API server takes no other reasons. */
function reasonOf(text: string | undefined): Reason | undefined {
  return text !== undefined && /^[A-Z][A-Za-z0-9_]*$/.test(text) ? (text as Reason) : undefined;
}

function fail(view: TaskWorkloadView, reason: Reason, message: string, before?: Conditions): Conditions {
  return say(view, before ?? view.resource.status?.conditions, 'Failed', reason, message);
}

function said({ resource, now }: TaskWorkloadView, conditions: Conditions, because: string): Decision {
  return conclude(resource, now, { status: { ...resource.status, conditions }, readiness: { ready: true }, because });
}
