import type { KubeObject } from '../../kube/object.ts';
import { same } from '../kinds/checks.ts';
import type { EndpointPort, Service } from '../kinds/objects/cluster.ts';
import type { Pod } from '../kinds/objects/pod.ts';
import { endpoints, services } from '../kinds/resource-types.ts';
import type { World } from '../world.ts';
import { backendsOf, portsFor, selectedBy } from './endpoint-slices.ts';
import { type Controller, itself } from './loop.ts';
import { isReady } from './pods.ts';

interface Address {
  readonly ip: string;
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly targetRef: {
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
  };
}

interface Subset {
  readonly addresses?: readonly Address[];
  readonly notReadyAddresses?: readonly Address[];
  readonly ports?: readonly { readonly name?: string; readonly port: number; readonly protocol: string }[];
}

interface Endpoints extends KubeObject {
  readonly subsets?: readonly Subset[];
}

/** Keeps the older form of a Service's addresses, which some clients still read. */
export function endpointsController(world: World): Controller {
  return {
    name: 'endpoints',
    sources: [itself(services), itself(endpoints), selectedBy(world)],
    async reconcile({ namespace, name }) {
      const service = world.get<Service>(services, namespace, name);
      const stored = world.get<Endpoints>(endpoints, namespace, name);
      const ours = stored?.metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller';
      if (!service) {
        if (stored && ours) await world.remove(endpoints, stored);
        return undefined;
      }
      if (!service.spec.selector || service.spec.type === 'ExternalName') return undefined;
      const subsets = subsetsFor(service, backendsOf(world, service));
      const labels = {
        ...service.metadata.labels,
        'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
        ...(service.spec.clusterIP === 'None' && { 'service.kubernetes.io/headless': '' }),
      };
      if (!stored) {
        const fresh: Endpoints = {
          apiVersion: 'v1',
          kind: 'Endpoints',
          metadata: { name, namespace, labels },
          subsets,
        };
        await world.create(endpoints, fresh);
      } else if (!same(stored.subsets, subsets) || !same(stored.metadata.labels, labels)) {
        await world.update(endpoints, { ...stored, metadata: { ...stored.metadata, labels }, subsets });
      }
      return undefined;
    },
  };
}

function subsetsFor(service: Service, backends: readonly Pod[]): readonly Subset[] {
  const groups = new Map<string, { readonly ports: readonly EndpointPort[]; readonly pods: Pod[] }>();
  for (const pod of backends) {
    const ports = portsFor(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, pods: [] };
    groups.set(key, group);
    group.pods.push(pod);
  }
  return [...groups.values()].map(({ ports, pods }) => {
    const serves = (pod: Pod): boolean =>
      service.spec.publishNotReadyAddresses === true || (isReady(pod) && !pod.metadata.deletionTimestamp);
    const ready = pods.filter(serves).map((pod) => addressOf(service, pod));
    const not = pods
      .filter((pod) => !serves(pod) && !pod.metadata.deletionTimestamp)
      .map((pod) => addressOf(service, pod));
    return {
      ...(ready.length > 0 && { addresses: ready }),
      ...(not.length > 0 && { notReadyAddresses: not }),
      ...(ports.length > 0 && {
        ports: ports.map(({ name, port, protocol }) => ({ ...(name && { name }), port, protocol })),
      }),
    };
  });
}

function addressOf(service: Service, pod: Pod): Address {
  const { hostname, subdomain, nodeName } = pod.spec;
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  return {
    ip: pod.status?.podIP ?? '',
    ...(hostname && subdomain === service.metadata.name && { hostname }),
    ...(nodeName && { nodeName }),
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}
