import type { KubeObject } from '../../kube/object.ts';
import { endpointSlices, services } from '../kinds/resource-types.ts';
import type { World } from '../world.ts';

interface EndpointSlice extends KubeObject {
  readonly endpoints?: readonly {
    readonly addresses?: readonly string[];
    readonly conditions?: { readonly ready?: boolean };
  }[];
}

const serviceLabel = 'kubernetes.io/service-name';

/**
 * What the cluster's DNS and Services together make of a host name in a pod of `namespace`: the addresses of the pods
 * that answer for a Service and are ready. An address stands for itself; an unknown name for nobody.
 */
export function resolveHost(world: World, namespace: string, host: string): readonly string[] {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return [host];
  const [name = '', where = namespace] = host.replace(/\.svc(\.cluster\.local\.?)?$/, '').split('.');
  if (!world.get(services, where, name)) return [];
  return world
    .list<EndpointSlice>(endpointSlices, { namespace: where })
    .filter(({ metadata }) => metadata.labels?.[serviceLabel] === name)
    .flatMap(({ endpoints = [] }) => endpoints)
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses = [] }) => addresses);
}
