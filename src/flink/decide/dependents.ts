import { highAvailability } from '../config/high-availability.ts';
import { clusterObjects } from '../manifests/cluster-objects.ts';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import { ingressEffects } from './ingress.ts';
import type { JobCase } from './job-case.ts';
import { deployedPlan } from './plan.ts';
import { warned } from './reasons.ts';
import { type ObjectRefusal, refusalOf, toCreate } from './refusal.ts';
import { happened } from './set-back.ts';
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

/** What the API server refused is tried again this much later: a quota or a webhook may have changed its mind. */
const refusedAgainMs = 30_000;

/**
 * A step of whoever brings a job to an end, along with the way to its JobManager if that has vanished: of a cluster that is about
 * to go nothing else is made again, but without it no savepoint could be asked for, nor heard of.
 *
 * It is made after all that the step does for itself and before Flink is called, and a refusal holds nothing back for longer than
 * one look: the step goes on without it, and says so.
 */
export function withWayToJobManager(c: JobCase, step: Step<Status>): Step<Status> {
  const { phase = 'suspending' } = step.status.transition ?? {};
  const service = phase === 'suspending' ? missingWay(c) : undefined;
  if (!service) return step;
  const refusal = refusalOf(c.outcomes, [service]);
  const retryAt = refusal && happened(refusal.outcome.at, c.now) + refusedAgainMs;
  const due = retryAt === undefined || c.now >= retryAt;
  const calls = step.effects.filter((effect) => effect.do === 'call');
  const others = step.effects.filter((effect) => effect.do !== 'call');
  const effects = [...others, ...(due ? making(c, [service]) : []), ...calls];
  if (!refusal) return { ...step, effects };
  const again = due ? c.now + refusedAgainMs : retryAt;
  const wakeAt = Math.min(again, step.wakeAt ?? again);
  return refusedWay(c, { ...step, effects, wakeAt }, refusal);
}

function refusedWay(c: JobCase, step: Step<Status>, { object, outcome }: ObjectRefusal): Step<Status> {
  const refused = `Service ${object.metadata.name}, the way to the JobManager, had vanished and was refused: ${outcome.message}. It is tried again every ${refusedAgainMs / 1000} s.`;
  const said = c.resource.status?.conditions?.some(({ message }) => message?.includes(refused));
  const effects = said ? step.effects : [warned(c.resource, 'DeploymentRefused', refused), ...step.effects];
  const stands = step.stands ?? { is: 'waiting', reason: 'DeploymentRefused' };
  return { ...step, effects, because: `${step.because} ${refused}`, stands };
}

function missingWay(c: JobCase): Wanted | undefined {
  const { jobManager } = c.cluster;
  const name = `${c.resource.metadata.name}-rest`;
  if (!isOurs(c, jobManager) || c.cluster.dependents[`Service/${name}`]) return undefined;
  const wanted = deployedObjects(c, jobManager)?.dependents(jobManager.ref.uid) ?? [];
  return wanted.find(({ kind, metadata }) => kind === 'Service' && metadata.name === name);
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

function restored(c: JobCase, missing: readonly Wanted[], more: readonly Effect[]): Step<Status> | undefined {
  if (missing.length + more.length === 0) return undefined;
  return { status: c.status, effects: making(c, missing, more), because: restoring(missing) };
}

function making(c: JobCase, missing: readonly Wanted[], more: readonly Effect[] = []): readonly Effect[] {
  return [...missing.map(toCreate), ...more, warned(c.resource, 'DependentRestored', restoring(missing))];
}

function restoring(missing: readonly Wanted[]): string {
  const names = missing.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  return `What belongs to the cluster had vanished and is made again: ${names.join(', ') || 'its Ingress'}.`;
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
