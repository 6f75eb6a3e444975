import type { KubeObject } from '../../../kube/object.ts';
import { clusterObjects } from '../../manifests/cluster-objects.ts';
import { deploymentSpecCodec } from '../../resources/recorded-spec.ts';
import { errorText } from '../error-text.ts';
import { ingressEffects } from '../ingress.ts';
import { instantText } from '../instant-text.ts';
import { warned } from '../reasons.ts';
import { refusalOf, toCreate } from '../refusal.ts';
import { happened } from '../set-back.ts';
import { ended, type Status, without, withRecord } from '../status.ts';
import type { Effect, Step } from '../step.ts';
import { missingObjects, planOf } from './plan.ts';
import type { MovingSession } from './session-case.ts';
import { taskManagersOf } from './task-managers.ts';

/** What the API server refused is tried again this much later: a quota or a webhook may have changed its mind. */
const refusedAgainMs = 30_000;

/**
 * The newest spec is taken up and its objects are made. A newer one that comes before all of them are there begins anew under
 * another id: what was made of the older one is never taken for the newer, and nothing keeps a repair waiting.
 */
export function starting(c: MovingSession, again: (c: MovingSession) => Step<Status>): Step<Status> {
  const { transition } = c.status;
  const { jobManager } = c.view.cluster;
  const made = jobManager?.id === transition.id && jobManager.owners.includes(c.uid) && !jobManager.terminating;
  const outdated = transition.generation !== c.generation;
  if ((jobManager && !made) || (!made && outdated)) return again(c);
  const taken = made ? c : takenUp(c);
  const objects = clusterObjects(planOf(taken, transition.id, transition.generation));
  if ('problem' in objects) return impossible(taken, objects.problem);
  const missing = missingObjects(taken, objects, transition.id);
  if (missing.length > 0) return outdated ? again(c) : making(taken, missing);
  return {
    status: deployed(taken),
    effects: ingressEffects(taken, taken.view.cluster.ingress, objects.ingress),
    because: 'The session cluster is made; it is starting.',
  };
}

/** The spec becomes the recorded one. Written before the first of its objects is made. */
function takenUp(c: MovingSession): MovingSession {
  const { spec, status, generation } = c;
  const firstDeployment =
    c.recorded === undefined || (c.recorded.firstDeployment && status.transition.cause === 'first-deployment');
  const recorded = { spec, firstDeployment };
  const lastReconciledSpec = deploymentSpecCodec.write(recorded);
  const same = status.reconciliationStatus?.lastReconciledSpec === lastReconciledSpec;
  const at = same ? status.reconciliationStatus?.reconciliationTimestamp : undefined;
  const record = { lastReconciledSpec, reconciliationTimestamp: at ?? c.view.now };
  const nonces = { ...status.nonces, ...(spec.restartNonce !== undefined && { restart: spec.restartNonce }) };
  const next = withRecord({ ...status, nonces, observedGeneration: generation }, record);
  const transition = { ...status.transition, generation };
  return { ...c, recorded, status: { ...next, transition } };
}

function making(c: MovingSession, objects: readonly KubeObject[]): Step<Status> {
  const creates = objects.map(toCreate);
  const refusal = refusalOf(c.view.outcomes, objects);
  if (!refusal) return { status: c.status, effects: creates, because: 'The session cluster is being made.' };
  const { kind, metadata } = refusal.object;
  const message = `${kind} ${metadata.name} was refused: ${refusal.outcome.message}. Change the spec, or what refuses it; it is tried again every ${refusedAgainMs / 1000} s.`;
  const retryAt = happened(refusal.outcome.at, c.view.now) + refusedAgainMs;
  const due = c.view.now >= retryAt;
  return refused(c, message, due ? creates : [], due ? c.view.now + refusedAgainMs : retryAt);
}

/** Validation passed it, but no cluster can be made of it. */
function impossible(c: MovingSession, problem: string): Step<Status> {
  return refused(c, problem, []);
}

function refused(c: MovingSession, message: string, effects: readonly Effect[], wakeAt?: number): Step<Status> {
  const error = errorText(c.config, 'reconciliation', message);
  const said = c.resource.status?.error === error;
  return {
    status: { ...c.status, error },
    effects: [...effects, ...(said ? [] : [warned(c.resource, 'DeploymentRefused', message)])],
    because: message,
    ...(wakeAt !== undefined && { wakeAt }),
    stands: { is: 'stalled', reason: 'DeploymentRefused' },
  };
}

/** Everything is there. */
function deployed(c: MovingSession): Status {
  const over = ended(without(c.status, 'error'), 'deployed', instantText(c.view.now));
  const status = withRecord({ ...over, jobManagerDeploymentStatus: 'DEPLOYING' }, { state: 'DEPLOYED' });
  const taskManager = taskManagersOf(c, c.spec);
  return taskManager ? { ...status, taskManager } : without(status, 'taskManager');
}
