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
  const { jobManager, taskManager, ingress } = c.cluster;
  // A suspended job has no cluster: what a cache shows of it is from before.
  if (c.recorded?.spec.job.state === 'suspended') return undefined;
  if (!isOurs(c, jobManager) || isComplete(c)) return undefined;
  const objects = deployedObjects(c, jobManager);
  if (!objects) return undefined;
  const wanted = [...objects.dependents(jobManager.ref.uid), ...(taskManager ? [] : [objects.taskManager])];
  const missing = missingOf(c, wanted);
  return restored(c, missing, objects.ingress && !ingress ? ingressEffects(c, ingress, objects.ingress) : []);
}

/**
 * Of a cluster that is about to go only the way to its JobManager is made again: without it no savepoint could be asked for, nor
 * heard of, and an upgrade would wait for ever; the one that a deletion promises would not be taken.
 */
export function wayToJobManager(c: JobCase): Step<Status> | undefined {
  const { jobManager } = c.cluster;
  const name = `${c.resource.metadata.name}-rest`;
  if (!isOurs(c, jobManager) || c.cluster.dependents[`Service/${name}`]) return undefined;
  const wanted = deployedObjects(c, jobManager)?.dependents(jobManager.ref.uid) ?? [];
  return restored(
    c,
    missingOf(
      c,
      wanted.filter(({ kind, metadata }) => kind === 'Service' && metadata.name === name),
    ),
  );
}

type Seen = NonNullable<JobCase['cluster']['jobManager']>;
type Wanted = Extract<Effect, { do: 'create' }>['object'];

function isOurs(c: JobCase, jobManager: Seen | undefined): jobManager is Seen {
  return (
    c.is === 'application' && jobManager !== undefined && jobManager.owners.includes(c.uid) && !jobManager.terminating
  );
}

function deployedObjects(c: JobCase, jobManager: Seen) {
  const plan = deployedPlan(c, jobManager);
  const objects = plan && clusterObjects(plan);
  return !objects || 'problem' in objects ? undefined : objects;
}

function missingOf({ cluster }: JobCase, wanted: readonly (Wanted | undefined)[]): readonly Wanted[] {
  return wanted
    .filter((one) => one !== undefined)
    .filter((one) => !cluster.dependents[`${one.kind}/${one.metadata.name}`]);
}

function restored(c: JobCase, missing: readonly Wanted[], more: readonly Effect[] = []): Step<Status> | undefined {
  const effects = [...missing.map((object): Effect => ({ do: 'create', object })), ...more];
  if (effects.length === 0) return undefined;
  const names = missing.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
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
