import { highAvailability } from '../../config/high-availability.ts';
import { operatorOptions } from '../../config/operator-options.ts';
import { read } from '../../config/option.ts';
import { deploymentSpecCodec } from '../../resources/recorded-spec.ts';
import { deploymentChange, type SpecChange, specChangedMessage } from '../../resources/spec-change.ts';
import { told, warned } from '../reasons.ts';
import { type Status, withRecord } from '../status.ts';
import type { Effect, Step } from '../step.ts';
import type { SessionCase } from './session-case.ts';
import { taskManagersOf } from './task-managers.ts';
import { begin } from './transition.ts';

/** Nothing was deployed yet. */
export function firstDeployment(c: SessionCase): Step<Status> | undefined {
  return c.recorded
    ? undefined
    : begin(c, 'first-deployment', 'The session cluster is deployed for the first time.', []);
}

/** What the difference between the spec and what is deployed demands. */
export function changed(c: SessionCase): Step<Status> | undefined {
  if (!c.recorded) return undefined;
  const { nonces } = c.status;
  const change = deploymentChange(c.recorded.spec, c.spec, nonces ? { nonces } : {});
  switch (change.demands) {
    case 'nothing':
    case 'patch':
      return undefined;
    case 'scale':
      return scaled(c, change) ?? upgraded(c, change);
    default:
      return upgraded(c, change);
  }
}

function upgraded(c: SessionCase, change: SpecChange): Step<Status> {
  return begin(c, 'spec-change', `The spec changed: ${change.text}.`, [announced(c, change), ...lossOf(c)]);
}

/** Without HA metadata no job of a session comes back by itself when its cluster is made anew. */
function lossOf({ config, view, resource }: SessionCase): readonly Effect[] {
  const names = view.sessionJobs.map(({ name }) => name);
  if (highAvailability(config) !== 'none' || names.length === 0) return [];
  const note = `The session cluster is made anew without high availability: its jobs (${names.slice(0, 10).join(', ')}) end with it. They are started again as their own upgradeMode says; set high-availability.type to keep them.`;
  return [warned(resource, 'StateDropped', note)];
}

/** More or fewer TaskManagers, and nothing else: their Deployment is scaled, nobody is restarted. */
function scaled(c: SessionCase, change: SpecChange): Step<Status> | undefined {
  const { taskManager } = c.view.cluster;
  const wanted = taskManagersOf(c, c.spec);
  if (wanted?.replicas === undefined || !taskManager?.owners.includes(c.uid) || taskManager.terminating)
    return undefined;
  if (c.jobManager.status === 'MISSING') return undefined;
  if (taskManager.replicas !== wanted.replicas) {
    const scale = { op: 'replace', path: '/spec/replicas', value: wanted.replicas } as const;
    return {
      status: c.status,
      effects: [{ do: 'patch', of: taskManager.ref, patch: [scale] }, announced(c, change)],
      because: `The TaskManagers are scaled from ${taskManager.replicas} to ${wanted.replicas}.`,
    };
  }
  const lastReconciledSpec = deploymentSpecCodec.write({ spec: c.spec, firstDeployment: false });
  const record = { lastReconciledSpec, reconciliationTimestamp: c.view.now, state: 'DEPLOYED' } as const;
  return {
    status: { ...withRecord(c.status, record), taskManager: wanted, observedGeneration: c.generation },
    effects: [],
    because: `There are ${wanted.replicas} TaskManagers now.`,
  };
}

function announced({ resource }: SessionCase, change: SpecChange): Effect {
  return told(resource, 'SpecChanged', specChangedMessage(change));
}

/** The cluster that should be there is not, or the Java operator left in the middle of making it. */
export function recovered(c: SessionCase): Step<Status> | undefined {
  if (!c.recorded) return undefined;
  const unfinished = c.status.reconciliationStatus?.state === 'UPGRADING';
  if (c.jobManager.status !== 'MISSING' && !unfinished) return undefined;
  if (unfinished && isMade(c)) return finished(c);
  if (unfinished) return begin(c, 'spec-change', 'The session cluster was being made anew by another operator.', []);
  if (!read(c.config, operatorOptions.recoveryEnabled)) return undefined;
  const event = told(c.resource, 'RecoverDeployment', 'Recovering lost deployment');
  return begin(c, 'recovery', 'The JobManager Deployment was gone.', [event]);
}

/** Its Deployment is there, of the generation that was being deployed. */
function isMade({ jobManager, view, status }: SessionCase): boolean {
  const { generation } = view.cluster.jobManager ?? {};
  return jobManager.status !== 'MISSING' && generation === status.observedGeneration;
}

/** The Java operator had made it when it left. */
function finished(c: SessionCase): Step<Status> {
  return {
    status: withRecord(c.status, { state: 'DEPLOYED' }),
    effects: [],
    because: 'The session cluster had been made by another operator.',
  };
}
