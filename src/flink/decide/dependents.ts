import { clusterObjects } from '../manifests/cluster-objects.ts';
import { ingressEffects } from './ingress.ts';
import type { JobCase } from './job-case.ts';
import { deployedPlan } from './plan.ts';
import { warned } from './reasons.ts';
import type { Status } from './status.ts';
import type { Effect, Step } from './step.ts';

/**
 * What belongs to a cluster and has vanished is made again, of what is deployed. What is there is left as it is, whoever
 * made or changed it.
 */
export function dependents(c: JobCase): Step<Status> | undefined {
  const { jobManager, taskManager, dependents: there, ingress } = c.cluster;
  if (c.is !== 'application' || !jobManager?.owners.includes(c.uid) || jobManager.terminating) return undefined;
  const plan = deployedPlan(c, jobManager);
  const objects = plan && clusterObjects(plan);
  if (!objects || 'problem' in objects) return undefined;
  const wanted = [...objects.dependents(jobManager.ref.uid), ...(taskManager ? [] : [objects.taskManager])];
  const missing = wanted.filter((one) => one !== undefined && !there[`${one.kind}/${one.metadata.name}`]);
  const lost: Effect[] = missing.flatMap((object) => (object ? [{ do: 'create', object }] : []));
  const effects = [...lost, ...(objects.ingress && !ingress ? ingressEffects(c, objects.ingress) : [])];
  if (effects.length === 0) return undefined;
  const names = missing.map((one) => `${one?.kind} ${one?.metadata.name}`);
  const because = `What belongs to the cluster had vanished and is made again: ${names.join(', ') || 'its Ingress'}.`;
  return { status: c.status, effects: [...effects, warned(c.resource, 'DependentRestored', because)], because };
}
