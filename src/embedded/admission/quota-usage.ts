import type { AnyObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { at, list, record, text } from '../table/fields.ts';
import { type Amounts, amountsIn, sum, things } from './amounts.ts';
import { podResources } from './pod-resources.ts';

type Kind = Pick<ResourceType, 'group' | 'plural'>;

/** Core resources that a quota may count by their bare name. */
const counted = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
]);

/** What one object takes of a quota, by the names that quotas use. */
export function usageOf({ group, plural }: Kind, object: AnyObject): Amounts {
  const one: Amounts = {
    [`count/${group ? `${plural}.${group}` : plural}`]: things(1),
    ...(group === '' && counted.has(plural) && plural !== 'pods' && { [plural]: things(1) }),
  };
  if (group !== '') return one;
  if (plural === 'pods') return { ...one, ...podUsage(object) };
  if (plural === 'services') return { ...one, ...serviceUsage(object) };
  if (plural === 'persistentvolumeclaims') return { ...one, ...claimUsage(object) };
  return one;
}

/** Pods that have ended take nothing but their place in the store. */
function podUsage(pod: AnyObject): Amounts {
  if (['Succeeded', 'Failed'].includes(text(pod, 'status.phase'))) return {};
  const requests = podResources(pod, 'requests');
  const limits = podResources(pod, 'limits');
  const named = (prefix: string, amounts: Amounts): Amounts =>
    Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [`${prefix}${name}`, amount]));
  const plain = Object.fromEntries(
    Object.entries(requests).filter(([name]) => ['cpu', 'memory', 'ephemeral-storage'].includes(name)),
  );
  return { pods: things(1), ...plain, ...named('requests.', requests), ...named('limits.', limits) };
}

function serviceUsage(service: AnyObject): Amounts {
  const type = text(service, 'spec.type');
  const ports = list(service, 'spec.ports').length;
  const nodePorts =
    type === 'NodePort' || (type === 'LoadBalancer' && at(service, 'spec.allocateLoadBalancerNodePorts') !== false);
  return {
    ...(nodePorts && { 'services.nodeports': things(ports) }),
    ...(type === 'LoadBalancer' && { 'services.loadbalancers': things(1) }),
  };
}

function claimUsage(claim: AnyObject): Amounts {
  const { storage } = amountsIn(record(claim, 'spec.resources.requests'));
  const className = text(claim, 'spec.storageClassName');
  const prefix = `${className}.storageclass.storage.k8s.io/`;
  return {
    ...(storage && { 'requests.storage': storage }),
    ...(className && { [`${prefix}persistentvolumeclaims`]: things(1) }),
    ...(className && storage && { [`${prefix}requests.storage`]: storage }),
  };
}

/** Whether a quota is about this object at all: its scopes, which only pods have. */
export function inScope(quota: AnyObject, { group, plural }: Kind, object: AnyObject): boolean {
  const scopes = list(quota, 'spec.scopes').map(String);
  if (scopes.length === 0) return true;
  if (group !== '' || plural !== 'pods') return false;
  const bestEffort =
    Object.keys({ ...podResources(object, 'requests'), ...podResources(object, 'limits') }).length === 0;
  const terminating = at(object, 'spec.activeDeadlineSeconds') !== undefined;
  const holds: Readonly<Record<string, boolean>> = {
    BestEffort: bestEffort,
    NotBestEffort: !bestEffort,
    Terminating: terminating,
    NotTerminating: !terminating,
    PriorityClass: text(object, 'spec.priorityClassName') !== '',
  };
  return scopes.every((scope) => holds[scope] === true);
}

/** Which resources of a quota say something about a kind: all that an object of it could take. */
export function concerns({ group, plural }: Kind, name: string): boolean {
  if (name === `count/${group ? `${plural}.${group}` : plural}`) return true;
  if (group !== '') return false;
  if (name === plural && counted.has(plural)) return true;
  if (plural === 'services') return name.startsWith('services.');
  if (plural === 'persistentvolumeclaims')
    return name === 'requests.storage' || name.includes('.storageclass.storage.k8s.io/');
  if (plural !== 'pods') return false;
  return ['cpu', 'memory', 'ephemeral-storage'].includes(name) || /^(requests|limits)\.(?!storage$)/.test(name);
}

/** Everything that the objects of one kind take together. */
export function totalOf(quota: AnyObject, kind: Kind, objects: readonly AnyObject[]): Amounts {
  return sum(objects.filter((object) => inScope(quota, kind, object)).map((object) => usageOf(kind, object)));
}
