import type { AnyObject } from '../../kube/object.ts';
import { at, groupOf } from '../graph/workload.ts';
import { failed, type Health, healthy, waiting } from './health.ts';
import { instanceHealth } from './instance-health.ts';
import { rolloutHealth } from './rollout.ts';
import { condition, text } from './status-of.ts';

const rules: ReadonlyMap<string, (object: AnyObject) => Health> = new Map([
  ['batch/Job', job],
  ['/Pod', pod],
  ['/Service', service],
  ['/Namespace', namespace],
  ['apiextensions.k8s.io/CustomResourceDefinition', customResourceDefinition],
  ['kudo.dev/Instance', instanceHealth],
]);

/**
 * Whether a plan may go on with an object, by its kind. Kinds without a rule, custom resources among them, are healthy as
 * soon as they exist: what their conditions mean only their operator knows, and a guess could hold up a plan for ever.
 */
export function healthOf(object: AnyObject): Health {
  const groupKind = `${groupOf(object.apiVersion)}/${object.kind}`;
  return rolloutHealth(object, groupKind) ?? rules.get(groupKind)?.(object) ?? healthy;
}

/** By its conditions, not by how many pods succeeded: some Jobs want more than one. */
function job(object: AnyObject): Health {
  const name = JSON.stringify(object.metadata.name);
  const failure = condition(object, 'Failed');
  if (failure?.status === 'True') {
    return failed(`HealthUtil: job ${name} has failed terminally: ${failure.message || failure.reason}`);
  }
  if (condition(object, 'Complete')?.status === 'True') return healthy;
  return waiting(`job ${name} still running or failed`);
}

/** One that has done its work is done; one that failed is never started again. */
function pod(object: AnyObject): Health {
  const { namespace: where, name } = object.metadata;
  const phase = text(object, 'status', 'phase') ?? 'Pending';
  if (phase === 'Succeeded') return healthy;
  if (phase === 'Failed') {
    const why = text(object, 'status', 'message') ?? text(object, 'status', 'reason') ?? 'see its containers';
    return failed(`pod ${JSON.stringify(name)} has failed: ${why}`);
  }
  if (phase === 'Running' && condition(object, 'Ready')?.status === 'True') return healthy;
  return waiting(`pod ${where}/${name} is not running yet: ${phase}`);
}

function service(object: AnyObject): Health {
  const name = JSON.stringify(object.metadata.name);
  const type = text(object, 'spec', 'type');
  if (type === 'ExternalName') return healthy;
  if (text(object, 'spec', 'clusterIP') === undefined) return waiting(`service ${name} has no cluster IP yet`);
  const isReached = hasItems(object, 'spec', 'externalIPs') || hasItems(object, 'status', 'loadBalancer', 'ingress');
  if (type !== 'LoadBalancer' || isReached) return healthy;
  return waiting(`service ${name} has no address of a load balancer yet`);
}

function namespace(object: AnyObject): Health {
  const phase = text(object, 'status', 'phase');
  return phase === 'Active' ? healthy : waiting(`namespace ${object.metadata.name} is not active: ${phase ?? 'new'}`);
}

function customResourceDefinition(object: AnyObject): Health {
  const refused = condition(object, 'NamesAccepted');
  if (condition(object, 'Established')?.status === 'True') return healthy;
  const why = refused?.status === 'False' ? `: ${refused.message}` : '';
  return waiting(`custom resource definition ${object.metadata.name} is not established yet${why}`);
}

function hasItems(object: AnyObject, ...path: readonly string[]): boolean {
  const value = at(object, path);
  return Array.isArray(value) && value.length > 0;
}
