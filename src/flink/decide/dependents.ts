import { highAvailability } from '../config/high-availability.ts';
import { clusterObjects } from '../manifests/cluster-objects.ts';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
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
  if (isComplete(c)) return undefined;
  const plan = deployedPlan(c, jobManager);
  const objects = plan && clusterObjects(plan);
  if (!objects || 'problem' in objects) return undefined;
  const wanted = [...objects.dependents(jobManager.ref.uid), ...(taskManager ? [] : [objects.taskManager])];
  const missing = wanted.filter((one) => one !== undefined && !there[`${one.kind}/${one.metadata.name}`]);
  const lost: Effect[] = missing.flatMap((object) => (object ? [{ do: 'create', object }] : []));
  const effects = [...lost, ...(objects.ingress && !ingress ? ingressEffects(c, ingress, objects.ingress) : [])];
  if (effects.length === 0) return undefined;
  const names = missing.map((one) => `${one?.kind} ${one?.metadata.name}`);
  const because = `What belongs to the cluster had vanished and is made again: ${names.join(', ') || 'its Ingress'}.`;
  return { status: c.status, effects: [...effects, warned(c.resource, 'DependentRestored', because)], because };
}

/** A look at the names alone: it costs nothing, and is all that most looks need. */
function isComplete(c: JobCase): boolean {
  const { name } = c.resource.metadata;
  const spec = c.recorded?.spec as FlinkDeploymentSpec | undefined;
  const { taskManager, podTemplate, ingress } = spec ?? {};
  const standalone = spec?.mode === 'standalone';
  const templated =
    podTemplate ?? taskManager?.podTemplate ?? taskManager?.resources ?? taskManager?.resource?.ephemeralStorage;
  const names = [
    `Service/${name}-rest`,
    `ConfigMap/flink-config-${name}`,
    ...(standalone || highAvailability(c.config) === 'none' ? [`Service/${name}`] : []),
    ...(templated !== undefined && !standalone ? [`ConfigMap/pod-template-${name}`] : []),
  ];
  const there = names.every((key) => c.cluster.dependents[key]);
  return there && (!ingress || c.cluster.ingress !== undefined) && (!standalone || c.cluster.taskManager !== undefined);
}
