import type { KubeObject } from '../../../kube/object.ts';
import { clusterObjects } from '../../manifests/cluster-objects.ts';
import type { FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import { ingressEffects } from '../ingress.ts';
import { told } from '../reasons.ts';
import { toCreate } from '../refusal.ts';
import type { Status } from '../status.ts';
import type { Step } from '../step.ts';
import { missingObjects, planOf } from './plan.ts';
import type { SessionCase } from './session-case.ts';

/**
 * Makes again what somebody deleted from under a running cluster. Only in clusters that were made here: how the Java
 * operator would make them again nobody knows.
 */
export function upkeep(c: SessionCase): Step<Status> | undefined {
  const { jobManager, dependents, taskManager, ingress } = c.view.cluster;
  if (!c.recorded || !jobManager?.id?.startsWith(`${c.uid}-`) || c.jobManager.status === 'MISSING') return undefined;
  const going = [taskManager, ingress, ...Object.values(dependents)].some((one) => one?.terminating);
  if (going || isComplete(c, c.recorded.spec)) return undefined;
  const { id, generation = c.generation } = jobManager;
  const objects = clusterObjects(planOf(c, id, generation));
  if ('problem' in objects) return undefined;
  const missing = missingObjects(c, objects, id).filter((object) => !Object.hasOwn(dependents, keyOf(object)));
  const routes = ingress ? [] : ingressEffects(c, ingress, objects.ingress);
  if (missing.length + routes.length === 0) return undefined;
  const names = [...missing, ...(routes.length > 0 && objects.ingress ? [objects.ingress] : [])].map(keyOf).join(', ');
  const because = `${names} had vanished and is made again`;
  const creates = missing.map(toCreate);
  const event = told(c.resource, 'DependentRestored', `${because}.`);
  return { status: c.status, effects: [...creates, ...routes, event], because };
}

/** A quick look, before all objects are worked out: are those there that every cluster of this kind has? */
function isComplete({ view, resource }: SessionCase, { mode, ingress }: FlinkDeploymentSpec): boolean {
  const { name = '' } = resource.metadata;
  const standalone = mode === 'standalone';
  const names = [`Service/${name}-rest`, `ConfigMap/flink-config-${name}`, ...(standalone ? [`Service/${name}`] : [])];
  const dependents = names.every((key) => Object.hasOwn(view.cluster.dependents, key));
  const taskManager = !standalone || view.cluster.taskManager !== undefined;
  return dependents && taskManager && (!ingress?.template || view.cluster.ingress !== undefined);
}

function keyOf({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.name}`;
}
