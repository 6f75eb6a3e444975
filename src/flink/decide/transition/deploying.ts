import type { KubeObject } from '../../../kube/object.ts';
import { clusterObjects } from '../../manifests/cluster-objects.ts';
import { errorText } from '../error-text.ts';
import { ingressEffects } from '../ingress.ts';
import { planOf } from '../plan.ts';
import { told, warned } from '../reasons.ts';
import { refusalOf, toCreate } from '../refusal.ts';
import { happened } from '../set-back.ts';
import type { Status } from '../status.ts';
import type { Step } from '../step.ts';
import { enter, type Moving } from './advance.ts';

/** What the API server refused is tried again this much later: a quota or a webhook may have changed its mind. */
const refusedAgainMs = 30_000;

/**
 * The objects of an application cluster are made: the Deployments, then what belongs to the JobManager's, which has to
 * carry its uid. Each carries the id of the transition; the same id is the same object. The configuration is made last:
 * without it no JobManager starts, so whatever is refused before can still be made `again` of a newer spec.
 */
export function deploying(c: Moving, finish: (c: Moving) => Status, again: (c: Moving) => Step<Status>): Step<Status> {
  const { transition } = c.status;
  const objects = clusterObjects(planOf(c));
  if ('problem' in objects) return impossible(c, objects.problem);
  const { jobManager, taskManager } = c.cluster;
  if (jobManager && (jobManager.id !== transition.id || !jobManager.owners.includes(c.uid) || jobManager.terminating)) {
    return enter(c, 'clearing');
  }
  const deployments: KubeObject[] = [
    ...(jobManager ? [] : [objects.jobManager]),
    ...(objects.taskManager && !taskManager ? [objects.taskManager] : []),
  ];
  if (deployments.length > 0) {
    const submit = jobManager ? [] : [told(c.resource, 'Submit', 'Starting deployment')];
    return making(c, deployments, submit, 'The cluster is being made.');
  }
  const missing = objects.dependents(jobManager?.ref.uid ?? '').filter(({ kind, metadata }) => {
    const there = c.cluster.dependents[`${kind}/${metadata.name}`];
    return there?.id !== transition.id;
  });
  if (missing.length > 0) {
    const outdated = transition.generation !== c.generation && refusalOf(c.outcomes, missing) !== undefined;
    return outdated ? again(c) : making(c, missing, [], 'What belongs to the cluster is being made.');
  }
  return {
    status: finish(c),
    effects: ingressEffects(c, c.cluster.ingress, objects.ingress),
    because: 'The cluster is made; its job is starting.',
  };
}

function making(
  c: Moving,
  objects: readonly KubeObject[],
  events: Step<Status>['effects'],
  because: string,
): Step<Status> {
  const creates = objects.map(toCreate);
  const refusal = refusalOf(c.outcomes, objects);
  if (!refusal) return { status: c.status, effects: [...creates, ...events], because };
  const { object, outcome } = refusal;
  const { kind, metadata } = object;
  const message = `${kind} ${metadata.name} was refused: ${outcome.message}. Change the spec, or what refuses it; it is tried again every ${refusedAgainMs / 1000} s.`;
  const error = errorText(c.config, 'reconciliation', message);
  const retryAt = happened(outcome.at, c.now) + refusedAgainMs;
  return {
    status: { ...c.status, error },
    effects: [
      ...(c.now >= retryAt ? creates : []),
      ...(c.resource.status?.error === error ? [] : [warned(c.resource, 'DeploymentRefused', message)]),
    ],
    because: message,
    wakeAt: c.now >= retryAt ? c.now + refusedAgainMs : retryAt,
    stands: { is: 'stalled', reason: 'DeploymentRefused' },
  };
}

/** Validation passed it, but no cluster can be made of it. */
function impossible(c: Moving, problem: string): Step<Status> {
  const error = errorText(c.config, 'reconciliation', problem);
  return {
    status: { ...c.status, error },
    effects: c.resource.status?.error === error ? [] : [warned(c.resource, 'DeploymentRefused', problem)],
    because: problem,
    stands: { is: 'stalled', reason: 'DeploymentRefused' },
  };
}
