import type { PatchAction } from '../../../control/decision.ts';
import { highAvailability } from '../../config/high-availability.ts';
import { operatorOptions } from '../../config/operator-options.ts';
import { read } from '../../config/option.ts';
import { terminal } from '../../rest.ts';
import type { SubmittedSeen } from '../../view.ts';
import { isOwn, nameTaken, remove, show } from '../in-the-way.ts';
import { instantOf } from '../instant-text.ts';
import { predecessorForgotten } from '../left-state.ts';
import { warned } from '../reasons.ts';
import { type Status, withJob } from '../status.ts';
import type { Step } from '../step.ts';
import { enter, type Moving } from './advance.ts';
import { recordingStop } from './snapshot-of-stop.ts';

/**
 * The old cluster goes: first its objects, then, when no JobManager pod is left that could still write, its HA metadata,
 * unless the next job needs it. Only what is ours is deleted, by uid; what belongs to somebody else is waited for.
 */
export function clearing(c: Moving): Step<Status> {
  const { transition } = c.status;
  const { jobManager } = c.cluster;
  const made = jobManager?.owners.includes(c.uid) && jobManager.id === transition.id && !jobManager.terminating;
  if (made) return enter(c, 'starting');
  const status = putAway(c.status);
  const step = removing(c, status);
  if (step === 'abandoned') return abandoned(c, status);
  return step ? recordingStop(c, step) : enter({ ...c, status: { ...status, transition } }, 'starting');
}

/** What is still to go; nothing when all of it has gone. */
function removing(c: Moving, status: Status): Step<Status> | 'abandoned' | undefined {
  const { transition } = c.status;
  const { jobManager, taskManager, dependents, pods, ha } = c.cluster;
  const inTheWay = [jobManager, taskManager, ...Object.values(dependents)].filter((one) => one !== undefined);
  const ours = inTheWay.filter((one) => isOwn(c.uid, c.cluster, one));
  const removals = ours.filter(({ terminating }) => !terminating).map(({ ref }) => remove(ref));
  if (removals.length > 0) return { status, effects: removals, because: 'The old cluster is being removed.' };
  const blocked = transition.cause === 'deletion' ? ours.length + pods.length : inTheWay.length + pods.length;
  if (blocked > 0) {
    const overdue = isOverdue(c);
    if (overdue && transition.cause === 'deletion') return 'abandoned';
    const stranger = inTheWay.find((one) => !ours.includes(one) && !one.terminating);
    if (stranger && pods.length === 0 && ours.length === 0) return nameTaken(c.resource, status, stranger.ref);
    const names = [...inTheWay, ...pods].map(({ ref }) => show(ref)).slice(0, 4);
    const going = `The old cluster is going: ${names.join(', ')}.`;
    if (overdue) return hanging(c, status, `${going} ${wayOut}`);
    return { status, effects: [], because: going, wakeAt: overdueAt(c) };
  }
  if (
    (transition.restore.mode !== 'last-state' || transition.cause === 'deletion') &&
    ha.configMaps.length > 0 &&
    inTheWay.length === 0 &&
    highAvailability(c.config) !== 'zookeeper'
  ) {
    const fresh = transition.cause === 'first-deployment';
    const said = fresh ? predecessorForgotten(c, status, transition) : { status, events: [] };
    const effects = [...ha.configMaps.map(remove), ...said.events];
    return { status: said.status, effects, because: 'The recovery metadata of the old job is being removed.' };
  }
  if (ha.submitted.length > 0) {
    const because =
      'The job as it was submitted before is removed from the recovery metadata: it would run instead of the new one.';
    return { status, effects: ha.submitted.map(forget), because };
  }
  return undefined;
}

/** Takes submitted jobs out of a ConfigMap and leaves its checkpoints. */
function forget({ ref, keys }: SubmittedSeen): PatchAction {
  return { do: 'patch', of: ref, patch: keys.map((key) => ({ op: 'remove', path: `/data/${key}` })) };
}

/** A cluster that is on its way out has no TaskManagers, and its job is over. */
function putAway(status: Status): Status {
  const over = terminal(status.jobStatus?.state) || status.jobStatus?.state === undefined;
  const ended = over ? status : withJob(status, { state: 'FINISHED' });
  return { ...ended, taskManager: { labelSelector: '', replicas: 0 } };
}

function overdueAt(c: Moving): number {
  const { phaseStartedAt } = c.status.transition;
  return (instantOf(phaseStartedAt) ?? c.now) + read(c.config, operatorOptions.cleanupTimeout);
}

/** A pod may hang on a node that is gone. A deletion ends all the same; whatever starts a new job waits for a person. */
function isOverdue(c: Moving): boolean {
  return c.now >= overdueAt(c);
}

const wayOut =
  'That takes too long. A pod whose node is gone goes only by force (kubectl delete pod NAME --force), once it is certain that nothing of it runs any more.';

function hanging(c: Moving, status: Status, because: string): Step<Status> {
  const said = c.resource.status?.conditions?.some(({ message }) => message === because);
  return {
    status,
    effects: said ? [] : [warned(c.resource, 'CleanupFailed', because)],
    because,
    stands: { is: 'stalled', reason: 'CleanupFailed' },
  };
}

/** Metadata is left where it is: a JobManager that still runs somewhere might need it. */
function abandoned(c: Moving, status: Status): Step<Status> {
  const left = [...c.cluster.pods, ...c.cluster.ha.configMaps.map((ref) => ({ ref }))].map(({ ref }) => show(ref));
  const note = `The cluster did not go in time; left behind: ${left.slice(0, 8).join(', ') || 'nothing that is known'}.`;
  const step = enter({ ...c, status: { ...status, transition: c.status.transition } }, 'starting');
  return { ...step, effects: [warned(c.resource, 'CleanupFailed', note), ...step.effects] };
}
