import { same } from '../kinds/checks.ts';
import { matchesLabels } from '../kinds/label-selector.ts';
import type { Endpoint, EndpointPort, EndpointSlice, Service } from '../kinds/objects/cluster.ts';
import type { Pod } from '../kinds/objects/pod.ts';
import { endpointSlices, pods, services } from '../kinds/resource-types.ts';
import type { World } from '../world.ts';
import { type Controller, controllerOf, itself, type Source } from './loop.ts';
import { hasEnded, isReady, managedBy } from './pods.ts';

/** Pods beyond this many go into another slice. */
const mostEndpoints = 100;
const manager = 'endpointslice-controller.k8s.io';

/** Keeps the addresses behind each Service: one EndpointSlice per hundred pods and set of ports. */
export function endpointSliceController(world: World): Controller {
  return {
    name: 'endpointslice',
    sources: [itself(services), selectedBy(world), controllerOf(endpointSlices, 'Service')],
    async reconcile({ namespace, name }) {
      const service = world.get<Service>(services, namespace, name);
      if (!service || service.metadata.deletionTimestamp || !service.spec.selector) return undefined;
      if (service.spec.type === 'ExternalName') return undefined;
      const wanted = slicesFor(service, backendsOf(world, service));
      const present = world
        .list<EndpointSlice>(endpointSlices, { namespace, owner: service.metadata.uid ?? '' })
        .filter((slice) => slice.metadata.labels?.['endpointslice.kubernetes.io/managed-by'] === manager);
      for (const [index, slice] of wanted.entries()) {
        const old = present[index];
        if (!old) await world.create(endpointSlices, slice);
        else if (!same(content(old), content(slice))) {
          await world.update(endpointSlices, {
            ...old,
            endpoints: slice.endpoints,
            ports: slice.ports,
            metadata: { ...old.metadata, labels: slice.metadata.labels ?? {} },
          });
        }
      }
      for (const slice of present.slice(wanted.length)) await world.remove(endpointSlices, slice);
      return undefined;
    },
  };
}

const content = ({ endpoints, ports, metadata }: EndpointSlice): unknown => ({
  endpoints,
  ports,
  labels: metadata.labels,
});

/** The Services that select a pod, before or after its change. */
export const selectedBy = (world: World): Source => ({
  type: pods,
  *keys({ before, after }) {
    const namespace = (after ?? before)?.metadata.namespace ?? '';
    for (const service of world.list<Service>(services, { namespace })) {
      const { selector } = service.spec;
      if (!selector) continue;
      const concerned = [before, after].some((pod) => pod && matchesLabels(selector, pod.metadata.labels));
      if (concerned) yield { namespace, name: service.metadata.name ?? '' };
    }
  },
});

/** The pods behind a Service: those with an address that have not ended, in order of their names. */
export function backendsOf(world: World, service: Service): readonly Pod[] {
  return world
    .list<Pod>(pods, { namespace: service.metadata.namespace ?? '' })
    .filter((pod) => matchesLabels(service.spec.selector, pod.metadata.labels) && pod.status?.podIP && !hasEnded(pod));
}

function slicesFor(service: Service, backends: readonly Pod[]): readonly EndpointSlice[] {
  const groups = new Map<string, { readonly ports: readonly EndpointPort[]; readonly endpoints: Endpoint[] }>();
  for (const pod of backends) {
    const ports = portsFor(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, endpoints: [] };
    groups.set(key, group);
    group.endpoints.push(endpointFor(service, pod));
  }
  if (groups.size === 0) groups.set('', { ports: [], endpoints: [] });
  return [...groups.values()].flatMap(({ ports, endpoints }) => {
    const slices: EndpointSlice[] = [];
    for (let at = 0; at < Math.max(1, endpoints.length); at += mostEndpoints) {
      slices.push(sliceOf(service, ports, endpoints.slice(at, at + mostEndpoints)));
    }
    return slices;
  });
}

function sliceOf(service: Service, ports: readonly EndpointPort[], endpoints: readonly Endpoint[]): EndpointSlice {
  const { name = '', namespace = '', labels } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: {
        ...labels,
        'kubernetes.io/service-name': name,
        'endpointslice.kubernetes.io/managed-by': manager,
        ...(service.spec.clusterIP === 'None' && { 'service.kubernetes.io/headless': '' }),
      },
      ownerReferences: [managedBy(service)],
    },
    addressType: 'IPv4',
    endpoints,
    ports,
  };
}

function endpointFor(service: Service, pod: Pod): Endpoint {
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const serving = isReady(pod);
  const { hostname, subdomain, nodeName } = pod.spec;
  return {
    addresses: [pod.status?.podIP ?? ''],
    conditions: {
      ready: service.spec.publishNotReadyAddresses === true || (serving && !terminating),
      serving: service.spec.publishNotReadyAddresses === true || serving,
      terminating,
    },
    ...(hostname && subdomain === service.metadata.name && { hostname }),
    ...(nodeName && { nodeName }),
    targetRef: {
      kind: 'Pod',
      namespace: pod.metadata.namespace ?? '',
      name: pod.metadata.name ?? '',
      uid: pod.metadata.uid ?? '',
    },
  };
}

/** The Service's ports as this pod calls them. A named target that the pod lacks is left out. */
export function portsFor(service: Service, pod: Pod): readonly EndpointPort[] {
  const named = pod.spec.containers.flatMap((container) => container.ports ?? []);
  return (service.spec.ports ?? []).flatMap(({ name = '', port, targetPort = port, protocol = 'TCP', appProtocol }) => {
    const found =
      typeof targetPort === 'number'
        ? targetPort
        : named.find((one) => one.name === targetPort && (one.protocol ?? 'TCP') === protocol)?.containerPort;
    return found === undefined ? [] : [{ name, port: found, protocol, ...(appProtocol && { appProtocol }) }];
  });
}
